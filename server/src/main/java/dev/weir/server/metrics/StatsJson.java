package dev.weir.server.metrics;

import dev.weir.policy.JsonText;
import dev.weir.policy.Outcome;
import dev.weir.policy.Policy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;

/** What an administrator sees at a glance, as JSON. */
final class StatsJson {
  private static final int MOST_ROWS = 20;

  private StatsJson() {}

  static String of(
      long sinceMicros,
      DecisionCounts decisions,
      BusyClients busy,
      boolean isDegraded,
      long backendErrors) {
    BusyClients.Top refused = busy.top(MOST_ROWS);
    return new JsonText()
        .put("since", instant(sinceMicros))
        .putObject("requests", text -> putOutcomes(text, decisions::count))
        .putObjects("endpoints", decisions.busiestEndpoints(MOST_ROWS), StatsJson::putEndpoint)
        .put("refused_clients_since", instant(refused.sinceMicros()))
        .putObjects("refused_clients", refused.clients(), StatsJson::putClient)
        .putObjects("rules", decisions.busiestRules(MOST_ROWS), StatsJson::putRule)
        .put("degraded", isDegraded)
        .put("backend_errors", backendErrors)
        .toString();
  }

  /** Each rule of the policy, also those that had no say yet, and what it has done. */
  static String ofRules(long sinceMicros, Policy policy, RuleCounts counts) {
    return new JsonText()
        .put("since", instant(sinceMicros))
        .putObjects("rules", counts.read(policy), StatsJson::putCounts)
        .toString();
  }

  private static void putCounts(JsonText text, RuleCounts.Row row) {
    text.put("rule", row.rule())
        .put("matched", row.matched())
        .put("throttled", row.throttled())
        .put("shadow_refused", row.shadowRefused());
  }

  private static void putOutcomes(JsonText text, Function<Outcome, Long> count) {
    for (Outcome outcome : Outcome.values()) {
      text.put(outcome.toString(), count.apply(outcome));
    }
  }

  private static void putEndpoint(JsonText text, DecisionCounts.Named endpoint) {
    putOutcomes(text.put("endpoint", endpoint.name()), endpoint::count);
  }

  private static void putClient(JsonText text, BusyClients.Busy client) {
    text.put("client", client.client())
        .put("refused", client.atLeast())
        .put("at_most", client.atMost());
  }

  private static void putRule(JsonText text, DecisionCounts.Named rule) {
    text.put("rule", rule.name()).put("throttled", rule.sum());
  }

  private static String instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }
}
