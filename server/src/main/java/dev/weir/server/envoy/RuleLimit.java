package dev.weir.server.envoy;

import dev.weir.Algorithm;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Period;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a rule, at least 1, and how it is counted: by the store, which then charges nothing
 * for a refusal; or as envoyproxy/ratelimit does, where the count goes on above the limit. For the
 * latter the store counts in a window without bound, and the count is compared with the limit here.
 *
 * @param own the limit as it reads
 * @param counting what the store is given for a descriptor on its own
 * @param countsOn whether the count goes on above the limit
 */
record RuleLimit(Limit own, Limit counting, boolean countsOn) {

  /** Counted as envoyproxy/ratelimit does. */
  static RuleLimit countingOn(long permits, Period.Span span) {
    return new RuleLimit(
        window(permits, span), window(Limit.MAX_PERMITS, span), /* countsOn= */ true);
  }

  /**
   * Counted by the store.
   *
   * @param burst only for a token bucket, and there the permits if absent
   * @throws IllegalArgumentException if there is no such limit, naming what is wrong
   */
  static RuleLimit by(Algorithm algorithm, long permits, Period.Span span, @Nullable Long burst) {
    Limit limit =
        switch (algorithm) {
          case TOKEN_BUCKET -> new TokenBucket(permits, span, burst == null ? permits : burst);
          case FIXED_WINDOW -> window(permits, span);
          case SLIDING_WINDOW -> new SlidingWindow(permits, span);
          case SLIDING_LOG -> new SlidingLog(permits, span);
        };
    return new RuleLimit(limit, limit, /* countsOn= */ false);
  }

  private static FixedWindow window(long permits, Period.Span span) {
    return new FixedWindow(permits, span, FixedWindow.Align.EPOCH);
  }

  /** The most that can be used at once. */
  long capacity() {
    return own.capacity();
  }

  private Period.Span span() {
    // Rules are never about a calendar.
    return (Period.Span) own.period();
  }

  /** What each of that many instances grants while it counts alone, rounded up. */
  RuleLimit dividedBy(int nodes) {
    long permits = share(own.permits(), nodes);
    if (countsOn) {
      return new RuleLimit(window(permits, span()), counting, /* countsOn= */ true);
    }
    return by(
        own.algorithm(),
        permits,
        span(),
        own instanceof TokenBucket bucket ? share(bucket.burst(), nodes) : null);
  }

  private static long share(long permits, int nodes) {
    return -Math.floorDiv(-permits, nodes);
  }
}
