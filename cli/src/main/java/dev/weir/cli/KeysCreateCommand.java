package dev.weir.cli;

import dev.weir.policy.JsonText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code weir keys create}: makes an API key. It is alone on standard output, and nowhere else, so
 * that a script can take it.
 */
@Command(
    name = "create",
    sortOptions = false,
    description = "Make an API key and print it; it is shown this one time.",
    footer = {
      "",
      "The key is on standard output, what there is to say about it on standard error. For example:",
      "  KEY=$(weir keys create --user alice --name laptop --limit 10/s --expires 90d)"
    })
final class KeysCreateCommand extends AdminCommand {
  @Option(
      names = "--user",
      required = true,
      paramLabel = "<user>",
      description = "Whose key it is.")
  private String user = "";

  @Option(names = "--name", paramLabel = "<text>", description = "What it is for.")
  private @Nullable String name;

  @Option(
      names = "--tier",
      paramLabel = "<tier>",
      description = "Its tier; default: that of the user.")
  private @Nullable String tier;

  @Option(
      names = "--limit",
      paramLabel = "<limit>",
      description = "A limit of its own, for example 10/s; may be given several times.")
  private List<String> limits = List.of();

  @Option(
      names = "--expires",
      paramLabel = "<time>",
      description =
          "When it ends: after a duration as 90d, or at a time as 2030-01-31; default: never.")
  private @Nullable String expires;

  @Mixin private JsonOption json = new JsonOption();

  KeysCreateCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    AdminAnswer answer = server.ask(AdminCall.post(AdminPath.of("keys"), body()));
    Json.Members made = answer.object();
    String key = made.text("key");
    if (key.isEmpty()) {
      throw answer.strange("a key");
    }
    if (json.isGiven()) {
      printJson(answer);
    } else {
      out().println(PlainText.of(key));
    }
    if (out().checkError() || data().checkError()) {
      throw new InputException(
          "standard output cannot be written, so nobody has seen the key; weir keys revoke "
              + made.text("id")
              + " ends it");
    }
    if (!json.isGiven()) {
      err().println(description(made));
    }
  }

  private String body() {
    JsonText body = new JsonText().put("user", user);
    if (name != null) {
      body.put("name", name);
    }
    if (tier != null) {
      body.put("tier", tier);
    }
    if (!limits.isEmpty()) {
      body.put("limits", limits);
    }
    if (expires != null) {
      Instant now = Instant.now();
      body.put(
          "expires",
          InputException.readOption("--expires", expires, text -> Moment.parseEither(text, now))
              .toString());
    }
    return body.toString();
  }

  private static String description(Json.Members made) {
    StringBuilder text =
        new StringBuilder(
            "key %s of user %s"
                .formatted(PlainText.of(made.get("id")), PlainText.of(made.get("user"))));
    for (String part : List.of("name", "tier", "limits", "expires")) {
      String value = PlainText.of(made.get(part));
      if (!value.equals(PlainText.NOTHING)) {
        text.append(", ").append(part).append(' ').append(value);
      }
    }
    return text.append("; it is not shown again").toString();
  }
}
