package dev.weir.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir rules add}: puts a rule into a server's database. */
@Command(
    name = "add",
    sortOptions = false,
    description = "Add a rule to a server's database; it holds at once.",
    footer = {
      "",
      "For example:",
      "  weir rules add search --path /v1/search/** --limit 10/s --limit 1000/h",
      "  weir rules add --file rule.toml --dry-run"
    })
final class RulesAddCommand extends AdminCommand {
  @Parameters(arity = "0..1", paramLabel = "<name>", description = "The name of the rule.")
  private @Nullable String name;

  @Mixin private RuleOptions rule = new RuleOptions();

  @Option(
      names = "--file",
      paramLabel = "<file>",
      description = "In place of all that: a file with one [[rule]] as in weir.toml.")
  private @Nullable Path file;

  @Option(names = "--dry-run", description = "Only say whether it could be added.")
  private boolean isDryRun;

  @Mixin private JsonOption json = new JsonOption();

  RulesAddCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    AdminPath path = AdminPath.of("rules").dryRun(isDryRun);
    AdminAnswer answer = server.ask(AdminCall.post(path, rule()));
    Json.Members added = answer.object();
    if (isDryRun) {
      requireDryRun(added);
    }
    if (json.isGiven()) {
      printJson(answer);
    } else if (isDryRun) {
      out()
          .println(
              "dry run: rule %s could be added; the policy would be %s"
                  .formatted(PlainText.of(added.get("name")), PlainText.of(added.get("policy"))));
    } else {
      out().println("added rule " + PlainText.of(added.get("name")));
    }
  }

  private String rule() {
    if (file == null) {
      if (name == null) {
        throw wrongUsage("a name or --file must be given");
      }
      return rule.json(name);
    }
    if (name != null || rule.isAnyGiven()) {
      throw wrongUsage("with --file, all of the rule must be in the file");
    }
    return RuleFile.json(file);
  }
}
