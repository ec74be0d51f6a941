package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code tryAcquire} allocates nothing, whatever the limits and the answer. */
class AllocationTest {
  private static final int CALLS = 100_000;

  /** What the measuring itself may take; less than a hundredth of a byte per call. */
  private static final long NOISE_BYTES = 900;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final long[] now = {1_800_000_000_000_000L};
  private final String[] keys = new String[1_000];

  AllocationTest() {
    for (int i = 0; i < keys.length; i++) {
      keys[i] = "key-" + i;
    }
  }

  private static void assertAllocatesNothing(BooleanSupplier call, boolean allowed) {
    for (int i = 0; i < 20_000; i++) {
      boolean unused = call.getAsBoolean();
    }
    long least = Long.MAX_VALUE;
    // The best of three, since a compiler's or a profiler's upcall may fall into one of them.
    for (int attempt = 0; attempt < 3; attempt++) {
      int asExpected = 0;
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        asExpected += call.getAsBoolean() == allowed ? 1 : 0;
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
      assertThat(asExpected).isEqualTo(CALLS);
    }
    assertThat(least).as("bytes of %d calls", CALLS).isLessThan(NOISE_BYTES);
  }

  private RateLimiter limiter(String limits) {
    RateLimiter.Builder builder = RateLimiter.builder().time(() -> now[0]);
    for (String limit : limits.split(", ", -1)) {
      builder.limit(limit);
    }
    return builder.build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100/s",
        "1027/s",
        "100/s fixed_window",
        "100/s fixed_window align first_request",
        "1000000000/month fixed_window zone Europe/Berlin",
        "100/s sliding_window",
        "100/s sliding_log",
        "100/s, 200/s sliding_log, 1000000000/month fixed_window",
      })
  void anAllowedRequestAllocatesNothing(String limits) {
    RateLimiter keyed = limiter(limits);
    RateLimiter alone = limiter(limits);
    int[] next = {0};
    assertAllocatesNothing(
        () -> {
          now[0] += 20;
          next[0] = (next[0] + 1) % keys.length;
          return keyed.tryAcquire(keys[next[0]]);
        },
        true);
    assertAllocatesNothing(
        () -> {
          now[0] += 20_000;
          return alone.tryAcquire();
        },
        true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1000/s",
        "1027/s",
        "100/10ms fixed_window",
        "100/10ms fixed_window align first_request",
        "100/10ms sliding_window",
        "100/10ms sliding_log",
        "1000/s, 200/10ms sliding_log",
      })
  void keysThatRecoverBeforeTheyComeAgainAllocateNothing(String limits) {
    RateLimiter limiter = limiter(limits);
    int[] next = {0};
    assertAllocatesNothing(
        () -> {
          now[0] += 100;
          next[0] = (next[0] + 1) % keys.length;
          return limiter.tryAcquire(keys[next[0]]);
        },
        true);
    assertThat(limiter.statistics().dropped()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100/h",
        "1029/h burst 1029",
        "100/h fixed_window",
        "100/h fixed_window align first_request",
        "100/month fixed_window zone Europe/Berlin",
        "100/h sliding_window",
        "100/h sliding_log",
        "100/s, 1000/m sliding_log, 100/month fixed_window",
      })
  void aRefusedRequestAllocatesNothing(String limits) {
    RateLimiter limiter = limiter(limits);
    long capacity = limiter.limits().get(0).capacity();
    limiter.tryAcquire(capacity);
    limiter.tryAcquire("alice", capacity);

    assertAllocatesNothing(() -> limiter.tryAcquire("alice"), false);
    assertAllocatesNothing(() -> limiter.tryAcquire(), false);
    assertAllocatesNothing(() -> limiter.tryAcquire("alice", capacity + 1), false);
  }
}
