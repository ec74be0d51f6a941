package dev.weir.cli;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir keys list}: all API keys, page by page, without their secrets. */
@Command(
    name = "list",
    sortOptions = false,
    description = "List API keys; their secrets nobody knows.",
    footer = {
      "",
      "With --json each page of the server's answer is on a line of its own. For example:",
      "  weir keys list --user alice"
    })
final class KeysListCommand extends AdminCommand {
  @Option(names = "--user", paramLabel = "<user>", description = "Only those of that user.")
  private @Nullable String user;

  @Mixin private JsonOption json = new JsonOption();

  KeysListCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    Columns columns =
        Columns.named(
            "id", "user", "name", "tier", "limits", "state", "expires", "last used", "requests");
    boolean isAny = false;
    String cursor = null;
    do {
      AdminPath path = AdminPath.of("keys").with("user", user).with("cursor", cursor);
      AdminAnswer answer = server.ask(AdminCall.get(path));
      if (json.isGiven()) {
        printJson(answer);
      }
      for (Json.Members key : answer.items()) {
        isAny = true;
        columns.add(row(key));
      }
      String next = answer.object().text("next");
      if (next.equals(cursor)) {
        throw answer.strange("a next page");
      }
      cursor = next.isEmpty() ? null : next;
    } while (cursor != null);
    if (!json.isGiven()) {
      print(isAny ? columns.lines() : List.of("no keys"));
    }
  }

  private static List<String> row(Json.Members key) {
    return List.of(
        PlainText.of(key.get("id")),
        PlainText.of(key.get("user")),
        PlainText.of(key.get("name")),
        PlainText.of(key.get("tier")),
        PlainText.of(key.get("limits")),
        state(key),
        PlainText.of(key.get("expires")),
        PlainText.of(key.get("last_used")),
        PlainText.of(key.get("total_requests")));
  }

  private static String state(Json.Members key) {
    if (!key.text("revoked_at").isEmpty()) {
      return "revoked";
    }
    if (isOver(key.text("expires"))) {
      return "expired";
    }
    return key.isTrue("active") ? "active" : "inactive";
  }

  private static boolean isOver(String time) {
    try {
      return !time.isEmpty() && !Instant.parse(time).isAfter(Instant.now());
    } catch (DateTimeParseException isNone) {
      return false;
    }
  }
}
