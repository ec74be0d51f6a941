package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrencyTest {
  private static final int THREADS = 64;
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final ManualTime time = TimeSource.manual(START);
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private RateLimiter limiter(String limit) {
    return RateLimiter.builder().time(time).limit(limit).build();
  }

  /** Runs the task on all threads at once; returns the sum of their results. */
  private int onAllThreads(IntUnaryOperator task) throws InterruptedException, ExecutionException {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Future<Integer>> results = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      results.add(
          threads.submit(
              () -> {
                await(start);
                return task.applyAsInt(thread);
              }));
    }
    int sum = 0;
    for (Future<Integer> result : results) {
      sum += result.get();
    }
    return sum;
  }

  private static void await(CyclicBarrier barrier) throws InterruptedException {
    try {
      barrier.await();
    } catch (BrokenBarrierException broken) {
      throw new AssertionError(broken);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1000/h",
        "1029/h",
        "1000/h fixed_window",
        "1000/h fixed_window align first_request",
        "1000/h sliding_window",
        "1000/h sliding_log",
      })
  @DisplayName("T32: exactly the capacity passes on one key")
  void exactlyTheCapacityPassesOnOneKey(String limit) throws Exception {
    RateLimiter limiter = limiter(limit);
    int capacity = (int) limiter.limits().get(0).capacity();
    for (int round = 0; round < 40; round++) {
      String key = "key-" + round;
      int passed =
          onAllThreads(
              thread -> {
                int mine = 0;
                for (int i = 0; i < 40; i++) {
                  mine += limiter.tryAcquire(key) ? 1 : 0;
                }
                return mine;
              });
      assertThat(passed).isEqualTo(capacity);
    }
  }

  @Test
  @DisplayName("T32: exactly the capacity passes without a key, whatever the costs")
  void exactlyTheCapacityPassesWithoutAKey() throws Exception {
    for (int round = 0; round < 40; round++) {
      RateLimiter limiter = limiter("10000/h");
      int passed =
          onAllThreads(
              thread -> {
                int mine = 0;
                for (int i = 0; i < 60; i++) {
                  mine += limiter.tryAcquire(1 + thread % 7) ? 1 + thread % 7 : 0;
                }
                while (limiter.tryAcquire()) {
                  mine++;
                }
                return mine;
              });
      assertThat(passed).isEqualTo(10_000);
    }
  }

  @Test
  @DisplayName("T32: exactly the capacity passes under several limits")
  void exactlyTheLeastCapacityPassesUnderSeveralLimits() throws Exception {
    RateLimiter limiter =
        RateLimiter.builder().time(time).limit("900/h").limit("500/d sliding_log").build();
    for (int round = 0; round < 40; round++) {
      String key = "key-" + round;
      int passed = onAllThreads(thread -> countPasses(limiter, key, 20));
      assertThat(passed).isEqualTo(500);
      assertThat(limiter.peek(key).limits())
          .extracting(LimitStatus::remaining)
          .containsExactly(400L, 0L);
    }
  }

  private static int countPasses(RateLimiter limiter, String key, int calls) {
    int passes = 0;
    for (int i = 0; i < calls; i++) {
      passes += limiter.tryAcquire(key) ? 1 : 0;
    }
    return passes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"10/h", "10/h sliding_window"})
  @DisplayName("T32: exactly the capacity passes on each of 1,000 keys")
  void exactlyTheCapacityPassesOnEachOfAThousandKeys(String limit) throws Exception {
    for (int round = 0; round < 3; round++) {
      RateLimiter limiter = limiter(limit);
      AtomicIntegerArray passed = new AtomicIntegerArray(1_000);
      onAllThreads(
          thread -> {
            for (int i = 0; i < 1_000; i++) {
              int key = (i * 7 + thread * 131) % 1_000;
              if (limiter.tryAcquire("key-" + key)) {
                passed.incrementAndGet(key);
              }
            }
            return 0;
          });
      for (int key = 0; key < 1_000; key++) {
        assertThat(passed.get(key)).as("key %d", key).isEqualTo(10);
      }
      assertThat(limiter.statistics().liveKeys()).isEqualTo(1_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2/h", "2/h fixed_window"})
  @DisplayName("T33: a key is created once, also while the table splits into ever more parts")
  void aKeyIsCreatedOnceWhileTheTableGrows(String limit) throws Exception {
    int keys = 20_000;
    RateLimiter limiter = limiter(limit);
    AtomicIntegerArray passed = new AtomicIntegerArray(keys);
    onAllThreads(
        thread -> {
          // Four threads go over the same keys in the same order.
          for (int i = 0; i < keys / 4; i++) {
            int key = (i * 4 + thread / 4) % keys;
            if (limiter.tryAcquire("key-" + key)) {
              passed.incrementAndGet(key);
            }
          }
          return 0;
        });

    // 16 groups of four threads, each for a quarter of the keys.
    for (int key = 0; key < keys; key++) {
      assertThat(passed.get(key)).as("key %d", key).isEqualTo(2);
    }
    assertThat(limiter.statistics().liveKeys()).isEqualTo(keys);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1/h", "1/h sliding_log"})
  @DisplayName("T33: a cold key is created once")
  void aColdKeyIsCreatedOnce(String limit) throws Exception {
    RateLimiter limiter = limiter(limit);
    for (int round = 0; round < 300; round++) {
      String key = "key-" + round;
      assertThat(onAllThreads(thread -> countPasses(limiter, key, 1))).isEqualTo(1);
    }
    assertThat(limiter.statistics().liveKeys()).isEqualTo(300);
  }

  @Test
  @DisplayName("T33: keys that are dropped during use gain nothing")
  void keysThatAreDroppedDuringUseGainNothing() throws Exception {
    // 12 keys for 8 places, recovering and being dropped all the time.
    RateLimiter limiter =
        RateLimiter.builder().time(time).limit("1000/s burst 5").maxKeys(8).build();
    AtomicIntegerArray passed = new AtomicIntegerArray(12);
    int steps = 1_000;
    onAllThreads(
        thread -> {
          for (int i = 0; i < 3_000; i++) {
            if (thread == 0 && i % 3 == 0) {
              time.advance(Duration.ofMillis(1));
            }
            int key = ThreadLocalRandom.current().nextInt(12);
            if (limiter.tryAcquire("key-" + key)) {
              passed.incrementAndGet(key);
            }
          }
          return 0;
        });

    for (int key = 0; key < 12; key++) {
      assertThat(passed.get(key)).as("key %d", key).isLessThanOrEqualTo(5 + steps);
    }
    assertThat(limiter.statistics().dropped()).isPositive();
    assertThat(limiter.statistics().liveKeys()).isLessThanOrEqualTo(8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("T32: on a running clock neither more nor fewer pass than the rate allows")
  void onARunningClockTheRateIsKept(boolean keyed) throws Exception {
    TimeSource system = TimeSource.system();
    // The burst covers stalls of ten seconds, so that no refill is lost for want of demand.
    RateLimiter limiter = RateLimiter.of("1000/s burst 10000");
    long before = system.nowMicros();
    AtomicLong passed = new AtomicLong(tryAcquire(limiter, keyed) ? 1 : 0);
    long begun = system.nowMicros();
    while (tryAcquire(limiter, keyed)) {
      passed.incrementAndGet();
    }
    onAllThreads(
        thread -> {
          long end = begun + 1_000_000;
          while (system.nowMicros() < end) {
            if (tryAcquire(limiter, keyed)) {
              passed.incrementAndGet();
            }
          }
          return 0;
        });
    long lastAsked = system.nowMicros();
    while (tryAcquire(limiter, keyed)) {
      passed.incrementAndGet();
      lastAsked = system.nowMicros();
    }
    long after = system.nowMicros();

    // Clocks of two threads may differ by a microsecond.
    assertThat(passed.get())
        .isBetween(10_000 + (lastAsked - begun - 2) / 1_000, 10_000 + (after - before + 2) / 1_000);
  }

  private static boolean tryAcquire(RateLimiter limiter, boolean keyed) {
    return keyed ? limiter.tryAcquire("alice") : limiter.tryAcquire();
  }
}
