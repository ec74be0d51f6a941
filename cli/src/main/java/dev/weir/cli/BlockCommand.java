package dev.weir.cli;

import dev.weir.policy.JsonText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir block}: refuses all requests of a client. */
@Command(
    name = "block",
    sortOptions = false,
    description = "Refuse all requests of a client, whatever the rules say.",
    footer = {
      "",
      "For example:",
      "  weir block user:alice --reason \"pays no bills\"",
      "  weir block ip:203.0.113.0/24 --for 1h"
    })
final class BlockCommand extends AdminCommand {
  @Parameters(
      paramLabel = "<client>",
      description = "user:<id>, key:<id>, or ip: with an address or a range.")
  private String client = "";

  @Option(names = "--reason", paramLabel = "<text>", description = "Why, for those who look at it.")
  private String reason = "";

  @Option(
      names = "--for",
      paramLabel = "<duration>",
      description = "How long, for example 30m or 7d; default: until it is unblocked.")
  private @Nullable String duration;

  @Option(
      names = "--until",
      paramLabel = "<time>",
      description = "Until when, for example 2030-01-31T12:00:00Z.")
  private @Nullable String until;

  @Mixin private JsonOption json = new JsonOption();

  BlockCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    JsonText body = new JsonText().put("client", client).put("reason", reason);
    Instant end = end();
    if (end != null) {
      body.put("until", end.toString());
    }
    AdminAnswer answer = server.ask(AdminCall.post(AdminPath.of("blocks"), body.toString()));
    if (json.isGiven()) {
      printJson(answer);
      return;
    }
    Json.Members entry = answer.object();
    out()
        .println(
            "blocked %s until %s"
                .formatted(
                    PlainText.of(entry.get("client")),
                    entry.text("until").isEmpty()
                        ? "it is unblocked"
                        : PlainText.of(entry.get("until"))));
  }

  private @Nullable Instant end() {
    if (duration != null && until != null) {
      throw wrongUsage("--for and --until cannot be given both");
    }
    Instant now = Instant.now();
    if (duration != null) {
      return InputException.readOption("--for", duration, text -> Moment.parseDuration(text, now));
    }
    return until == null
        ? null
        : InputException.readOption("--until", until, text -> Moment.parse(text, now));
  }
}
