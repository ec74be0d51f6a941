package dev.weir;

import java.time.Duration;

/**
 * How much is allowed: an algorithm, a number of permits and the period they are for.
 *
 * <p>Every limit has a text form that {@link #parse} reads and {@code toString} writes: {@code
 * 100/s}, {@code 10/60s}, {@code 100/m burst 20}, {@code 5/h sliding_log}, {@code 1000/month
 * fixed_window}. A limit that cannot be counted exactly is refused when it is built.
 */
public sealed interface Limit permits TokenBucket, FixedWindow, SlidingWindow, SlidingLog {

  /** The most permits any limit may have, and the largest burst. */
  long MAX_PERMITS = 1_000_000_000_000L;

  /** Permits per period. */
  long permits();

  /** What the permits are for. */
  Period period();

  /** The most that can be used at once: the burst of a token bucket, the permits of the others. */
  default long capacity() {
    return permits();
  }

  /** How this limit counts. */
  Algorithm algorithm();

  /**
   * Reads a limit text, {@code <permits>/<period> [burst <n>] [<algorithm>] [align <start>] [zone
   * <zone>]}.
   *
   * @throws IllegalArgumentException naming the wrong part and showing a right one
   */
  static Limit parse(String text) {
    return LimitText.parse(text);
  }

  /**
   * A token bucket that holds {@code permits} and refills them continuously over {@code period}.
   */
  static TokenBucket tokenBucket(long permits, Duration period) {
    return new TokenBucket(permits, Period.Span.of(period), permits);
  }

  /** At most {@code permits} in each window of length {@code period}, counted from the epoch. */
  static FixedWindow fixedWindow(long permits, Duration period) {
    return new FixedWindow(permits, Period.Span.of(period), FixedWindow.Align.EPOCH);
  }

  /** At most about {@code permits} in any stretch of {@code period}, from two counters. */
  static SlidingWindow slidingWindow(long permits, Duration period) {
    return new SlidingWindow(permits, Period.Span.of(period));
  }

  /** At most {@code permits} in any stretch of {@code period}, exactly. */
  static SlidingLog slidingLog(long permits, Duration period) {
    return new SlidingLog(permits, Period.Span.of(period));
  }

  /** A token bucket of {@code permits} a second. */
  static TokenBucket perSecond(long permits) {
    return new TokenBucket(permits, new Period.Span(1, Period.Unit.SECOND), permits);
  }

  /** A token bucket of {@code permits} a minute. */
  static TokenBucket perMinute(long permits) {
    return new TokenBucket(permits, new Period.Span(1, Period.Unit.MINUTE), permits);
  }

  /** A token bucket of {@code permits} an hour. */
  static TokenBucket perHour(long permits) {
    return new TokenBucket(permits, new Period.Span(1, Period.Unit.HOUR), permits);
  }

  /** A token bucket of {@code permits} a day. */
  static TokenBucket perDay(long permits) {
    return new TokenBucket(permits, new Period.Span(1, Period.Unit.DAY), permits);
  }
}
