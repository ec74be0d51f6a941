package dev.weir.server.metrics;

import dev.weir.policy.JsonText;
import dev.weir.policy.Outcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

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
        .putRaw("requests", outcomes(new JsonText(), decisions::count).toString())
        .putRaw("endpoints", array(decisions.busiestEndpoints(MOST_ROWS), StatsJson::endpoint))
        .put("refused_clients_since", instant(refused.sinceMicros()))
        .putRaw("refused_clients", array(refused.clients(), StatsJson::client))
        .putRaw("rules", array(decisions.busiestRules(MOST_ROWS), StatsJson::rule))
        .put("degraded", isDegraded)
        .put("backend_errors", backendErrors)
        .toString();
  }

  private static JsonText outcomes(JsonText json, Function<Outcome, Long> count) {
    for (Outcome outcome : Outcome.values()) {
      json.put(outcome.toString(), count.apply(outcome));
    }
    return json;
  }

  private static JsonText endpoint(DecisionCounts.Named endpoint) {
    return outcomes(new JsonText().put("endpoint", endpoint.name()), endpoint::count);
  }

  private static JsonText client(BusyClients.Busy client) {
    return new JsonText()
        .put("client", client.client())
        .put("refused", client.atLeast())
        .put("at_most", client.atMost());
  }

  private static JsonText rule(DecisionCounts.Named rule) {
    return new JsonText().put("rule", rule.name()).put("throttled", rule.sum());
  }

  private static <T> String array(List<T> rows, Function<T, JsonText> json) {
    return rows.stream()
        .map(row -> json.apply(row).toString())
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }
}
