package dev.weir.server.metrics;

import dev.weir.policy.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How many requests had been decided in which way at one moment. Whatever is added up of it agrees
 * with everything else that is.
 *
 * @param rows one for each way; of one name there may be several
 */
record DecisionCounts(List<Row> rows) {
  private static final Comparator<Row> ORDER =
      Comparator.comparing(Row::endpoint)
          .thenComparing(Row::tier)
          .thenComparing(Row::outcome)
          .thenComparing(Row::rule);

  DecisionCounts {
    rows = rows.stream().sorted(ORDER).toList();
  }

  /**
   * One way.
   *
   * @param rule what throttled; empty for the other outcomes
   */
  record Row(Outcome outcome, String endpoint, String tier, String rule, long count) {}

  /** A name and how often it was decided in each way. */
  record Named(String name, Map<Outcome, Long> counts) {
    long count(Outcome outcome) {
      return counts.getOrDefault(outcome, 0L);
    }

    long sum() {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  long count(Outcome outcome) {
    return rows.stream().filter(row -> row.outcome == outcome).mapToLong(Row::count).sum();
  }

  /** Endpoints by their requests, the busiest first. */
  List<Named> busiestEndpoints(int most) {
    Map<String, Named> endpoints = new LinkedHashMap<>();
    for (Row row : rows) {
      add(endpoints, row.endpoint, row);
    }
    return top(endpoints, most);
  }

  /** Rules by the requests that they throttled, the busiest first. */
  List<Named> busiestRules(int most) {
    Map<String, Named> rules = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.outcome == Outcome.THROTTLED) {
        add(rules, row.rule, row);
      }
    }
    return top(rules, most);
  }

  private static void add(Map<String, Named> all, String name, Row row) {
    all.computeIfAbsent(name, added -> new Named(added, new EnumMap<>(Outcome.class)))
        .counts
        .merge(row.outcome, row.count, Long::sum);
  }

  private static List<Named> top(Map<String, Named> all, int most) {
    return all.values().stream()
        .sorted(Comparator.comparingLong(Named::sum).reversed().thenComparing(Named::name))
        .limit(most)
        .toList();
  }

  /** The metrics of requests and of those among them that were throttled. */
  List<Metric> metrics() {
    Map<Labels, Long> requests = new LinkedHashMap<>();
    Map<Labels, Long> throttled = new LinkedHashMap<>();
    for (Row row : rows) {
      requests.merge(
          Labels.of("decision", row.outcome.toString(), "endpoint", row.endpoint, "tier", row.tier),
          row.count,
          Long::sum);
      if (row.outcome == Outcome.THROTTLED) {
        throttled.merge(
            Labels.of("endpoint", row.endpoint, "tier", row.tier, "rule", row.rule),
            row.count,
            Long::sum);
      }
    }
    return List.of(
        counter("weir_rate_limit_requests_total", "Requests that were decided.", requests),
        counter(
            "weir_rate_limit_throttled_total",
            "Requests that were throttled, by the rule that did it.",
            throttled));
  }

  private static Metric counter(String name, String help, Map<Labels, Long> counts) {
    List<Metric.Sample> samples = new ArrayList<>();
    counts.forEach((labels, count) -> samples.add(Metric.Sample.of(count, labels)));
    return new Metric(name, help, Metric.Type.COUNTER, samples);
  }
}
