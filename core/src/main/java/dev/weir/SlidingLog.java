package dev.weir;

import java.util.Objects;

/**
 * At most {@code permits} in any window of the period, exactly; remembers each request of the last
 * period.
 *
 * @param permits per window, from 1 to {@value #MAX_PERMITS}
 * @param period the length of the window
 */
public record SlidingLog(long permits, Period.Span period) implements Limit {

  /** The most permits a log may have, which bounds its memory and its work. */
  public static final long MAX_PERMITS = 10_000;

  public SlidingLog {
    Objects.requireNonNull(period, "period");
    if (permits < 1 || permits > MAX_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be between 1 and %d for sliding_log, got %d"
              .formatted(MAX_PERMITS, permits));
    }
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.SLIDING_LOG;
  }

  @Override
  public String toString() {
    return permits + "/" + period + " " + algorithm();
  }
}
