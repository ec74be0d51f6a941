package dev.weir.cli;

import dev.weir.policy.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that describe a rule. What may be in them the server knows. */
final class RuleOptions {
  @Option(
      names = "--path",
      paramLabel = "<pattern>",
      description = "Holds for such paths, for example /api/**; may be given several times.")
  private List<String> paths = List.of();

  @Option(names = "--method", paramLabel = "<method>", description = "Holds for such methods.")
  private List<String> methods = List.of();

  @Option(names = "--tier", paramLabel = "<tier>", description = "Holds for clients of that tier.")
  private List<String> tiers = List.of();

  @Option(
      names = "--ip",
      paramLabel = "<range>",
      description = "Holds for such addresses, for example 10.0.0.0/8.")
  private List<String> ips = List.of();

  @Option(names = "--user", paramLabel = "<user>", description = "Holds for that user.")
  private List<String> users = List.of();

  @Option(
      names = "--limit",
      paramLabel = "<limit>",
      description = "For example 100/m or \"10/s burst 20\"; may be given several times.")
  private List<String> limits = List.of();

  @Option(names = "--algorithm", paramLabel = "<name>", description = "Of limits that name none.")
  private @Nullable String algorithm;

  @Option(names = "--burst", paramLabel = "<n>", description = "Of limits that name none.")
  private @Nullable String burst;

  @Option(
      names = "--priority",
      paramLabel = "<n>",
      description = "Higher ones come first; default: 100.")
  private @Nullable String priority;

  @Option(
      names = "--scope",
      paramLabel = "<scope>",
      description = "What is counted for: client, user, key, ip, tier or global; default: client.")
  private @Nullable String scope;

  @Option(
      names = "--action",
      paramLabel = "<action>",
      description = "throttle, block or allow; default: throttle.")
  private @Nullable String action;

  @Option(names = "--final", description = "Look at no rule behind it.")
  private boolean isFinal;

  @Option(names = "--shadow", description = "Count, but never refuse.")
  private boolean isShadow;

  @Option(
      names = "--status",
      paramLabel = "<n>",
      description = "The status of its refusals; default: 429.")
  private @Nullable String status;

  @Option(names = "--message", paramLabel = "<text>", description = "What its refusals say.")
  private @Nullable String message;

  /** Whether one of them is given. */
  boolean isAnyGiven() {
    return !json("").equals(new RuleOptions().json(""));
  }

  /** The rule, as the server takes it. */
  String json(String name) {
    JsonText rule = new JsonText().put("name", name);
    putNumber(rule, "priority", priority);
    rule.putObject(
        "match",
        match -> {
          put(match, "path", paths);
          put(match, "method", methods);
          put(match, "tier", tiers);
          put(match, "ip", ips);
          put(match, "user", users);
        });
    if (!limits.isEmpty()) {
      rule.put("limits", limits);
    }
    put(rule, "algorithm", algorithm);
    putNumber(rule, "burst", burst);
    put(rule, "scope", scope);
    put(rule, "action", action);
    if (isFinal) {
      rule.put("final", true);
    }
    if (isShadow) {
      rule.put("mode", "shadow");
    }
    if (status != null || message != null) {
      rule.putObject(
          "response",
          response -> {
            putNumber(response, "status", status);
            put(response, "message", message);
          });
    }
    return rule.toString();
  }

  private static void put(JsonText text, String name, List<String> values) {
    if (!values.isEmpty()) {
      text.put(name, values);
    }
  }

  private static void put(JsonText text, String name, @Nullable String value) {
    if (value != null) {
      text.put(name, value);
    }
  }

  private static void putNumber(JsonText text, String name, @Nullable String value) {
    if (value != null) {
      String option = "--" + name;
      long number = InputException.readOption(option, value, Numbers::parse);
      text.put(name, number);
    }
  }
}
