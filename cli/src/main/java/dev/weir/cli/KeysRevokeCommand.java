package dev.weir.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir keys revoke}: ends an API key for good. */
@Command(
    name = "revoke",
    sortOptions = false,
    description = "End an API key for good.",
    footer = {"", "For example: weir keys revoke 6b1f0c52-3a0e-4c5e-9d59-0d6a4f2b7c11"})
final class KeysRevokeCommand extends AdminCommand {
  private static final Pattern WHOLE_KEY = Pattern.compile("wk_([^_]+)_.*", Pattern.DOTALL);

  @Parameters(
      paramLabel = "<id>",
      description = "Its id, as weir keys list shows it; of a whole key the id is taken.")
  private String id = "";

  @Mixin private JsonOption json = new JsonOption();

  KeysRevokeCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    // Who has found a key has all of it, but its secret must not get into the logs of servers.
    Matcher whole = WHOLE_KEY.matcher(id);
    String onlyId = whole.matches() ? whole.group(1) : id;
    AdminAnswer answer = server.ask(AdminCall.delete(AdminPath.of("keys").entry("<id>", onlyId)));
    if (json.isGiven()) {
      printJson(answer);
      return;
    }
    Json.Members key = answer.object();
    out()
        .println(
            "revoked key %s of user %s"
                .formatted(PlainText.of(key.get("id")), PlainText.of(key.get("user"))));
  }
}
