package dev.weir;

import java.time.Instant;
import java.util.List;

/** What the tests act on: small stores, on a clock that stands still until a test moves it. */
final class Subjects {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final Limit ONE = Limit.parse("1/h");
  static final Limit THREE = Limit.parse("3/h");
  static final Limit WIDE = Limit.parse("1000000/h");
  static final Limit WINDOW_OF_ONE = Limit.parse("1/h fixed_window");
  static final Limit LOG_OF_THREE = Limit.parse("3/h sliding_log");

  private Subjects() {}

  static MemoryCounterStore store(long maxKeys) {
    return new MemoryCounterStore(new ManualTime(START), maxKeys);
  }

  /** The way without a lock, where the limit and the cell allow it. */
  static MemoryPath path(MemoryCounterStore store, Limit limit) {
    return new MemoryPath(store, counters("", limit), List.of());
  }

  /** The short way of a request under one limit, where the cell allows it. */
  static boolean acquireAlone(MemoryCounterStore store, String key, Limit limit, long cost) {
    return store.applyNow(new Operation.Acquire(counters(key, limit), cost)).allowed();
  }

  /** The way of transactions, on which requests under several limits are. */
  static boolean acquire(MemoryCounterStore store, String key, Limit limit, long cost) {
    List<Counter> both = List.of(counters(key, limit).get(0), new Counter("wide", key, WIDE));
    return store.applyNow(new Operation.Acquire(both, cost)).allowed();
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
