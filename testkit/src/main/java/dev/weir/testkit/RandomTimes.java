package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Period;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Random clocks: mostly standing or moving a little, often to the very microsecond at which
 * something happens or one beside it, now and then far ahead or back.
 */
final class RandomTimes {

  private static final long HOUR = Duration.ofHours(1).toMillis() * 1_000;

  /** Starts worth a look: the ends of time, leap days, days of other length, a day left out. */
  private static final Instant[] STARTS = {
    Instant.EPOCH,
    Instant.parse("2009-10-31T20:00:00Z"),
    Instant.parse("2011-12-29T20:00:00Z"),
    Instant.parse("2024-02-28T23:59:59Z"),
    Instant.parse("2026-03-28T20:00:00Z"),
    Instant.parse("2026-04-04T12:00:00Z"),
    Instant.parse("2026-10-24T21:00:00Z"),
    Instant.parse("2026-12-31T23:59:59.999999Z")
  };

  private final SplittableRandom random;
  private final long last;

  RandomTimes(SplittableRandom random, Instant last) {
    this.random = random;
    this.last = EpochMicros.of(last);
  }

  long start() {
    return switch (random.nextInt(3)) {
      case 0 -> {
        int index = random.nextInt(STARTS.length + 1);
        yield index < STARTS.length ? EpochMicros.of(STARTS[index]) : last - 24 * HOUR;
      }
      case 1 -> random.nextLong(last);
      default -> EpochMicros.of(STARTS[4]) + random.nextLong(365 * 24 * HOUR);
    };
  }

  /** The time of the next step. */
  long next(long now, Limit limit, Optional<Decision> before) {
    return Math.min(last, Math.max(0, now + step(now, limit, before)));
  }

  private long step(long now, Limit limit, Optional<Decision> before) {
    long period = period(limit);
    int roll = random.nextInt(1_000);
    if (roll < 400) {
      return 0;
    }
    if (roll < 450) {
      return 1;
    }
    if (roll < 600) {
      return random.nextLong(Math.max(1, 2 * period / limit.permits()) + 1);
    }
    if (roll < 700) {
      return before.map(decision -> event(decision, now)).orElse(1L) + beside();
    }
    if (roll < 780) {
      return random.nextLong(period + 1);
    }
    if (roll < 840) {
      return period - now % period + beside();
    }
    if (roll < 900) {
      return period * (1 + random.nextInt(2)) + beside();
    }
    if (roll < 910) {
      return random.nextBoolean() ? HOUR : random.nextLong(1_000 * HOUR);
    }
    return roll < 912 ? random.nextLong(last) : -back(period);
  }

  /** The wait until the last request passes, or until some limit is whole again. */
  private long event(Decision before, long now) {
    if (before.retryAfterMicros() > 0 && random.nextBoolean()) {
      return before.atMicros() + before.retryAfterMicros() - now;
    }
    return before.limits().get(random.nextInt(before.limits().size())).resetMicros() - now;
  }

  private long beside() {
    return random.nextInt(3) - 1L;
  }

  private long back(long period) {
    return switch (random.nextInt(6)) {
      case 0 -> 1;
      case 1 -> random.nextLong(1_000);
      case 2 -> HOUR;
      case 3 -> period;
      default -> random.nextLong(2 * period);
    };
  }

  private static long period(Limit limit) {
    return limit.period() instanceof Period.Span span ? span.micros() : 24 * HOUR;
  }
}
