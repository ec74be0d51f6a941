package dev.weir.cli;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Period;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.math.BigInteger;
import java.time.ZoneOffset;
import java.util.Locale;

/** One sentence on how a limit counts and what it can let through at most. */
final class Explanation {
  private Explanation() {}

  static String of(Limit limit, long lengthMicros) {
    String how = limit.algorithm() + ": ";
    if (limit instanceof TokenBucket bucket) {
      return how + of(bucket, lengthMicros);
    }
    if (limit instanceof FixedWindow window) {
      return how + of(window);
    }
    if (limit instanceof SlidingWindow window) {
      return how
          + "the count of the current window plus the share of the previous one still in view is at most %s; fewer than %s pass in any %s, about %d when requests come evenly."
              .formatted(
                  permits(limit.permits()),
                  permits(2 * limit.permits()),
                  length(window.period()),
                  limit.permits());
    }
    if (limit instanceof SlidingLog log) {
      return how
          + "every passed request counts for exactly %s; at most %s pass in any %s."
              .formatted(length(log.period()), permits(limit.permits()), length(log.period()));
    }
    return how + limit;
  }

  private static String of(TokenBucket bucket, long lengthMicros) {
    BigInteger refilled =
        BigInteger.valueOf(bucket.permits())
            .multiply(BigInteger.valueOf(lengthMicros))
            .divide(BigInteger.valueOf(bucket.period().micros()));
    return "a bucket of %s, full at first and refilled evenly at %d/%s; at most %d + %d = %s permits pass in any %s."
        .formatted(
            permits(bucket.burst()),
            bucket.permits(),
            bucket.period(),
            bucket.burst(),
            refilled,
            refilled.add(BigInteger.valueOf(bucket.burst())),
            TimeText.format(lengthMicros));
  }

  private static String of(FixedWindow window) {
    String permits = permits(window.permits());
    long twice = 2 * window.permits();
    if (window.period() instanceof Period.Calendar calendar) {
      return "at most %s in each calendar %s (%s); around the turn of two of them up to %d can pass in a short time."
          .formatted(
              permits,
              calendar.unit().name().toLowerCase(Locale.ROOT),
              calendar.zone().equals(ZoneOffset.UTC) ? "UTC" : calendar.zone(),
              twice);
    }
    String length = length(window.period());
    String start =
        window.align() == FixedWindow.Align.EPOCH
            ? "on the clock"
            : "that starts with the first request after the one before";
    return "at most %s in each window of %s %s; around the border of two windows up to %d can pass within %s."
        .formatted(permits, length, start, twice, length);
  }

  private static String permits(long permits) {
    return permits == 1 ? "1 permit" : permits + " permits";
  }

  private static String length(Period period) {
    return period instanceof Period.Span span ? TimeText.format(span.micros()) : period.toString();
  }
}
