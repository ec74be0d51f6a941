package dev.weir.conformance;

import java.util.HashMap;
import java.util.Map;

/** The counters of rules, by the arithmetic of the facts. */
final class ModelStats implements Stats {
  private final Map<String, Long> counters = new HashMap<>();
  private final Bug bug;

  ModelStats(Bug bug) {
    this.bug = bug;
  }

  @Override
  public synchronized Map<String, Long> counters() {
    return Map.copyOf(counters);
  }

  private synchronized void add(String rule, String name, long amount) {
    counters.merge(rule + "." + name, amount, Long::sum);
  }

  void negativeHits(String rule, long hits) {
    add(rule, "total_negative_hits", hits);
  }

  /** Only the part of the hits that lies above a threshold counts as above it. */
  void hits(String rule, long limit, long hits, long after, boolean isShadow) {
    long before = after - hits;
    long near = limit * 8 / 10;
    long over = after > limit ? after - Math.max(before, limit) : 0;
    long top = bug == Bug.NEAR_INCLUDES_OVER ? after : Math.min(after, limit);
    add(rule, "total_hits", hits);
    add(rule, "over_limit", over);
    add(rule, "near_limit", Math.max(0, top - Math.max(before, near)));
    add(rule, "within_limit", after > limit ? 0 : hits);
    add(rule, "shadow_mode", isShadow ? over : 0);
  }
}
