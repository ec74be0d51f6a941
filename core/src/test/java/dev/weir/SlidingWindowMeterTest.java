package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class SlidingWindowMeterTest {
  private static final long LENGTH = 10_000_000;
  private static final long START = Micros.of(Instant.parse("2026-03-01T10:00:00Z"));
  private static final long NEXT = START + LENGTH;

  private final Meter meter = meter("10/10s sliding_window");
  private final Cells cells = Cells.wide(3, 3, false);
  private final int at = cells.state(cells.stride);

  private static Meter meter(String limit) {
    return Meter.of(Limit.parse(limit));
  }

  private void assertState(long start, long previous, long current) {
    assertThat(cells.words[at]).isEqualTo(start);
    assertThat(cells.words[at + 1]).isEqualTo(previous);
    assertThat(cells.words[at + 2]).isEqualTo(current);
  }

  @Test
  void countsInTheWindowOfNow() {
    assertThat(meter.words()).isEqualTo(3);
    assertThat(meter.used(cells, at, START)).isZero();
    meter.charge(cells, at, START + 1, 3);
    meter.charge(cells, at, START + 2_000_000, 4);

    assertState(START, 0, 7);
    assertThat(meter.used(cells, at, NEXT - 1)).isEqualTo(7);
    assertThat(meter.isUsedAtMost(cells, at, NEXT - 1, 7)).isTrue();
    assertThat(meter.isUsedAtMost(cells, at, NEXT - 1, 6)).isFalse();
  }

  @Test
  void theWindowBeforeFades() {
    meter.charge(cells, at, START, 8);

    assertThat(meter.used(cells, at, NEXT)).isEqualTo(8);
    assertThat(meter.used(cells, at, NEXT + 1)).isEqualTo(8);
    assertThat(meter.used(cells, at, NEXT + LENGTH / 4)).isEqualTo(6);
    assertThat(meter.isUsedAtMost(cells, at, NEXT + LENGTH / 4, 6)).isTrue();
    assertThat(meter.isUsedAtMost(cells, at, NEXT + LENGTH / 4 - 1, 6)).isFalse();
    assertThat(meter.used(cells, at, NEXT + LENGTH - 1)).isEqualTo(1);
    assertThat(meter.used(cells, at, NEXT + LENGTH)).isZero();
    assertThat(meter.used(cells, at, NEXT + 5 * LENGTH)).isZero();
  }

  @Test
  void bothWindowsCountTogether() {
    meter.charge(cells, at, START, 8);
    meter.charge(cells, at, NEXT + LENGTH / 2, 3);

    assertState(NEXT, 8, 3);
    assertThat(meter.used(cells, at, NEXT + LENGTH / 2)).isEqualTo(7);
    assertThat(meter.isUsedAtMost(cells, at, NEXT + LENGTH / 2, 7)).isTrue();
    assertThat(meter.isUsedAtMost(cells, at, NEXT + LENGTH / 2, 6)).isFalse();
    assertThat(meter.isUsedAtMost(cells, at, NEXT + LENGTH / 2, 2)).isFalse();
    assertThat(meter.used(cells, at, NEXT + LENGTH)).isEqualTo(3);
  }

  @Test
  void twoWindowsLaterNothingIsLeft() {
    meter.charge(cells, at, START, 8);
    meter.charge(cells, at, NEXT + LENGTH, 1);

    assertState(NEXT + LENGTH, 0, 1);
  }

  @Test
  void knowsWhenItIsFree() {
    meter.charge(cells, at, START, 8);
    meter.charge(cells, at, NEXT, 2);
    long now = NEXT + 1;

    // 2 + 8 * (T - x) / T <= 6 from the middle on; <= 2 at the end; then 2 fades in the next.
    assertThat(meter.freeAt(cells, at, now, 10)).isEqualTo(now);
    assertThat(meter.freeAt(cells, at, now, 6)).isEqualTo(NEXT + LENGTH / 2);
    assertThat(meter.freeAt(cells, at, now, 2)).isEqualTo(NEXT + LENGTH);
    assertThat(meter.freeAt(cells, at, now, 1)).isEqualTo(NEXT + LENGTH + LENGTH / 2);
    assertThat(meter.freeAt(cells, at, now, 0)).isEqualTo(NEXT + 2 * LENGTH);
  }

  @Test
  void isFreeAtTheFirstWholeMicrosecond() {
    meter.charge(cells, at, START, 3);

    // 3 * (T - x) / T <= 2 from x = T / 3 on.
    assertThat(meter.freeAt(cells, at, NEXT, 2)).isEqualTo(NEXT + 3_333_334);
    assertThat(meter.freeAt(cells, at, NEXT, 0)).isEqualTo(NEXT + LENGTH);
    assertThat(meter.isUsedAtMost(cells, at, NEXT + 3_333_333, 2)).isFalse();
    assertThat(meter.isUsedAtMost(cells, at, NEXT + 3_333_334, 2)).isTrue();
  }

  @Test
  void refundsTheNewestFirst() {
    meter.charge(cells, at, START, 8);
    meter.charge(cells, at, NEXT, 2);
    meter.refund(cells, at, NEXT + 1, 1);
    assertState(NEXT, 8, 1);
    meter.refund(cells, at, NEXT + 1, 3);
    assertState(NEXT, 6, 0);
    meter.refund(cells, at, NEXT + 1, Long.MAX_VALUE);
    assertThat(meter.isBlank(cells, at)).isTrue();
  }

  @Test
  void aWindowFromTheFutureIsReadAsTheWindowOfNow() {
    meter.charge(cells, at, START, 8);
    meter.charge(cells, at, NEXT, 2);
    long then = START - 5 * LENGTH + LENGTH / 2;

    assertThat(meter.isFromTheFuture(cells, at, NEXT)).isFalse();
    assertThat(meter.isFromTheFuture(cells, at, NEXT - 1)).isTrue();
    assertThat(meter.used(cells, at, then)).isEqualTo(6);
    meter.settle(cells, at, NEXT);
    assertState(NEXT, 8, 2);
    meter.settle(cells, at, then);
    assertState(START - 5 * LENGTH, 8, 2);
  }

  @Test
  void largeCountsAreExact() {
    Meter yearly = meter("1000000000000/366d sliding_window");
    long length = 366L * 86_400_000_000L;
    long start = NEXT - NEXT % length;
    yearly.charge(cells, at, start, 1_000_000_000_000L);

    long third = start + length + length / 3;
    assertThat(yearly.used(cells, at, third)).isEqualTo(666_666_666_667L);
    assertThat(yearly.isUsedAtMost(cells, at, third, 666_666_666_667L)).isTrue();
    assertThat(yearly.isUsedAtMost(cells, at, third, 666_666_666_666L)).isFalse();
    // T - floor(333,333,333,333 * T / 10^12)
    assertThat(yearly.freeAt(cells, at, start + length, 333_333_333_333L))
        .isEqualTo(start + length + 21_081_600_000_011L);
  }

  @Test
  void metersAreTheSameWithEqualLength() {
    assertThat(meter.sameAs(meter("99/10s sliding_window"))).isTrue();
    assertThat(meter.sameAs(meter("10/11s sliding_window"))).isFalse();
    assertThat(meter.sameAs(meter("10/10s sliding_log"))).isFalse();
    assertThat(meter.windowMicros(START)).isEqualTo(LENGTH);
  }
}
