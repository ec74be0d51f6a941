package dev.weir.bench;

import com.google.gson.Gson;
import dev.weir.MemoryStatistics;
import dev.weir.RateLimiter;
import java.util.SplittableRandom;

/**
 * A flood of distinct keys against a limiter that may hold a million, in a JVM with a small heap of
 * its own.
 *
 * <p>The calm figure comes from a limiter with a million live keys that are asked for uniformly and
 * never refused. Then a new limiter meets one key, the victim of its own greed, that uses up its
 * whole burst, and after it the flood. The victim keeps asking for its whole burst, which a limiter
 * grants only if it has forgotten the victim. Both phases make their key strings, of equal length,
 * inside the timed loop.
 */
final class KeyFlood {

  private static final int MAX_KEYS = 1_000_000;
  private static final int CALM_CALLS = 20_000_000;
  private static final int PROBE_EVERY = 100_000;
  private static final String VICTIM = "victim";

  /** Under which limit the keys come. */
  enum Kind {
    /** Every key stays live for hours: there is never room for a new one. */
    LIVE("100/d", 100),
    /** A key that asked once has recovered a millisecond later: room is made all the time. */
    RECOVERING("1000/s burst 1000000", 1_000_000);

    final String limit;
    final long burst;

    Kind(String limit, long burst) {
      this.limit = limit;
      this.burst = burst;
    }
  }

  /** What was measured; rates are calls per second. */
  record Result(
      Kind kind,
      long keys,
      double calmRate,
      double floodRate,
      double slowestFloodRate,
      long probes,
      long probesRefused,
      long liveKeys,
      long dropped,
      long overflowed,
      boolean outOfMemory) {}

  private final Kind kind;
  private double slowest = Double.MAX_VALUE;
  private long probes;
  private long probesRefused;

  private KeyFlood(Kind kind) {
    this.kind = kind;
  }

  public static void main(String[] args) {
    KeyFlood flood = new KeyFlood(Kind.valueOf(args[0]));
    System.out.println(new Gson().toJson(flood.run(Long.parseLong(args[1]))));
  }

  private Result run(long keys) {
    double calmRate = calm();
    RateLimiter limiter = limiter();
    requireAllowed(limiter.tryAcquire(VICTIM, kind.burst));
    double floodRate = 0;
    boolean outOfMemory = false;
    try {
      floodRate = flood(limiter, keys);
    } catch (OutOfMemoryError e) {
      outOfMemory = true;
    }
    MemoryStatistics statistics = limiter.statistics();
    return new Result(
        kind,
        keys,
        calmRate,
        floodRate,
        slowest,
        probes,
        probesRefused,
        statistics.liveKeys(),
        statistics.dropped(),
        statistics.overflowed(),
        outOfMemory);
  }

  /** Calls per second on keys that are all there, each used enough not to be forgotten. */
  private double calm() {
    RateLimiter limiter = limiter();
    for (int i = 0; i < MAX_KEYS; i++) {
      requireAllowed(limiter.tryAcquire(key(i), kind.burst / 10));
    }
    uniform(limiter, CALM_CALLS / 4);
    long start = System.nanoTime();
    uniform(limiter, CALM_CALLS);
    return rate(CALM_CALLS, start);
  }

  private static void uniform(RateLimiter limiter, int calls) {
    SplittableRandom random = new SplittableRandom(calls);
    for (int i = 0; i < calls; i++) {
      requireAllowed(limiter.tryAcquire(key(random.nextInt(MAX_KEYS))));
    }
  }

  /** Calls per second on keys that were never there before; probes the victim in between. */
  private double flood(RateLimiter limiter, long keys) {
    long start = System.nanoTime();
    long sliceStart = start;
    for (long i = 1; i <= keys; i++) {
      limiter.tryAcquire(key(i));
      if (i % PROBE_EVERY == 0) {
        probes++;
        if (!limiter.tryAcquire(VICTIM, kind.burst)) {
          probesRefused++;
        }
        slowest = Math.min(slowest, rate(PROBE_EVERY, sliceStart));
        sliceStart = System.nanoTime();
      }
    }
    return rate(keys, start);
  }

  private RateLimiter limiter() {
    return RateLimiter.builder().limit(kind.limit).maxKeys(MAX_KEYS).build();
  }

  private static String key(long number) {
    return "user:" + (1_000_000_000L + number);
  }

  private static double rate(long calls, long startNanos) {
    return calls * 1e9 / (System.nanoTime() - startNanos);
  }

  private static void requireAllowed(boolean allowed) {
    if (!allowed) {
      throw new IllegalStateException("expected the request to be allowed");
    }
  }
}
