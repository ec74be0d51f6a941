package dev.weir.server.metrics;

import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many requests rules in shadow mode would have refused. Bounded and thread-safe. */
final class ShadowCounts {
  static final int MOST_RULES = 500;

  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();

  /** Counts what rules in shadow mode would have done; for most requests there are none. */
  void count(List<Verdict.Shadow> shadows) {
    for (int i = 0; i < shadows.size(); i++) {
      Verdict.Shadow shadow = shadows.get(i);
      if (shadow.refuses()) {
        count(shadow.rule());
      }
    }
  }

  private void count(String rule) {
    LongAdder known = refused.get(rule);
    if (known == null) {
      // Threads that come at once may each add one more than there should be.
      String name = refused.size() < MOST_RULES ? rule : DecisionTable.OTHER;
      known = refused.computeIfAbsent(name, added -> new LongAdder());
    }
    known.increment();
  }

  Metric read() {
    List<Metric.Sample> samples = new ArrayList<>();
    new TreeMap<>(refused)
        .forEach(
            (rule, count) -> samples.add(Metric.Sample.of(count.sum(), Labels.of("rule", rule))));
    return new Metric(
        "weir_rate_limit_shadow_refused_total",
        "Requests that a rule in shadow mode would have refused.",
        Metric.Type.COUNTER,
        samples);
  }
}
