package dev.weir;

import java.time.Instant;
import java.util.List;

/** What the tests act on: small stores, on a clock that stands still until a test moves it. */
final class Subjects {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final Limit ONE = Limit.parse("1/h");
  static final Limit THREE = Limit.parse("3/h");
  static final Limit LOG_OF_THREE = Limit.parse("3/h sliding_log");

  private Subjects() {}

  static MemoryCounterStore store(long maxKeys) {
    return new MemoryCounterStore(new ManualTime(START), maxKeys);
  }

  /** The way without a lock, where the limit and the cell allow it. */
  static MemoryPath path(MemoryCounterStore store, Limit limit) {
    return new MemoryPath(store, counters("", limit), List.of());
  }

  /** The way of transactions. */
  static boolean acquire(MemoryCounterStore store, String key, Limit limit, long cost) {
    return store.applyNow(new Operation.Acquire(counters(key, limit), cost)).allowed();
  }

  static void refund(MemoryCounterStore store, String key, Limit limit, long cost) {
    store.applyNow(new Operation.Refund(counters(key, limit), cost));
  }

  static long remaining(MemoryCounterStore store, String key, Limit limit) {
    return store.applyNow(new Operation.Peek(counters(key, limit), 0)).remaining();
  }

  private static List<Counter> counters(String key, Limit limit) {
    return List.of(new Counter("name", key, limit));
  }
}
