package dev.weir.server.envoy;

import dev.weir.policy.FailureMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the service has done so far, under the names of envoyproxy/ratelimit. Outlives the
 * configurations whose rules it counts for. Thread-safe.
 *
 * <p>What a request brings along becomes part of a key only where a rule asks for it, and only for
 * the first {@value #MOST_VALUES} such keys: beyond, hits are counted for the rule as a whole.
 */
public final class EnvoyStats {
  static final int MOST_VALUES = 1_000;

  /**
   * What became of the hits on one rule.
   *
   * @param key {@code domain.key_value.key}
   * @param totalHits all of them
   * @param overLimit those above the limit
   * @param nearLimit those above four fifths of the limit that are not above it
   * @param withinLimit those of requests that were not above the limit
   * @param shadowMode those above the limit that passed since the rule is in shadow mode
   * @param totalNegativeHits those that were given back
   */
  public record RuleCounts(
      String key,
      long totalHits,
      long overLimit,
      long nearLimit,
      long withinLimit,
      long shadowMode,
      long totalNegativeHits) {}

  /**
   * All statistics.
   *
   * @param rules in the order of their keys
   * @param noMatch descriptors for which there was no rule
   * @param globalShadowMode requests over a limit that passed since the service is in shadow mode
   * @param serviceErrors requests that were refused since something was wrong with them
   * @param failedOpen decisions that let pass since counters could not be reached
   * @param failedClosed requests that failed since counters could not be reached
   * @param failedLocal decisions by local counters since others could not be reached
   * @param configLoadSuccess configurations that took effect
   * @param configLoadError configurations that were wrong
   */
  public record Snapshot(
      List<RuleCounts> rules,
      long noMatch,
      long globalShadowMode,
      long serviceErrors,
      long failedOpen,
      long failedClosed,
      long failedLocal,
      long configLoadSuccess,
      long configLoadError) {
    public Snapshot {
      rules = List.copyOf(rules);
    }
  }

  private final Map<String, RuleStats> rules = new ConcurrentHashMap<>();
  private final AtomicInteger valuesLeft = new AtomicInteger(MOST_VALUES);
  private final LongAdder noMatch = new LongAdder();
  private final LongAdder globalShadowMode = new LongAdder();
  private final LongAdder serviceErrors = new LongAdder();
  private final LongAdder failedOpen = new LongAdder();
  private final LongAdder failedClosed = new LongAdder();
  private final LongAdder failedLocal = new LongAdder();
  private final LongAdder configLoadSuccess = new LongAdder();
  private final LongAdder configLoadError = new LongAdder();

  /** Statistics that start at zero. */
  public EnvoyStats() {}

  /** Those of a rule of the configuration. */
  RuleStats ofRule(String key) {
    return rules.computeIfAbsent(key, RuleStats::new);
  }

  /** Those of a rule and of what a request brought along; those of the rule if there are many. */
  RuleStats ofValues(String key, RuleStats rule) {
    RuleStats known = rules.get(key);
    if (known != null) {
      return known;
    }
    if (valuesLeft.get() <= 0 || valuesLeft.getAndDecrement() <= 0) {
      return rule;
    }
    RuleStats fresh = new RuleStats(key);
    RuleStats first = rules.putIfAbsent(key, fresh);
    if (first == null) {
      return fresh;
    }
    valuesLeft.incrementAndGet();
    return first;
  }

  void countNoMatch() {
    noMatch.increment();
  }

  void countGlobalShadowMode() {
    globalShadowMode.increment();
  }

  void countServiceError() {
    serviceErrors.increment();
  }

  void countFailure(FailureMode mode) {
    switch (mode) {
      case OPEN -> failedOpen.increment();
      case CLOSED -> failedClosed.increment();
      case LOCAL -> failedLocal.increment();
    }
  }

  void countConfigLoad(boolean isRight) {
    (isRight ? configLoadSuccess : configLoadError).increment();
  }

  /** All of it, as it is now. */
  public Snapshot snapshot() {
    List<RuleCounts> counts = new ArrayList<>();
    for (RuleStats stats : rules.values()) {
      counts.add(stats.counts());
    }
    counts.sort(Comparator.comparing(RuleCounts::key));
    return new Snapshot(
        counts,
        noMatch.sum(),
        globalShadowMode.sum(),
        serviceErrors.sum(),
        failedOpen.sum(),
        failedClosed.sum(),
        failedLocal.sum(),
        configLoadSuccess.sum(),
        configLoadError.sum());
  }
}
