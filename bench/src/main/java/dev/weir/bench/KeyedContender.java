package dev.weir.bench;

import com.google.common.util.concurrent.RateLimiter;
import dev.weir.bench.KeyedLimiter.InCaffeine;
import dev.weir.bench.KeyedLimiter.InMap;
import dev.weir.bench.KeyedLimiter.Weir;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The contenders that keep a counter for each key.
 *
 * <p>All hold the same bucket: ten million permits, one refilled each minute. It lasts for every
 * run, and a key once touched stays live, so that nobody gets to forget keys in between. Guava has
 * no burst beyond one second; its keys get a rate they cannot use up. The keys that recover do so
 * before they come again, as those of well-behaved clients do.
 */
public enum KeyedContender {
  WEIR("Weir") {
    @Override
    KeyedLimiter open(long maxKeys) {
      return Weir.of(maxKeys, "1/m burst " + BURST);
    }
  },
  REFERENCE("ConcurrentHashMap + AtomicLong (reference)") {
    @Override
    KeyedLimiter open(long maxKeys) {
      long minute = TimeUnit.MINUTES.toNanos(1);
      Gcra rule = new Gcra(minute, minute * BURST);
      return InMap.<AtomicLong>of(Gcra::full, rule::tryAcquire);
    }
  },
  BUCKET4J("ConcurrentHashMap + Bucket4j") {
    @Override
    KeyedLimiter open(long maxKeys) {
      return InMap.of(bucket4j(), bucket -> bucket.tryConsume(1));
    }
  },
  CAFFEINE_BUCKET4J("Caffeine + Bucket4j") {
    @Override
    KeyedLimiter open(long maxKeys) {
      return InCaffeine.of(maxKeys, bucket4j(), bucket -> bucket.tryConsume(1));
    }
  },
  GUAVA("ConcurrentHashMap + Guava") {
    @Override
    KeyedLimiter open(long maxKeys) {
      return InMap.of(() -> RateLimiter.create(1e6), RateLimiter::tryAcquire);
    }
  },
  WEIR_RECOVERING("Weir, keys that recover") {
    @Override
    KeyedLimiter open(long maxKeys) {
      return Weir.of(maxKeys, "1000000/s");
    }
  },
  WEIR_THREE_LIMITS("Weir, three limits") {
    @Override
    KeyedLimiter open(long maxKeys) {
      return Weir.of(maxKeys, "1/m burst " + BURST, "2/m burst " + BURST, "3/m burst " + BURST);
    }
  },
  WEIR_FIXED_WINDOW("Weir, fixed_window") {
    @Override
    KeyedLimiter open(long maxKeys) {
      return Weir.of(maxKeys, "1000000000/h fixed_window");
    }
  },
  WEIR_SLIDING_WINDOW("Weir, sliding_window") {
    @Override
    KeyedLimiter open(long maxKeys) {
      return Weir.of(maxKeys, "1000000000/h sliding_window");
    }
  },
  WEIR_SLIDING_LOG("Weir, sliding_log") {
    @Override
    KeyedLimiter open(long maxKeys) {
      return Weir.of(maxKeys, "10000/h sliding_log");
    }
  };

  private static final long BURST = 10_000_000;

  final String title;

  KeyedContender(String title) {
    this.title = title;
  }

  /** A new limiter with room for that many keys. */
  abstract KeyedLimiter open(long maxKeys);

  /** Weir under other limits, without a peer beside it: for information. */
  boolean forInformation() {
    return compareTo(GUAVA) > 0;
  }

  private static Supplier<Bucket> bucket4j() {
    Bandwidth limit =
        Bandwidth.builder().capacity(BURST).refillGreedy(1, Duration.ofMinutes(1)).build();
    return () -> Bucket.builder().addLimit(limit).build();
  }
}
