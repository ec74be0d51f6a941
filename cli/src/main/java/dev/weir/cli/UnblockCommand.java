package dev.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir unblock}: ends a block. */
@Command(
    name = "unblock",
    sortOptions = false,
    description = "End the block of a client.",
    footer = {"", "For example: weir unblock user:alice"})
final class UnblockCommand extends AdminCommand {
  @Parameters(paramLabel = "<client>", description = "As it was blocked, for example user:alice.")
  private String client = "";

  @Mixin private JsonOption json = new JsonOption();

  UnblockCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    AdminAnswer answer =
        server.ask(AdminCall.delete(AdminPath.of("blocks").entry("<client>", client)));
    if (json.isGiven()) {
      printJson(answer);
    } else {
      out().println("unblocked " + PlainText.of(answer.object().get("client")));
    }
  }
}
