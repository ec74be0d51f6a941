package dev.weir.cli;

import dev.weir.policy.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code weir quota set}: changes what is given, and leaves the rest. The server replaces a quota
 * as a whole, so the rest is read first, and nothing is written if it has changed since.
 */
@Command(
    name = "set",
    sortOptions = false,
    description = "Set what a user may do; what is not given stays as it is.",
    footer = {
      "",
      "\"none\" in place of a value takes it away. For example:",
      "  weir quota set alice --tier pro --daily 5000",
      "  weir quota set alice --daily none"
    })
final class QuotaSetCommand extends AdminCommand {
  private static final String NONE = "none";
  private static final String TIER = "tier";

  @Parameters(paramLabel = "<user>", description = "The user.")
  private String user = "";

  @Option(names = "--tier", paramLabel = "<tier>", description = "The user's tier.")
  private @Nullable String tier;

  @Option(names = "--hourly", paramLabel = "<n>", description = "Requests an hour.")
  private @Nullable String hourly;

  @Option(names = "--daily", paramLabel = "<n>", description = "Requests a day.")
  private @Nullable String daily;

  @Option(names = "--burst", paramLabel = "<n>", description = "Requests at once.")
  private @Nullable String burst;

  @Option(names = "--monthly", paramLabel = "<n>", description = "Requests a calendar month.")
  private @Nullable String monthly;

  @Mixin private JsonOption json = new JsonOption();

  QuotaSetCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    JsonText body = new JsonText();
    given().forEach((name, value) -> body.putRaw(name, value == null ? "null" : value));
    AdminPath path = AdminPath.of("quotas").entry("<user>", user);
    AdminAnswer answer = server.ask(AdminCall.patch(path, body.toString()));
    if (json.isGiven()) {
      printJson(answer);
    } else {
      print(Listing.of(answer.object()));
    }
  }

  /** What is to be set; null: taken away. */
  private Map<String, @Nullable String> given() {
    Map<String, @Nullable String> given = new LinkedHashMap<>();
    if (tier != null) {
      given.put(TIER, tier.equals(NONE) ? null : JsonReport.quote(tier));
    }
    putNumber(given, "hourly", hourly);
    putNumber(given, "daily", daily);
    putNumber(given, "burst", burst);
    putNumber(given, "monthly", monthly);
    if (given.isEmpty()) {
      throw wrongUsage("--tier, --hourly, --daily, --burst or --monthly must be given");
    }
    return given;
  }

  private static void putNumber(
      Map<String, @Nullable String> given, String name, @Nullable String value) {
    if (value != null) {
      given.put(
          name,
          value.equals(NONE)
              ? null
              : InputException.readOption("--" + name, value, Numbers::parse).toString());
    }
  }
}
