package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * A bucket of {@code burst} permits, full at first, refilled continuously and exactly at {@code
 * permits} per {@code period}.
 *
 * @param permits refilled per period, from 1 to {@link Limit#MAX_PERMITS}
 * @param period the time in which {@code permits} are refilled
 * @param burst what the bucket holds, from 1 to {@link Limit#MAX_PERMITS}
 */
public record TokenBucket(long permits, Period.Span period, long burst) implements Limit {

  /** The longest time an empty bucket may take to fill. */
  private static final Duration LONGEST_FILL = Duration.ofDays(36_600);

  public TokenBucket {
    Objects.requireNonNull(period, "period");
    Limits.requirePermits("permits", permits);
    Limits.requirePermits("burst", burst);
    Rate rate = Rate.of(permits, period.micros());
    if (Exact.multiply(burst, rate.wholeMicros()) > LONGEST_FILL.toMillis() * 1_000) {
      throw new IllegalArgumentException(
          "burst must fill within 36600d, got burst %d refilled at %d/%s"
              .formatted(burst, permits, period));
    }
    if (Exact.multiply(burst, rate.restTicks()) >= Limits.EXACT_INTEGERS) {
      throw new IllegalArgumentException(
          ("permits and burst must be small or round enough to be counted exactly (2^53 ticks), got"
                  + " %d/%s burst %d; write rounder permits or a smaller burst, for example"
                  + " 1000000/s")
              .formatted(permits, period, burst));
    }
  }

  /** The same refill with another capacity. */
  public TokenBucket withBurst(long burst) {
    return new TokenBucket(permits, period, burst);
  }

  @Override
  public long capacity() {
    return burst;
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.TOKEN_BUCKET;
  }

  @Override
  public String toString() {
    return permits + "/" + period + (burst == permits ? "" : " burst " + burst);
  }
}
