package dev.weir.server.metrics;

import dev.weir.policy.JsonText;
import dev.weir.policy.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What happened in each of the last seconds. It comes of samples of what is counted anyway: the
 * difference of two is what happened between them, so that nothing is asked of those who count. A
 * sample is expected soon after each full second; of one that is late, all goes to the second
 * before it. Thread-safe.
 */
final class RecentSeconds {
  /** How many seconds are remembered. */
  static final int MOST = 900;

  private static final long SECOND = 1_000_000;
  private static final int MEDIAN = 500;
  private static final int HIGH = 990;

  private final @Nullable Second[] ring = new @Nullable Second[MOST];
  private Map<Outcome, Long> totals = Map.of();
  private long[] durations = {};
  private long degradedRequests;

  /** One of them. */
  private static final class Second {
    final long number;
    final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    final long[] durations;
    boolean isDegraded;

    Second(long number, int buckets) {
      this.number = number;
      this.durations = new long[buckets];
    }

    long quantile(int permille) {
      return durations.length == 0 ? 0 : CheckDurations.quantileMicros(durations, permille);
    }
  }

  /**
   * Takes a sample.
   *
   * @param totals how many requests had each outcome until now
   * @param durations how many checks there were in each bucket until now
   * @param degradedRequests how many requests were decided without their counters until now
   * @param isDegraded whether the counters are away now
   */
  synchronized void sample(
      long nowMicros,
      Map<Outcome, Long> totals,
      long[] durations,
      long degradedRequests,
      boolean isDegraded) {
    Second second = second(Math.floorDiv(nowMicros - SECOND / 2, SECOND), durations.length);
    if (this.durations.length == 0) {
      this.durations = new long[durations.length];
    }
    totals.forEach(
        (outcome, now) -> {
          long before = this.totals.getOrDefault(outcome, 0L);
          second.outcomes.merge(outcome, now - before, Long::sum);
        });
    addDifference(second.durations, this.durations, durations);
    second.isDegraded |= isDegraded || degradedRequests > this.degradedRequests;
    this.totals = Map.copyOf(totals);
    this.durations = durations.clone();
    this.degradedRequests = degradedRequests;
  }

  private Second second(long number, int buckets) {
    int slot = Math.floorMod(number, MOST);
    Second there = ring[slot];
    if (there == null || there.number != number) {
      there = new Second(number, buckets);
      ring[slot] = there;
    }
    return there;
  }

  private static void addDifference(long[] sums, long[] before, long[] after) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += after[i] - before[i];
    }
  }

  /** Adds the columns of that many seconds, up to the last full one, the oldest first. */
  synchronized void put(JsonText text, long nowMicros, int count) {
    long first = Math.floorDiv(nowMicros, SECOND) - count;
    List<Second> seconds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Second there = ring[Math.floorMod(first + i, MOST)];
      boolean isIt = there != null && there.number == first + i;
      seconds.add(isIt ? there : new Second(first + i, 0));
    }
    text.put("from", first);
    for (Outcome outcome : Outcome.values()) {
      putColumn(text, outcome.toString(), seconds, each -> each.outcomes.getOrDefault(outcome, 0L));
    }
    putColumn(text, "p50_micros", seconds, each -> each.quantile(MEDIAN));
    putColumn(text, "p99_micros", seconds, each -> each.quantile(HIGH));
    putColumn(text, "degraded", seconds, each -> each.isDegraded ? 1 : 0);
  }

  /** What a column says of a second. */
  private interface Figure {
    long of(Second second);
  }

  private static void putColumn(JsonText text, String name, List<Second> seconds, Figure figure) {
    StringJoiner column = new StringJoiner(", ", "[", "]");
    for (Second second : seconds) {
      column.add(Long.toString(figure.of(second)));
    }
    text.putRaw(name, column.toString());
  }
}
