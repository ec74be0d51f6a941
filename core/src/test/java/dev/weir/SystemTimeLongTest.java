package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The system clock beside {@code nanoTime}, over more than a second. */
@Tag("long")
class SystemTimeLongTest {

  @Test
  void theSystemClockGoesOnAcrossItsChecks() {
    // One that no other thread reads, so that this one lays the anchors.
    TimeSource time = new SystemTime();
    long beforeFirst = System.nanoTime();
    long start = time.nowMicros();
    long afterFirst = System.nanoTime();
    long beforeLast = afterFirst;
    long last = start;
    // Long enough for the anchor to be laid anew at least once.
    while (beforeLast - beforeFirst < 1_100_000_000L) {
      beforeLast = System.nanoTime();
      long now = time.nowMicros();
      assertThat(now >= last).isTrue();
      last = now;
    }
    long afterLast = System.nanoTime();

    // At most 500 parts per million off, however long this thread had to pause in between.
    assertThat(last - start)
        .isBetween(
            (beforeLast - afterFirst) / 1_000 * 999 / 1_000 - 2,
            (afterLast - beforeFirst) / 1_000 * 1_001 / 1_000 + 2);
  }

  @Test
  void tasksDoNotRunTooEarly() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    long startNanos = System.nanoTime();
    TimeSource.system().runAfter(20_000, ran::countDown);

    assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(20_000_000L);
  }

  @Test
  void neverGoesBackFromOneThreadToAnother() {
    TimeSource time = new SystemTime();
    AtomicLong latest = new AtomicLong();
    long begun = System.nanoTime();
    List<CompletableFuture<Boolean>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(
          CompletableFuture.supplyAsync(
              () -> {
                boolean neverBack = true;
                // Over the first anchor's end, where all of them want to lay the next.
                while (System.nanoTime() - begun < 1_200_000_000L) {
                  long before = latest.get();
                  long now = time.nowMicros();
                  neverBack &= now >= before;
                  latest.accumulateAndGet(now, Math::max);
                }
                return neverBack;
              }));
    }

    assertThat(readers).allMatch(CompletableFuture::join);
  }
}
