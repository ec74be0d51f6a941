package dev.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir rules remove}: takes a rule out of a server's database. */
@Command(
    name = "remove",
    sortOptions = false,
    description = "Remove a rule from a server's database; rules of its file stay.",
    footer = {"", "For example: weir rules remove search"})
final class RulesRemoveCommand extends AdminCommand {
  @Parameters(paramLabel = "<name>", description = "The name of the rule.")
  private String name = "";

  @Option(names = "--dry-run", description = "Only say whether it could be removed.")
  private boolean isDryRun;

  @Mixin private JsonOption json = new JsonOption();

  RulesRemoveCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    AdminPath path = AdminPath.of("rules").entry("<name>", name).dryRun(isDryRun);
    AdminAnswer answer = server.ask(AdminCall.delete(path));
    Json.Members removed = answer.object();
    if (isDryRun) {
      requireDryRun(removed);
    }
    if (json.isGiven()) {
      printJson(answer);
    } else if (isDryRun) {
      out()
          .println(
              "dry run: rule %s could be removed; the policy would be %s"
                  .formatted(PlainText.of(name), PlainText.of(removed.get("policy"))));
    } else {
      out().println("removed rule " + PlainText.of(name));
    }
  }
}
