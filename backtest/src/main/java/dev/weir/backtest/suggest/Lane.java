package dev.weir.backtest.suggest;

import dev.weir.Limit;
import dev.weir.MemoryCounterStore;
import dev.weir.MemoryStatistics;
import dev.weir.RateLimiter;
import java.util.List;

/**
 * One kind of limit and one window: a limiter for each rung, on a clock and counters that no other
 * lane has.
 */
final class Lane {
  private final int number;
  private final Shape shape;
  private final Window window;
  private final LaneClock clock = new LaneClock();
  private final MemoryCounterStore store;
  private final RateLimiter[] limiters;

  Lane(int number, Shape shape, Window window, long mostKeys) {
    this.number = number;
    this.shape = shape;
    this.window = window;
    this.store = MemoryCounterStore.compact(clock, mostKeys);
    this.limiters = new RateLimiter[shape.rungs(window)];
    for (int rung = 0; rung < limiters.length; rung++) {
      Limit limit = limit(rung);
      limiters[rung] =
          RateLimiter.builder().name(limit.toString()).limit(limit).store(store).build();
    }
  }

  /** Its place among all lanes. */
  int number() {
    return number;
  }

  Shape shape() {
    return shape;
  }

  Window window() {
    return window;
  }

  int rungs() {
    return limiters.length;
  }

  Limit limit(int rung) {
    return shape.limit(window.permits(rung), window);
  }

  MemoryStatistics statistics() {
    return store.statistics();
  }

  /** Puts requests to its rungs, one after the other, and notes which refuse them. */
  void run(List<Trial> trials) {
    for (Trial trial : trials) {
      clock.set(trial.atMicros());
      int to = Math.min(trial.to(), limiters.length);
      long refusing = refusing(trial.from(), to, trial.client().key(), trial.cost());
      if (refusing != 0) {
        trial.client().addRefusing(number, refusing);
        trial.sample().sums().add(number, refusing);
      }
      if (isLongestLog()) {
        int passed = Math.max(0, to - trial.from()) - Long.bitCount(refusing);
        trial.sample().load().addEntries(trial.atMicros(), passed);
      }
    }
  }

  /** Those that refuse it, as bits. */
  private long refusing(int from, int to, String key, long cost) {
    long refusing = 0;
    for (int rung = from; rung < to; rung++) {
      if (!limiters[rung].tryAcquire(key, cost)) {
        refusing |= 1L << rung;
      }
    }
    return refusing;
  }

  /** Whether it keeps requests, and for longer than any other. */
  private boolean isLongestLog() {
    return shape == Shape.SLIDING_LOG && window == Window.HOUR;
  }

  /** Frees the counters of a client on so many rungs. */
  void forget(String key, int to) {
    int end = Math.min(to, limiters.length);
    for (int rung = 0; rung < end; rung++) {
      limiters[rung].reset(key);
    }
  }
}
