package dev.weir.bench;

import com.google.gson.Gson;
import java.lang.management.ManagementFactory;

/**
 * The heap that one contender takes for each live key, everything counted: what is in use after
 * collection with the keys, less what was in use without them. Runs in a JVM of its own.
 *
 * <p>Key strings are made on the fly, so they count exactly for those contenders that keep them.
 */
final class MemoryPerKey {
  private MemoryPerKey() {}

  /** Room for more keys than are ever asked for: tables have to grow to their size. */
  static final long MAX_KEYS = 10_000_000;

  /** What was measured. */
  record Result(KeyedContender contender, long keys, double bytesPerKey) {}

  public static void main(String[] args) {
    KeyedContender contender = KeyedContender.valueOf(args[0]);
    long keys = Long.parseLong(args[1]);
    long before = usedHeap();
    KeyedLimiter limiter = contender.open(MAX_KEYS);
    for (long i = 0; i < keys; i++) {
      if (!limiter.tryAcquire("user:" + i)) {
        throw new IllegalStateException("expected every request to be allowed");
      }
    }
    long used = usedHeap() - before;
    long live = limiter.liveKeys();
    if (live != keys) {
      throw new IllegalStateException("expected %d live keys, got %d".formatted(keys, live));
    }
    System.out.println(new Gson().toJson(new Result(contender, keys, used / (double) live)));
  }

  /** The least of several collections: the first ones may leave floating garbage. */
  static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
