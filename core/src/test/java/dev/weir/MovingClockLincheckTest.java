package dev.weir;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Counters that recover, and make way for others, while the clock moves.
 *
 * <p>An operation reads the clock when it starts and may come to its cell when the clock has moved
 * on, so only verdicts are compared. A step is as long as all permits take to come back: after a
 * shorter one, such a late operation may be refused by the instant that it has read, which never
 * lets too much through.
 */
class MovingClockLincheckTest extends LincheckTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String[] KEYS = {"", "a", "b", "c"};
  private static final Limit LIMIT = Limit.parse("2/h");
  private static final Limit WINDOW = Limit.parse("2/h fixed_window");

  @Test
  void modelChecksEviction() {
    modelCheck(Eviction.class);
  }

  @Test
  void stressesEviction() {
    stress(Eviction.class);
  }

  @Test
  void modelChecksEvictionOfWindows() {
    modelCheck(EvictionOfWindows.class);
  }

  @Test
  void stressesEvictionOfWindows() {
    stress(EvictionOfWindows.class);
  }

  @Test
  void modelChecksAMovingClock() {
    modelCheck(MovingClock.class);
  }

  @Test
  void stressesAMovingClock() {
    stress(MovingClock.class);
  }

  /** The late one has read the clock, but not come to its cell, when that is made new. */
  @Test
  void modelChecksALateChargeBesideAReset() {
    Class<?> subject = MovingClock.class;
    modelCheck(
        subject,
        200,
        scenario(
            List.of(call(subject, "tryAcquire", 2)),
            List.of(call(subject, "tryAcquire", 2)),
            List.of(
                call(subject, "advance"), call(subject, "tryAcquire", 2), call(subject, "reset")),
            List.of(call(subject, "tryAcquire", 2))));
  }

  /** The same when the key is dropped, and then gets a cell again. */
  @Test
  void modelChecksALateChargeBesideEviction() {
    Class<?> subject = Eviction.class;
    modelCheck(
        subject,
        300,
        scenario(
            List.of(call(subject, "tryAcquire", 1), call(subject, "tryAcquire", 2)),
            List.of(call(subject, "tryAcquire", 1)),
            List.of(
                call(subject, "advance"),
                call(subject, "tryAcquire", 3),
                call(subject, "tryAcquire", 1)),
            List.of(call(subject, "tryAcquire", 1))));
  }

  /** One key. */
  @Param(name = "cost", gen = IntGen.class, conf = "1:2")
  public static class MovingClock {
    private final ManualTime time = new ManualTime(START);
    private final RateLimiter limiter = RateLimiter.builder().limit(LIMIT).time(time).build();

    @Operation
    public boolean tryAcquire(@Param(name = "cost") int cost) {
      return limiter.tryAcquire("a", cost);
    }

    @Operation
    public boolean acquire(@Param(name = "cost") int cost) {
      return limiter.acquire("a", cost).allowed();
    }

    @Operation
    public void refund(@Param(name = "cost") int cost) {
      limiter.refund("a", cost);
    }

    @Operation
    public void reset() {
      limiter.reset("a");
    }

    @Operation(nonParallelGroup = "clock")
    public void advance() {
      time.advance(Duration.ofHours(1));
    }
  }

  /** Three keys and two places, which a step of the clock frees. */
  @Param(name = "key", gen = IntGen.class, conf = "1:3")
  public static class Eviction {
    private final ManualTime time = new ManualTime(START);
    private final RateLimiter limiter =
        RateLimiter.builder().limit(LIMIT).time(time).maxKeys(2).build();

    @Operation
    public boolean tryAcquire(@Param(name = "key") int key) {
      return limiter.tryAcquire(KEYS[key], 2);
    }

    @Operation
    public boolean acquire(@Param(name = "key") int key) {
      return limiter.acquire(KEYS[key], 1).allowed();
    }

    @Operation(nonParallelGroup = "clock")
    public void advance() {
      time.advance(Duration.ofHours(1));
    }
  }

  /** The same with a state of several words, which is always locked. */
  @Param(name = "key", gen = IntGen.class, conf = "1:3")
  public static class EvictionOfWindows {
    private final ManualTime time = new ManualTime(START);
    private final RateLimiter limiter =
        RateLimiter.builder().limit(WINDOW).time(time).maxKeys(2).build();

    @Operation
    public boolean tryAcquire(@Param(name = "key") int key) {
      return limiter.tryAcquire(KEYS[key], 2);
    }

    @Operation
    public boolean acquire(@Param(name = "key") int key) {
      return limiter.acquire(KEYS[key], 1).allowed();
    }

    @Operation(nonParallelGroup = "clock")
    public void advance() {
      time.advance(Duration.ofHours(1));
    }
  }
}
