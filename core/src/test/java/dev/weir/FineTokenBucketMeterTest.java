package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FineTokenBucketMeterTest {
  private static final long NOW = Micros.of(Instant.parse("2026-03-01T10:00:00Z"));

  /** 1027 ticks pass in a microsecond; a permit is 1,000,000 ticks: 973 us and 729 ticks. */
  private final Meter meter = meter("1027/s burst 3");

  private final Cells cells = Cells.wide(3, 2, false);
  private final int at = cells.state(cells.stride);

  private static Meter meter(String limit) {
    return Meter.of(Limit.parse(limit));
  }

  private void assertFullAt(long micros, long ticks) {
    assertThat(cells.words[at]).isEqualTo(micros);
    assertThat(cells.words[at + 1]).isEqualTo(ticks);
  }

  @Test
  void isFullAtFirst() {
    assertThat(meter).isInstanceOf(FineTokenBucketMeter.class);
    assertThat(meter.words()).isEqualTo(2);
    assertThat(meter.used(cells, at, NOW)).isZero();
    assertThat(meter.isUsedAtMost(cells, at, NOW, 0)).isTrue();
    assertThat(meter.freeAt(cells, at, NOW, 0)).isEqualTo(NOW);
  }

  @Test
  void chargesCarryTicksIntoMicros() {
    meter.charge(cells, at, NOW, 1);
    assertFullAt(NOW + 973, 729);
    meter.charge(cells, at, NOW, 1);
    assertFullAt(NOW + 1_947, 431);
    meter.charge(cells, at, NOW, 1);
    assertFullAt(NOW + 2_921, 133);
  }

  @Test
  void refillsContinuously() {
    meter.charge(cells, at, NOW, 2);

    assertThat(meter.used(cells, at, NOW)).isEqualTo(2);
    assertThat(meter.isUsedAtMost(cells, at, NOW, 2)).isTrue();
    assertThat(meter.isUsedAtMost(cells, at, NOW, 1)).isFalse();
    // 1947 us and 431 ticks less 973 us and 729 ticks are 973 us and 729 ticks.
    assertThat(meter.freeAt(cells, at, NOW, 1)).isEqualTo(NOW + 974);
    assertThat(meter.isUsedAtMost(cells, at, NOW + 973, 1)).isFalse();
    assertThat(meter.isUsedAtMost(cells, at, NOW + 974, 1)).isTrue();
    assertThat(meter.used(cells, at, NOW + 973)).isEqualTo(2);
    assertThat(meter.used(cells, at, NOW + 974)).isEqualTo(1);
    assertThat(meter.freeAt(cells, at, NOW, 0)).isEqualTo(NOW + 1_948);
    assertThat(meter.used(cells, at, NOW + 1_947)).isEqualTo(1);
    assertThat(meter.isUsedAtMost(cells, at, NOW + 1_947, 0)).isFalse();
    assertThat(meter.used(cells, at, NOW + 1_948)).isZero();
    assertThat(meter.isUsedAtMost(cells, at, NOW, 3)).isTrue();
    assertThat(meter.isUsedAtMost(cells, at, NOW, Long.MAX_VALUE)).isTrue();
  }

  @Test
  void refundsBorrowTicksFromMicros() {
    meter.charge(cells, at, NOW, 3);
    meter.refund(cells, at, NOW, 1);
    assertFullAt(NOW + 1_947, 431);
    meter.refund(cells, at, NOW, 1);
    assertFullAt(NOW + 973, 729);
    meter.refund(cells, at, NOW, 1);
    assertFullAt(0, 0);
    meter.charge(cells, at, NOW, 3);
    meter.refund(cells, at, NOW + 1_000, 2);
    // 1921 us and 133 ticks less 1947 us and 431 ticks: nothing is left.
    assertFullAt(0, 0);
  }

  @Test
  void refundWithoutABorrowKeepsTheMicros() {
    meter.charge(cells, at, NOW, 1);
    cells.words[at] += 973;
    // 1946 us and 729 ticks less 973 us and 729 ticks.
    meter.refund(cells, at, NOW, 1);

    assertFullAt(NOW + 973, 0);
  }

  @Test
  void ticksOfThePastDoNotCount() {
    meter.charge(cells, at, NOW, 1);
    assertThat(meter.used(cells, at, NOW + 974)).isZero();
    meter.charge(cells, at, NOW + 974, 1);
    assertFullAt(NOW + 974 + 973, 729);
  }

  @Test
  void aStateFromTheFutureIsReadAsAnEmptyBucket() {
    meter.charge(cells, at, NOW, 3);
    long then = NOW - 5_000_000;

    assertThat(meter.isFromTheFuture(cells, at, NOW)).isFalse();
    assertThat(meter.isFromTheFuture(cells, at, NOW - 1)).isTrue();
    cells.words[at + 1]++;
    assertThat(meter.isFromTheFuture(cells, at, NOW)).isTrue();
    cells.words[at + 1]--;
    assertThat(meter.used(cells, at, then)).isEqualTo(3);
    assertThat(meter.freeAt(cells, at, then, 0)).isEqualTo(then + 2_922);
    meter.settle(cells, at, NOW);
    assertFullAt(NOW + 2_921, 133);
    meter.settle(cells, at, then);
    assertFullAt(then + 2_921, 133);
  }

  @Test
  void metersAreTheSameWithEqualRateBurstAndPeriod() {
    assertThat(meter.sameAs(meter("1027/1000ms burst 3"))).isTrue();
    assertThat(meter.sameAs(meter("61620/m burst 3"))).isFalse();
    assertThat(meter.continues(meter("61620/m burst 3"))).isTrue();
    assertThat(meter.sameAs(meter("1027/s burst 4"))).isFalse();
    assertThat(meter.sameAs(meter("1029/s burst 3"))).isFalse();
    assertThat(meter.sameAs(meter("10/s burst 3"))).isFalse();
    assertThat(meter.continues(meter("1027/s burst 4"))).isTrue();
    assertThat(meter.continues(meter("1029/s burst 3"))).isFalse();
    assertThat(meter.continues(meter("10/s burst 3"))).isFalse();
    assertThat(meter.windowMicros(NOW)).isEqualTo(1_000_000);
  }

  @Test
  void aPermitOfLessThanAMicrosecondIsExact() {
    Meter fast = meter("1048577/s burst 2000000");
    fast.charge(cells, at, NOW, 1_048_577);

    assertFullAt(NOW + 1_000_000, 0);
    assertThat(fast.freeAt(cells, at, NOW, 1_048_576)).isEqualTo(NOW + 1);
    assertThat(fast.used(cells, at, NOW + 1)).isEqualTo(1_048_576);
  }

  @Test
  void followsFractionsThroughRandomHistories() {
    Random random = new Random(1_027);
    BigInteger fullAt = BigInteger.ZERO; // in ticks
    BigInteger perMicro = BigInteger.valueOf(1_027);
    BigInteger perPermit = BigInteger.valueOf(1_000_000);
    long now = NOW;
    for (int i = 0; i < 5_000; i++) {
      now += random.nextInt(1_500);
      BigInteger nowTicks = perMicro.multiply(BigInteger.valueOf(now));
      BigInteger debt = fullAt.subtract(nowTicks).max(BigInteger.ZERO);
      long n = 1L + random.nextInt(3);
      BigInteger cost = perPermit.multiply(BigInteger.valueOf(n));
      assertThat(BigInteger.valueOf(meter.used(cells, at, now)))
          .isEqualTo(debt.add(perPermit).subtract(BigInteger.ONE).divide(perPermit));
      if (random.nextInt(4) == 0) {
        meter.refund(cells, at, now, n);
        fullAt = nowTicks.add(debt.subtract(cost).max(BigInteger.ZERO));
      } else {
        boolean fits = debt.add(cost).compareTo(perPermit.multiply(BigInteger.valueOf(3))) <= 0;
        assertThat(meter.isUsedAtMost(cells, at, now, 3 - n)).isEqualTo(fits);
        if (fits) {
          meter.charge(cells, at, now, n);
          fullAt = nowTicks.add(debt).add(cost);
        }
      }
    }
  }

  @Test
  void ticksThatFillAMicrosecondAreCarried() {
    Meter large = meter("1027/s");
    large.charge(cells, at, NOW, 1_000);
    large.charge(cells, at, NOW, 27);

    assertFullAt(NOW + 1_000_000, 0);
  }

  @Test
  void equalTicksNeedNoFurtherMicrosecond() {
    meter.charge(cells, at, NOW, 1);
    cells.words[at] += 5;

    assertThat(meter.freeAt(cells, at, NOW, 1)).isEqualTo(NOW + 5);
  }

  @Test
  void settlingWritesTheTicksToo() {
    meter.charge(cells, at, NOW, 2);
    meter.settle(cells, at, NOW - 5_000_000);

    assertFullAt(NOW - 5_000_000 + 2_921, 133);
  }
}
