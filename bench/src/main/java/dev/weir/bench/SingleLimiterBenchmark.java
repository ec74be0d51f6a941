package dev.weir.bench;

import com.google.common.util.concurrent.RateLimiter;
import dev.weir.TimeSource;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.github.resilience4j.ratelimiter.internal.SemaphoreBasedRateLimiter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One limiter, shared by all threads: a billion permits a second, which nobody can use up
 * (allowed), or a single permit a year that is gone (refused).
 *
 * <p>Each contender is a state of its own, so that a fork loads nothing of the others and starts
 * none of their threads. After each fork the contender is asked once more whether it still answers
 * as the path says.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m"})
public class SingleLimiterBenchmark {

  private static final int PER_SECOND = 1_000_000_000;
  private static final Duration YEAR = Duration.ofDays(365);

  /** Which answer is measured. */
  public enum Path {
    ALLOWED,
    REFUSED
  }

  @Benchmark
  public long nanoTime() {
    return System.nanoTime();
  }

  @Benchmark
  public boolean reference(Reference state) {
    return state.rule.tryAcquire(state.fullAt);
  }

  @Benchmark
  public boolean weirSystem(WeirSystem state) {
    return state.limiter.tryAcquire();
  }

  @Benchmark
  public boolean weirCoarse(WeirCoarse state) {
    return state.limiter.tryAcquire();
  }

  @Benchmark
  public boolean bucket4j(Bucket4j state) {
    return state.bucket.tryConsume(1);
  }

  @Benchmark
  public boolean guava(Guava state) {
    return state.limiter.tryAcquire();
  }

  @Benchmark
  public boolean resilience4jAtomic(Resilience4jAtomic state) {
    return state.limiter.acquirePermission();
  }

  @Benchmark
  public boolean resilience4jSemaphore(Resilience4jSemaphore state) {
    return state.limiter.acquirePermission();
  }

  /** What the contenders share: the path, and a check that it is the one taken. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init")
  public abstract static class Contender {
    @Param public Path path;
    private BooleanSupplier call;

    abstract BooleanSupplier open(boolean allowed);

    @Setup
    public void setUp() {
      call = open(path == Path.ALLOWED);
      while (path == Path.REFUSED && call.getAsBoolean()) {
        Thread.onSpinWait();
      }
      check();
    }

    @TearDown
    public void check() {
      if (call.getAsBoolean() != (path == Path.ALLOWED)) {
        throw new IllegalStateException("expected a request to be " + path);
      }
    }
  }

  /** See {@link Gcra}. */
  @SuppressWarnings("NullAway.Init")
  public static class Reference extends Contender {
    private final AtomicLong fullAt = Gcra.full();
    private Gcra rule;

    @Override
    BooleanSupplier open(boolean allowed) {
      rule = allowed ? Gcra.perSecond(PER_SECOND) : Gcra.perYear();
      return () -> rule.tryAcquire(fullAt);
    }
  }

  /** Weir as it comes. */
  @SuppressWarnings("NullAway.Init")
  public static class WeirSystem extends Contender {
    private dev.weir.RateLimiter limiter;

    @Override
    BooleanSupplier open(boolean allowed) {
      limiter = dev.weir.RateLimiter.of(weirLimit(allowed));
      return limiter::tryAcquire;
    }
  }

  /** Weir on the clock that a background thread keeps. */
  @SuppressWarnings("NullAway.Init")
  public static class WeirCoarse extends Contender {
    private dev.weir.RateLimiter limiter;

    @Override
    BooleanSupplier open(boolean allowed) {
      limiter =
          dev.weir.RateLimiter.builder()
              .limit(weirLimit(allowed))
              .time(TimeSource.coarse())
              .build();
      return limiter::tryAcquire;
    }
  }

  /** Bucket4j's local bucket with its default clock and lock-free synchronisation. */
  @SuppressWarnings("NullAway.Init")
  public static class Bucket4j extends Contender {
    private Bucket bucket;

    @Override
    BooleanSupplier open(boolean allowed) {
      long permits = allowed ? PER_SECOND : 1;
      Duration period = allowed ? Duration.ofSeconds(1) : YEAR;
      bucket =
          Bucket.builder()
              .addLimit(limit -> limit.capacity(permits).refillGreedy(permits, period))
              .build();
      return () -> bucket.tryConsume(1);
    }
  }

  /** Guava's smooth bursty limiter. */
  @SuppressWarnings("NullAway.Init")
  public static class Guava extends Contender {
    private RateLimiter limiter;

    @Override
    BooleanSupplier open(boolean allowed) {
      limiter = RateLimiter.create(allowed ? PER_SECOND : 1.0 / YEAR.toSeconds());
      return limiter::tryAcquire;
    }
  }

  /** Resilience4j's default limiter, which does not wait for permits. */
  @SuppressWarnings("NullAway.Init")
  public static class Resilience4jAtomic extends Contender {
    private AtomicRateLimiter limiter;

    @Override
    BooleanSupplier open(boolean allowed) {
      limiter = new AtomicRateLimiter("bench", resilience4jConfig(allowed));
      return limiter::acquirePermission;
    }
  }

  /** Resilience4j's limiter that reads no clock: a thread of its own refills a semaphore. */
  @SuppressWarnings("NullAway.Init")
  public static class Resilience4jSemaphore extends Contender {
    private SemaphoreBasedRateLimiter limiter;

    @Override
    BooleanSupplier open(boolean allowed) {
      limiter = new SemaphoreBasedRateLimiter("bench", resilience4jConfig(allowed));
      return limiter::acquirePermission;
    }
  }

  private static String weirLimit(boolean allowed) {
    return allowed ? PER_SECOND + "/s" : "1/365d";
  }

  private static RateLimiterConfig resilience4jConfig(boolean allowed) {
    return RateLimiterConfig.custom()
        .limitForPeriod(allowed ? PER_SECOND : 1)
        .limitRefreshPeriod(allowed ? Duration.ofSeconds(1) : YEAR)
        .timeoutDuration(Duration.ZERO)
        .build();
  }
}
