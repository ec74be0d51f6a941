package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.Counter;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Penalty;
import dev.weir.PenaltyCounter;
import dev.weir.Period;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Random operations of all sorts, on few keys, with limits that change now and then. */
final class Workload {
  private static final Duration[] PERIODS = {
    Duration.ofMillis(7),
    Duration.ofMillis(100),
    Duration.ofSeconds(1),
    Duration.ofMinutes(1),
    Duration.ofHours(1),
    Duration.ofDays(30)
  };

  private static final int NAMES = 4;

  /** When the clocks are put back. */
  private static final Duration LONGEST_DAY = Duration.ofHours(25);

  private final SplittableRandom random;
  private final int keys;
  private final Duration longest;
  private final List<Limit> limits = new ArrayList<>();
  private final Penalty penalty;

  /**
   * Operations.
   *
   * @param seed says which
   * @param keys how many clients there are
   * @param longest no limit and no penalty has a longer period
   */
  Workload(long seed, int keys, Duration longest) {
    this.random = new SplittableRandom(seed);
    this.keys = keys;
    this.longest = longest;
    for (Algorithm algorithm : Algorithm.values()) {
      limits.add(limit(algorithm));
    }
    this.penalty = new Penalty(Duration.ofMillis(500), 3, List.of(1, 2));
  }

  Operation next() {
    if (random.nextInt(20) == 0) {
      Algorithm[] all = Algorithm.values();
      limits.set(random.nextInt(NAMES), limit(all[random.nextInt(all.length)]));
    }
    String key = "k" + random.nextInt(keys);
    int first = random.nextInt(NAMES);
    List<Counter> counters =
        IntStream.rangeClosed(first, first + random.nextInt(NAMES))
            .map(i -> i % NAMES)
            .mapToObj(i -> new Counter("n" + i, key, limits.get(i)))
            .toList();
    List<PenaltyCounter> penalties =
        random.nextBoolean() ? List.of() : List.of(new PenaltyCounter("p", key, penalty));
    long cost = 1L + random.nextInt(3);
    return switch (random.nextInt(20)) {
      case 0 -> new Operation.Reset(counters, penalties);
      case 1, 2 -> new Operation.Peek(counters, penalties, cost);
      case 3, 4, 5 -> new Operation.Refund(counters, cost);
      default -> new Operation.Acquire(counters, penalties, cost);
    };
  }

  private Limit limit(Algorithm algorithm) {
    long permits = 1L + random.nextInt(20);
    Duration length;
    do {
      length = PERIODS[random.nextInt(PERIODS.length)];
    } while (length.compareTo(longest) > 0);
    Period.Span period = Period.Span.of(length);
    return switch (algorithm) {
      case TOKEN_BUCKET -> new TokenBucket(permits, period, permits);
      case FIXED_WINDOW -> fixedWindow(permits, period);
      case SLIDING_WINDOW -> new SlidingWindow(permits, period);
      case SLIDING_LOG -> new SlidingLog(permits, period);
    };
  }

  private FixedWindow fixedWindow(long permits, Period.Span period) {
    boolean mayBeDay = longest.compareTo(LONGEST_DAY) >= 0;
    return switch (random.nextInt(mayBeDay ? 3 : 2)) {
      case 0 -> new FixedWindow(permits, period, FixedWindow.Align.EPOCH);
      case 1 -> new FixedWindow(permits, period, FixedWindow.Align.FIRST_REQUEST);
      default ->
          new FixedWindow(
              permits,
              new Period.Calendar(Period.CalendarUnit.DAY, ZoneId.of("Europe/Berlin")),
              FixedWindow.Align.EPOCH);
    };
  }
}
