package dev.weir.testkit;

import dev.weir.Algorithm;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Period;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.time.ZoneId;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Random limits: mostly small and handy ones, some at the edge of what a limit may be. */
final class RandomLimits {

  private static final long[] PERMITS = {
    1, 2, 3, 5, 7, 10, 40, 60, 97, 100, 1_000, 1_000_000, 1_000_000_000, 1_000_000_000_000L
  };

  private static final Duration[] PERIODS = {
    Duration.ofMillis(1),
    Duration.ofMillis(7),
    Duration.ofMillis(100),
    Duration.ofSeconds(1),
    Duration.ofSeconds(10),
    Duration.ofMinutes(1),
    Duration.ofHours(1),
    Duration.ofDays(1),
    Duration.ofDays(30),
    Duration.ofDays(366)
  };

  /**
   * Among them half-hour summer time, a day that was left out, months of summer time around the
   * year and clocks that are put back one minute after midnight.
   */
  private static final ZoneId[] ZONES =
      Stream.of(
              "UTC",
              "Europe/Berlin",
              "Australia/Lord_Howe",
              "Pacific/Apia",
              "America/St_Johns",
              "America/New_York",
              "Africa/Casablanca",
              "Asia/Kathmandu")
          .map(ZoneId::of)
          .toArray(ZoneId[]::new);

  private final SplittableRandom random;

  RandomLimits(SplittableRandom random) {
    this.random = random;
  }

  /** A limit of that algorithm. */
  Limit next(Algorithm algorithm) {
    while (true) {
      try {
        return build(algorithm, permits(), period());
      } catch (IllegalArgumentException e) {
        // Not every combination can be counted exactly: the next one may.
      }
    }
  }

  /** The limit with another number of permits and all else kept, or another limit altogether. */
  Limit changed(Limit limit, Algorithm algorithm) {
    if (algorithm != limit.algorithm() || random.nextInt(3) == 0) {
      return next(algorithm);
    }
    while (true) {
      try {
        return withCapacity(limit, random.nextBoolean() ? permits() : near(limit.capacity()));
      } catch (IllegalArgumentException e) {
        // As above.
      }
    }
  }

  private Limit build(Algorithm algorithm, long permits, Period.Span period) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> new TokenBucket(permits, period, burst(permits));
      case FIXED_WINDOW -> fixedWindow(permits, period);
      case SLIDING_WINDOW -> new SlidingWindow(permits, period);
      case SLIDING_LOG -> new SlidingLog(permits, period);
    };
  }

  private FixedWindow fixedWindow(long permits, Period.Span period) {
    return switch (random.nextInt(3)) {
      case 0 -> new FixedWindow(permits, period, FixedWindow.Align.EPOCH);
      case 1 -> new FixedWindow(permits, period, FixedWindow.Align.FIRST_REQUEST);
      default -> new FixedWindow(permits, calendar(), FixedWindow.Align.EPOCH);
    };
  }

  private static Limit withCapacity(Limit limit, long capacity) {
    if (limit instanceof TokenBucket bucket) {
      return bucket.withBurst(capacity);
    }
    if (limit instanceof FixedWindow window) {
      return new FixedWindow(capacity, window.period(), window.align());
    }
    if (limit instanceof SlidingWindow window) {
      return new SlidingWindow(capacity, window.period());
    }
    return new SlidingLog(capacity, ((SlidingLog) limit).period());
  }

  private long permits() {
    return random.nextBoolean() ? 1L + random.nextInt(20) : PERMITS[random.nextInt(PERMITS.length)];
  }

  private long burst(long permits) {
    return random.nextBoolean() ? permits : permits();
  }

  private long near(long permits) {
    return Math.max(1, permits / 2 + random.nextLong(permits + 2));
  }

  private Period.Span period() {
    return random.nextInt(4) == 0
        ? new Period.Span(1L + random.nextInt(100_000), Period.Unit.MILLISECOND)
        : Period.Span.of(PERIODS[random.nextInt(PERIODS.length)]);
  }

  private Period.Calendar calendar() {
    Period.CalendarUnit[] units = Period.CalendarUnit.values();
    return new Period.Calendar(
        units[random.nextInt(units.length)], ZONES[random.nextInt(ZONES.length)]);
  }
}
