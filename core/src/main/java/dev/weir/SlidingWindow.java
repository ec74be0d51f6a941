package dev.weir;

import java.util.Objects;

/**
 * At most {@code permits} by a weighted estimate: the count of the current epoch-aligned window
 * plus the share of the previous one that a window ending now still covers.
 *
 * @param permits per window, from 1 to {@link Limit#MAX_PERMITS}
 * @param period the length of the window
 */
public record SlidingWindow(long permits, Period.Span period) implements Limit {
  public SlidingWindow {
    Objects.requireNonNull(period, "period");
    Limits.requirePermits("permits", permits);
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.SLIDING_WINDOW;
  }

  @Override
  public String toString() {
    return permits + "/" + period + " " + algorithm();
  }
}
