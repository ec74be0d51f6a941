package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class SlidingLogMeterTest {
  private static final long LENGTH = 10_000_000;
  private static final long NOW = Micros.of(Instant.parse("2026-03-01T10:00:07Z"));

  private final Meter meter = meter("10/10s sliding_log");
  private final Cells cells = Cells.wide(3, 3, true);
  private final int at = cells.state(cells.stride);

  private static Meter meter(String limit) {
    return Meter.of(Limit.parse(limit));
  }

  private void assertLog(long... numbers) {
    assertThat(Log.size(cells, at)).isEqualTo(numbers.length);
    long sum = 0;
    for (int i = 0; i < numbers.length; i++) {
      assertThat(Log.get(cells, at, i)).as("number %d", i).isEqualTo(numbers[i]);
      sum += i % 2 == 1 ? numbers[i] : 0;
    }
    assertThat(cells.words[at + Log.WORDS]).isEqualTo(sum);
  }

  @Test
  void countsEachChargeForOneLength() {
    assertThat(meter.words()).isEqualTo(3);
    assertThat(meter.keepsLog()).isTrue();
    assertThat(meter.used(cells, at, NOW)).isZero();
    assertThat(meter.freeAt(cells, at, NOW, 0)).isEqualTo(NOW);
    meter.charge(cells, at, NOW, 3);
    meter.charge(cells, at, NOW + 5, 4);

    assertLog(NOW, 3, NOW + 5, 4);
    assertThat(meter.used(cells, at, NOW + 5)).isEqualTo(7);
    assertThat(meter.isUsedAtMost(cells, at, NOW + 5, 7)).isTrue();
    assertThat(meter.isUsedAtMost(cells, at, NOW + 5, 6)).isFalse();
    assertThat(meter.used(cells, at, NOW + LENGTH - 1)).isEqualTo(7);
    assertThat(meter.used(cells, at, NOW + LENGTH)).isEqualTo(4);
    assertThat(meter.used(cells, at, NOW + LENGTH + 5)).isZero();
  }

  @Test
  void knowsWhenItIsFree() {
    meter.charge(cells, at, NOW, 3);
    meter.charge(cells, at, NOW + 5, 4);
    long now = NOW + 6;

    assertThat(meter.freeAt(cells, at, now, 7)).isEqualTo(now);
    assertThat(meter.freeAt(cells, at, now, 6)).isEqualTo(NOW + LENGTH);
    assertThat(meter.freeAt(cells, at, now, 4)).isEqualTo(NOW + LENGTH);
    assertThat(meter.freeAt(cells, at, now, 3)).isEqualTo(NOW + 5 + LENGTH);
    assertThat(meter.freeAt(cells, at, now, 0)).isEqualTo(NOW + 5 + LENGTH);
    assertThat(meter.freeAt(cells, at, NOW + 3 * LENGTH, 0)).isEqualTo(NOW + 3 * LENGTH);
    assertThat(meter.forgettableAt(cells, at, now)).isEqualTo(NOW + 5 + LENGTH);
  }

  @Test
  void chargesOfOneInstantAreOnePair() {
    meter.charge(cells, at, NOW, 1);
    meter.charge(cells, at, NOW + 5, 3);
    meter.charge(cells, at, NOW + 5, 4);

    assertLog(NOW, 1, NOW + 5, 7);
  }

  @Test
  void chargingForgetsWhatNoLongerCounts() {
    meter.charge(cells, at, NOW, 1);
    meter.charge(cells, at, NOW + 5, 2);
    meter.charge(cells, at, NOW + 9, 3);
    meter.charge(cells, at, NOW + LENGTH + 5, 4);

    assertLog(NOW + 9, 3, NOW + LENGTH + 5, 4);
  }

  @Test
  void refundsTheNewestFirst() {
    meter.charge(cells, at, NOW, 3);
    meter.charge(cells, at, NOW + 5, 4);
    meter.refund(cells, at, NOW + 6, 1);
    assertLog(NOW, 3, NOW + 5, 3);
    meter.refund(cells, at, NOW + 6, 3);
    assertLog(NOW, 3);
    meter.charge(cells, at, NOW + 7, 2);
    meter.refund(cells, at, NOW + 7, 4);
    assertLog(NOW, 1);
    meter.refund(cells, at, NOW + 7, Long.MAX_VALUE);
    assertLog();
  }

  @Test
  void refundsNothingThatNoLongerCounts() {
    meter.charge(cells, at, NOW, 3);
    meter.charge(cells, at, NOW + 5, 4);
    meter.refund(cells, at, NOW + LENGTH, 2);

    assertLog(NOW + 5, 2);
  }

  @Test
  void chargesFromTheFutureCountFromNow() {
    meter.charge(cells, at, NOW, 1);
    meter.charge(cells, at, NOW + 100, 2);
    meter.charge(cells, at, NOW + 200, 3);
    long then = NOW + 50;

    assertThat(meter.isFromTheFuture(cells, at, NOW + 200)).isFalse();
    assertThat(meter.isFromTheFuture(cells, at, NOW + 199)).isTrue();
    assertThat(meter.used(cells, at, then)).isEqualTo(6);
    assertThat(meter.freeAt(cells, at, then, 5)).isEqualTo(NOW + LENGTH);
    assertThat(meter.freeAt(cells, at, then, 0)).isEqualTo(then + LENGTH);
    meter.settle(cells, at, NOW + 200);
    assertLog(NOW, 1, NOW + 100, 2, NOW + 200, 3);
    meter.settle(cells, at, then);
    assertLog(NOW, 1, then, 2, then, 3);
  }

  @Test
  void chargesAndRefundsSettleFirst() {
    meter.charge(cells, at, NOW, 1);
    meter.charge(cells, at, NOW - 100, 2);
    assertLog(NOW - 100, 3);
    meter.charge(cells, at, NOW, 1);
    meter.refund(cells, at, NOW - 200, 2);
    assertLog(NOW - 200, 2);
  }

  @Test
  void keepsManyChargesInOrder() {
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 10; i++) {
        meter.charge(cells, at, NOW + round * LENGTH + i, 1);
      }
    }

    assertThat(meter.used(cells, at, NOW + 4 * LENGTH + 9)).isEqualTo(10);
    assertThat(meter.freeAt(cells, at, NOW + 4 * LENGTH + 9, 4)).isEqualTo(NOW + 5 * LENGTH + 5);
  }

  @Test
  void metersAreTheSameWithEqualLength() {
    assertThat(meter.sameAs(meter("99/10s sliding_log"))).isTrue();
    assertThat(meter.sameAs(meter("10/11s sliding_log"))).isFalse();
    assertThat(meter.sameAs(meter("10/10s sliding_window"))).isFalse();
    assertThat(meter.windowMicros(NOW)).isEqualTo(LENGTH);
  }

  @Test
  void takesOverOneCharge() {
    Meter window = meter("10/m fixed_window");
    window.charge(cells, at, NOW, 4);
    meter.takeOver(window, cells, at, NOW + 1, 2);

    assertLog(NOW + 1, 6);
  }

  @Test
  void leavesNoLogBehind() {
    Meter window = meter("10/m fixed_window");
    meter.charge(cells, at, NOW, 4);
    window.takeOver(meter, cells, at, NOW + 1, 2);

    assertThat(window.used(cells, at, NOW + 1)).isEqualTo(6);
    assertThat(cells.log(at)).isEmpty();
    assertThat(cells.words[at + 2]).isZero();
  }

  @Test
  void findsWhenItIsFreeFromBothEnds() {
    for (int i = 0; i < 10; i++) {
      meter.charge(cells, at, NOW + i, 1 + i % 3);
    }
    long now = NOW + 9;
    // 1 2 3 1 2 3 1 2 3 1
    assertThat(meter.used(cells, at, now)).isEqualTo(19);
    long[] free = {9, 8, 8, 8, 7, 7, 6, 5, 5, 5, 4, 4, 3, 2, 2, 2, 1, 1, 0};
    for (int x = 0; x < free.length; x++) {
      assertThat(meter.freeAt(cells, at, now, x)).as("%d", x).isEqualTo(NOW + free[x] + LENGTH);
    }
    assertThat(meter.freeAt(cells, at, now, 19)).isEqualTo(now);
    // Three are gone and still in the log.
    long later = NOW + LENGTH + 2;
    assertThat(meter.used(cells, at, later)).isEqualTo(13);
    assertThat(meter.freeAt(cells, at, later, 13)).isEqualTo(later);
    assertThat(meter.freeAt(cells, at, later, 12)).isEqualTo(NOW + 3 + LENGTH);
    assertThat(meter.freeAt(cells, at, later, 0)).isEqualTo(NOW + 9 + LENGTH);
  }
}
