package dev.weir;

import java.time.Instant;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** A limiter on a clock that stands still, so that every answer can be compared as a whole. */
class RateLimiterLincheckTest extends LincheckTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String[] KEYS = {"", "a", "b"};

  // Parsed once: what is built in a scenario is built anew for each of its interleavings.
  private static final Limit LIMIT = Limit.parse("3/h");

  @Test
  void modelChecksOneLimit() {
    modelCheck(OneLimit.class);
  }

  @Test
  void stressesOneLimit() {
    stress(OneLimit.class);
  }

  private static RateLimiter limiter() {
    return RateLimiter.builder().limit(LIMIT).time(new ManualTime(START)).build();
  }

  /** Charges by compare-and-set beside transactions, on two keys. */
  @Param(name = "key", gen = IntGen.class, conf = "1:2")
  @Param(name = "cost", gen = IntGen.class, conf = "1:3")
  public static class OneLimit {
    private final RateLimiter limiter = limiter();

    @Operation
    public boolean tryAcquire(@Param(name = "key") int key, @Param(name = "cost") int cost) {
      return limiter.tryAcquire(KEYS[key], cost);
    }

    @Operation
    public Decision acquire(@Param(name = "key") int key, @Param(name = "cost") int cost) {
      return limiter.acquire(KEYS[key], cost);
    }

    @Operation
    public Decision refund(@Param(name = "key") int key) {
      return limiter.refund(KEYS[key], 1);
    }

    @Operation
    public Decision peek(@Param(name = "key") int key) {
      return limiter.peek(KEYS[key]);
    }

    @Operation
    public Decision reset(@Param(name = "key") int key) {
      return limiter.reset(KEYS[key]);
    }
  }
}
