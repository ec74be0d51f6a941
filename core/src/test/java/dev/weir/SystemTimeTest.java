package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.SystemTime.Anchor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemTimeTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long START = Micros.of(Instant.parse("2026-03-01T00:00:00Z"));

  /** Any origin: nanoTime may be negative and may overflow. */
  private static final long NANOS = Long.MAX_VALUE - 5;

  private final Anchor first = Anchor.first(NANOS, START);

  @Test
  void countsWholeMicrosFromTheFirstAnchor() {
    assertThat(first.nanos()).isEqualTo(NANOS);
    assertThat(first.microsAfter(0)).isEqualTo(START);
    assertThat(first.microsAfter(999)).isEqualTo(START);
    assertThat(first.microsAfter(1_000)).isEqualTo(START + 1);
    assertThat(first.microsAfter(1_999)).isEqualTo(START + 1);
    assertThat(first.microsAfter(SECOND_NANOS)).isEqualTo(START + 1_000_000);
    assertThat(first.microsAfter(Duration.ofDays(1).toNanos())).isEqualTo(START + 86_400_000_000L);
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000_000L, -50_000, -7, 0, 1, 2_000, 3_600_000_000L})
  void theNextAnchorLiesOnTheLine(long wallOffset) {
    long elapsed = 1_234_567_891;
    Anchor next = first.next(elapsed, first.microsAfter(elapsed) + wallOffset);

    assertThat(next.nanos()).isEqualTo(NANOS + elapsed);
    assertThat(next.micros()).isEqualTo(first.microsAfter(elapsed));
    assertThat(next.microsAfter(0)).isEqualTo(first.microsAfter(elapsed));
  }

  @Test
  void aClockThatAgreesKeepsItsPace() {
    Anchor next = first.next(SECOND_NANOS, START + 1_000_000);

    assertThat(next.scale()).isEqualTo(Anchor.TRUE_SCALE);
  }

  @ParameterizedTest
  @ValueSource(longs = {50_000, 100_000, 3_600_000_000L, 400L * 365 * 86_400_000_000L})
  void neverTiltsByMoreThan500PartsPerMillion(long offset) {
    long here = START + 1_000_000;
    Anchor ahead = first.next(SECOND_NANOS, here + offset);
    Anchor behind = first.next(SECOND_NANOS, here - offset);

    assertThat(ahead.microsAfter(SECOND_NANOS) - here).isBetween(1_000_499L, 1_000_500L);
    assertThat(behind.microsAfter(SECOND_NANOS) - here).isBetween(999_500L, 999_501L);
  }

  @Test
  void tiltsInProportionToSmallOffsets() {
    long here = START + 1_000_000;

    assertThat(first.next(SECOND_NANOS, here + 10_000).microsAfter(SECOND_NANOS) - here)
        .isCloseTo(1_000_100, within(1L));
    assertThat(first.next(SECOND_NANOS, here - 10_000).microsAfter(SECOND_NANOS) - here)
        .isCloseTo(999_900, within(1L));
  }

  @ParameterizedTest
  @ValueSource(longs = {-30_000_000, -20_000, 20_000, 30_000_000})
  void comesToTheWallClockAndNeverGoesBack(long offset) {
    Anchor anchor = first;
    long nanos = 0;
    long last = START;
    // 30 s at 500 ppm take 60,000 s, and what is left then fades by 1 % a second.
    for (int second = 1; second <= 62_000; second++) {
      nanos += SECOND_NANOS;
      anchor = anchor.next(SECOND_NANOS, START + offset + nanos / 1_000);
      assertThat(anchor.micros()).isGreaterThan(last);
      last = anchor.micros();
    }

    assertThat(anchor.micros()).isCloseTo(START + offset + nanos / 1_000, within(200L));
  }

  @Test
  void theSystemClockIsNearTheWallClock() {
    long wall = Micros.of(Instant.now());

    assertThat(TimeSource.system().nowMicros()).isCloseTo(wall, within(5_000_000L));
  }

  @Test
  void theFirstReaderAfterASecondLaysTheNextAnchor() {
    for (long ageNanos : new long[] {0, SECOND_NANOS, 3_600 * SECOND_NANOS}) {
      TimeSource time = new SystemTime(ageNanos);
      long wall = Micros.of(Instant.now());

      long now = time.nowMicros();
      assertThat(now).isCloseTo(wall, within(5_000_000L));
      assertThat(time.nowMicros()).isGreaterThanOrEqualTo(now);
    }
  }

  @Test
  void tasksRunLaterOnAnotherThread() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    Thread caller = Thread.currentThread();
    Thread[] runner = {caller};
    TimeSource.system()
        .runAfter(
            20_000,
            () -> {
              runner[0] = Thread.currentThread();
              ran.countDown();
            });

    assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(runner[0]).isNotSameAs(caller);
  }

  @Test
  void doesNotRunAwayWhileNobodyReadsIt() {
    long here = START + 1_000_000;
    Anchor tilted = first.next(SECOND_NANOS, here + 50_000);
    long day = 86_400_000_000L;

    assertThat(tilted.microsAfter(day * 1_000) - here).isBetween(day + 499, day + 500);
    assertThat(tilted.microsAfter(SECOND_NANOS + 1_000) - tilted.microsAfter(SECOND_NANOS))
        .isBetween(0L, 1L);
  }

  @Test
  void neverGoesBackWhileSeveralThreadsLayTheNextAnchor() {
    for (int round = 0; round < 1_000; round++) {
      // All of them want to lay the next anchor.
      TimeSource time = new SystemTime(2 * SECOND_NANOS);
      AtomicLong latest = new AtomicLong();
      List<CompletableFuture<Boolean>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(CompletableFuture.supplyAsync(() -> neverGoesBack(time, latest)));
      }
      assertThat(readers).allMatch(CompletableFuture::join);
    }
  }

  private static boolean neverGoesBack(TimeSource time, AtomicLong latest) {
    boolean neverBack = true;
    for (int i = 0; i < 20; i++) {
      long before = latest.get();
      long now = time.nowMicros();
      neverBack &= now >= before;
      latest.accumulateAndGet(now, Math::max);
    }
    return neverBack;
  }
}
