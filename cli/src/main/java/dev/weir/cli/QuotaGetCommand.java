package dev.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir quota get}: what a user may do, and has done. */
@Command(
    name = "get",
    sortOptions = false,
    description = "Show what a user may do and has done.",
    footer = {"", "For example: weir quota get alice"})
final class QuotaGetCommand extends AdminCommand {
  @Parameters(paramLabel = "<user>", description = "The user.")
  private String user = "";

  @Mixin private JsonOption json = new JsonOption();

  QuotaGetCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    AdminAnswer answer = server.ask(AdminCall.get(AdminPath.of("quotas").entry("<user>", user)));
    if (json.isGiven()) {
      printJson(answer);
    } else {
      print(Listing.of(answer.object()));
    }
  }
}
