package dev.weir.server;

import dev.weir.Limit;
import dev.weir.policy.EffectiveRule;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Policy;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.ConfigFile;
import dev.weir.server.metrics.ServerMetrics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What happens now, and by which rules, over the admin API. None of it needs the database. */
final class AdminOverview {
  private static final int USUAL_SECONDS = 300;

  private final Gate gate;
  private final ConfigFile config;
  private final StatusService status;
  private final ServerMetrics metrics;

  AdminOverview(Gate gate, ConfigFile config, StatusService status, ServerMetrics metrics) {
    this.gate = gate;
    this.config = config;
    this.status = status;
    this.metrics = metrics;
  }

  List<Route> routes() {
    return List.of(
        AdminCall.get("live", this::live).taking("seconds"),
        AdminCall.get("stats/rules", this::rules),
        AdminCall.get("policy/effective", this::effective));
  }

  private void live(Exchange exchange) {
    int seconds = seconds(exchange.query("seconds"));
    JsonText text = new JsonText();
    metrics.putSeconds(text, seconds);
    status.putState(text);
    exchange.json(text.toString());
  }

  private static int seconds(@Nullable String text) {
    try {
      int seconds = text == null ? USUAL_SECONDS : Integer.parseInt(text);
      if (seconds >= 1 && seconds <= ServerMetrics.MOST_SECONDS) {
        return seconds;
      }
    } catch (NumberFormatException said) {
      // Below.
    }
    throw new MalformedRequestException(
        "seconds",
        "must be a whole number from 1 to %d, got \"%s\""
            .formatted(ServerMetrics.MOST_SECONDS, text));
  }

  private void rules(Exchange exchange) {
    // A policy may have very many.
    exchange.onWorker(() -> metrics.rulesJson(gate.policy()), exchange::json);
  }

  private void effective(Exchange exchange) {
    exchange.onWorker(this::effectiveJson, exchange::json);
  }

  private String effectiveJson() {
    Policy policy = gate.policy();
    String source = config.source();
    JsonText text = new JsonText().put("version", policy.version()).put("source", source);
    RuntimeException failure = config.lastFailure();
    if (failure != null) {
      text.put("problem", String.valueOf(failure.getMessage()));
    }
    text.put(
        "mistakes",
        failure instanceof ConfigException wrong
            ? wrong.mistakes().stream().map(Object::toString).toList()
            : List.of());
    AdminCall.putOrNull(text, "default_tier", policy.definition().defaultTier());
    Set<String> ofFile = namesIn(config.current().policy());
    String file = config.isBuiltIn() ? "built-in" : "file";
    return text.putObjects(
            "rules",
            policy.effectiveRules(),
            (each, rule) -> put(each, rule, ofFile.contains(rule.name()) ? file : "database"))
        .toString();
  }

  private static Set<String> namesIn(PolicyDefinition definition) {
    Set<String> names = new HashSet<>();
    Policy.compile(definition).effectiveRules().forEach(rule -> names.add(rule.name()));
    return names;
  }

  private static void put(JsonText text, EffectiveRule rule, String source) {
    text.put("rule", rule.name())
        .put("level", rule.level())
        .put("source", source)
        .put("priority", rule.priority())
        .put("enabled", rule.isEnabled())
        .put("mode", rule.mode().toString())
        .put("action", rule.action().toString())
        .put("final", rule.isFinal())
        .put("match", rule.match())
        .put("limits", rule.limits().stream().map(Limit::toString).toList())
        .put("scope", rule.scope().toString());
  }
}
