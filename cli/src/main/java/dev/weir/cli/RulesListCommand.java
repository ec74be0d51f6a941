package dev.weir.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code weir rules list}: the rules of a server, of its file and of its database. */
@Command(
    name = "list",
    sortOptions = false,
    description = "List the rules of a server's file and of its database.",
    footer = {
      "",
      "With --json there is all of each rule, also who made it and when. For example:",
      "  weir rules list",
      "  weir rules list --url http://127.0.0.1:8080 --json"
    })
final class RulesListCommand extends AdminCommand {
  @Mixin private JsonOption json = new JsonOption();

  RulesListCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    AdminAnswer answer = server.ask(AdminCall.get(AdminPath.of("rules")));
    if (json.isGiven()) {
      printJson(answer);
      return;
    }
    List<Json.Members> rules = answer.items();
    if (rules.isEmpty()) {
      out().println("no rules");
      return;
    }
    Columns columns =
        Columns.named(
            "name", "source", "version", "priority", "match", "limits", "scope", "action", "more");
    rules.forEach(rule -> columns.add(row(rule)));
    print(columns.lines());
  }

  private static List<String> row(Json.Members rule) {
    return List.of(
        PlainText.of(rule.get("name")),
        PlainText.of(rule.get("source")),
        PlainText.of(rule.get("version")),
        PlainText.of(rule.get("priority")),
        match(rule.get("match")),
        PlainText.of(rule.get("limits")),
        PlainText.of(rule.get("scope")),
        PlainText.of(rule.get("action")),
        more(rule));
  }

  private static String match(Json match) {
    if (!(match instanceof Json.Members conditions) || conditions.values().isEmpty()) {
      return "all";
    }
    return conditions.values().entrySet().stream()
        .map(one -> PlainText.of(one.getKey()) + " " + values(one.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static String values(Json value) {
    if (value instanceof Json.Items items) {
      return items.values().stream().map(PlainText::of).collect(Collectors.joining("|"));
    }
    return PlainText.of(value);
  }

  /** What most rules do not say. */
  private static String more(Json.Members rule) {
    List<String> more = new ArrayList<>();
    if (rule.text("enabled").equals("false")) {
      more.add("disabled");
    }
    if (rule.isTrue("final")) {
      more.add("final");
    }
    if (rule.text("mode").equals("shadow")) {
      more.add("shadow");
    }
    for (String name : List.of("algorithm", "burst", "failure_mode", "response")) {
      String value = PlainText.of(rule.get(name));
      if (!value.equals(PlainText.NOTHING)) {
        more.add(name + " " + value);
      }
    }
    return more.isEmpty() ? PlainText.NOTHING : String.join("; ", more);
  }
}
