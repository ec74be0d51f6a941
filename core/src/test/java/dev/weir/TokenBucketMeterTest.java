package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TokenBucketMeterTest {
  private static final long NOW = Micros.of(Instant.parse("2026-03-01T10:00:00Z"));

  /** 3 ticks pass in a microsecond; a permit is 1,000,000 ticks, 333,333 1/3 us. */
  private final TokenBucketMeter meter = meter("3/s burst 6");

  private final Cells cells = Cells.wide(3, 1, false);
  private final int at = cells.state(cells.stride);

  private static TokenBucketMeter meter(String limit) {
    return (TokenBucketMeter) Meter.of(Limit.parse(limit));
  }

  @Test
  void isForRatesOfUpTo1024TicksAMicrosecond() {
    assertThat(Meter.of(Limit.parse("1023/s"))).isInstanceOf(TokenBucketMeter.class);
    assertThat(Meter.of(Limit.parse("1000000000/s"))).isInstanceOf(TokenBucketMeter.class);
    assertThat(Meter.of(Limit.parse("8192/1ms"))).isInstanceOf(TokenBucketMeter.class);
    assertThat(Meter.of(Limit.parse("1027/s"))).isInstanceOf(FineTokenBucketMeter.class);
    assertThat(Meter.of(Limit.parse("8201/1ms"))).isInstanceOf(FineTokenBucketMeter.class);
  }

  @Test
  void isFullAtFirst() {
    assertThat(meter.words()).isEqualTo(1);
    assertThat(meter.keepsLog()).isFalse();
    assertThat(meter.used(cells, at, NOW)).isZero();
    assertThat(meter.isUsedAtMost(cells, at, NOW, 0)).isTrue();
    assertThat(meter.freeAt(cells, at, NOW, 0)).isEqualTo(NOW);
    assertThat(meter.forgettableAt(cells, at, NOW)).isEqualTo(NOW);
  }

  @Test
  void refillsContinuously() {
    meter.charge(cells, at, NOW, 4);

    assertThat(meter.used(cells, at, NOW)).isEqualTo(4);
    assertThat(meter.isUsedAtMost(cells, at, NOW, 4)).isTrue();
    assertThat(meter.isUsedAtMost(cells, at, NOW, 3)).isFalse();
    assertThat(meter.freeAt(cells, at, NOW, 4)).isEqualTo(NOW);
    assertThat(meter.freeAt(cells, at, NOW, 3)).isEqualTo(NOW + 333_334);
    assertThat(meter.freeAt(cells, at, NOW, 1)).isEqualTo(NOW + 1_000_000);
    assertThat(meter.freeAt(cells, at, NOW, 0)).isEqualTo(NOW + 1_333_334);
    assertThat(meter.used(cells, at, NOW + 333_333)).isEqualTo(4);
    assertThat(meter.used(cells, at, NOW + 333_334)).isEqualTo(3);
    assertThat(meter.used(cells, at, NOW + 1_333_333)).isEqualTo(1);
    assertThat(meter.used(cells, at, NOW + 1_333_334)).isZero();
    assertThat(meter.used(cells, at, Micros.LAST)).isZero();
  }

  @Test
  void chargesAddUpExactly() {
    for (int i = 0; i < 3; i++) {
      meter.charge(cells, at, NOW + i, 1);
    }

    // Three permits are one second: no third of a microsecond is lost.
    assertThat(meter.freeAt(cells, at, NOW + 2, 0)).isEqualTo(NOW + 1_000_000);
    meter.charge(cells, at, NOW + 5_000_000, 1);
    assertThat(meter.freeAt(cells, at, NOW + 5_000_000, 0)).isEqualTo(NOW + 5_333_334);
  }

  @Test
  void refundsDownToNothing() {
    meter.charge(cells, at, NOW, 4);
    meter.refund(cells, at, NOW, 1);
    assertThat(meter.freeAt(cells, at, NOW, 0)).isEqualTo(NOW + 1_000_000);
    meter.refund(cells, at, NOW + 500_000, 1);
    assertThat(meter.freeAt(cells, at, NOW + 500_000, 0)).isEqualTo(NOW + 666_667);
    meter.refund(cells, at, NOW + 500_000, 1);
    assertThat(cells.words[at]).isZero();
    meter.charge(cells, at, NOW, 6);
    meter.refund(cells, at, NOW, Long.MAX_VALUE);
    assertThat(cells.words[at]).isZero();
  }

  @Test
  void aStateFromTheFutureIsReadAsAnEmptyBucket() {
    meter.charge(cells, at, NOW, 6);
    long then = NOW - 3_600_000_000L;

    assertThat(meter.isFromTheFuture(cells, at, NOW)).isFalse();
    assertThat(meter.isFromTheFuture(cells, at, NOW - 1)).isTrue();
    assertThat(meter.used(cells, at, then)).isEqualTo(6);
    assertThat(meter.freeAt(cells, at, then, 0)).isEqualTo(then + 2_000_000);
    long before = cells.words[at];
    meter.settle(cells, at, NOW);
    assertThat(cells.words[at]).isEqualTo(before);
    meter.settle(cells, at, then);
    assertThat(cells.words[at]).isEqualTo(3 * (then + 2_000_000));
  }

  @Test
  void metersAreTheSameWithEqualRateBurstAndPeriod() {
    assertThat(meter.sameAs(meter("3/1000ms burst 6"))).isTrue();
    // The same states, but penalties go by the period.
    assertThat(meter.sameAs(meter("180/m burst 6"))).isFalse();
    assertThat(meter.continues(meter("180/m burst 6"))).isTrue();
    assertThat(meter.sameAs(meter("3/s burst 7"))).isFalse();
    assertThat(meter.sameAs(meter("4/s burst 6"))).isFalse();
    assertThat(meter.sameAs(Meter.of(Limit.parse("1027/s")))).isFalse();
    assertThat(meter.continues(meter("3/s burst 7"))).isTrue();
    assertThat(meter.continues(meter("4/s burst 6"))).isFalse();
    assertThat(meter.continues(meter("3/2s burst 6"))).isFalse();
    assertThat(meter.continues(Meter.of(Limit.parse("3/s sliding_log")))).isFalse();
  }

  @Test
  void anotherBurstKeepsTheState() {
    meter.charge(cells, at, NOW, 4);
    long third = NOW + 333_333;
    meter("3/s burst 60").takeOver(meter, cells, at, third, 1);

    // 4 permits less 333,333 us, not rounded up to 4 whole ones.
    assertThat(cells.words[at]).isEqualTo(3 * NOW + 5_000_000);
  }

  @Test
  void anotherRateKeepsWhatIsUsedInWholePermits() {
    meter.charge(cells, at, NOW, 4);
    TokenBucketMeter slow = meter("1/s burst 6");
    slow.takeOver(meter, cells, at, NOW + 400_000, 1);

    assertThat(slow.freeAt(cells, at, NOW + 400_000, 0)).isEqualTo(NOW + 400_000 + 4_000_000);
  }

  @Test
  void itsWindowIsThePeriod() {
    assertThat(meter.windowMicros(NOW)).isEqualTo(1_000_000);
    assertThat(meter("180/m burst 6").windowMicros(NOW)).isEqualTo(60_000_000);
  }

  @Test
  void chargesANarrowCellByOneExchange() {
    Cells narrow = Cells.narrow(3, meter);
    int cell = 2 * narrow.stride;
    Narrow.usedLongAgo(narrow, cell);

    assertThat(meter.tryCharge(narrow.words, cell, NOW, 5)).isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(narrow.head(cell)).isEqualTo(3 * NOW + 5_000_000);
    assertThat(meter.used(narrow.head(cell), NOW)).isEqualTo(5);
    assertThat(meter.tryCharge(narrow.words, cell, NOW, 2)).isEqualTo(TokenBucketMeter.REFUSED);
    assertThat(meter.tryCharge(narrow.words, cell, NOW, 1)).isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(meter.tryCharge(narrow.words, cell, NOW + 333_333, 1))
        .isEqualTo(TokenBucketMeter.REFUSED);
    assertThat(meter.tryCharge(narrow.words, cell, NOW + 333_334, 1))
        .isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(narrow.head(cell)).isEqualTo(3 * NOW + 7_000_000);
    assertThat(meter.tryCharge(narrow.words, cell, NOW + 60_000_000, 1))
        .isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(narrow.head(cell)).isEqualTo(3 * (NOW + 60_000_000) + 1_000_000);
  }

  @Test
  void leavesACellThatIsBlankOrGoneOrFromTheFutureToACloserLook() {
    Cells narrow = Cells.narrow(1, meter);

    assertThat(meter.tryCharge(narrow.words, 0, NOW, 6)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    Narrow.usedLongAgo(narrow, 0);
    assertThat(meter.tryCharge(narrow.words, 0, NOW, 6)).isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(meter.tryCharge(narrow.words, 0, NOW, 1)).isEqualTo(TokenBucketMeter.REFUSED);
    assertThat(meter.tryCharge(narrow.words, 0, NOW - 1, 1)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    narrow.remove(0);
    assertThat(meter.tryCharge(narrow.words, 0, NOW, 1)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
  }

  @Test
  void headsSayWhenTheyCanBeForgotten() {
    assertThat(meter.headWith(NOW, 0)).isZero();
    assertThat(meter.headWith(NOW, 2)).isEqualTo(3 * NOW + 2_000_000);
    assertThat(meter.forgettableAt(0)).isZero();
    assertThat(meter.forgettableAt(3 * NOW)).isEqualTo(NOW);
    assertThat(meter.forgettableAt(3 * NOW + 1)).isEqualTo(NOW + 1);
    assertThat(meter.forgettableAt(3 * NOW + 3)).isEqualTo(NOW + 1);
  }

  @Test
  void countsUntilTheYear2400Unsigned() {
    TokenBucketMeter fast = meter("1000000000/s");
    fast.charge(cells, at, Micros.LAST, 1_000_000_000);

    assertThat(cells.words[at]).isNegative();
    assertThat(fast.used(cells, at, Micros.LAST)).isEqualTo(1_000_000_000);
    assertThat(fast.used(cells, at, Micros.LAST - 1)).isEqualTo(1_000_000_000);
    assertThat(fast.freeAt(cells, at, Micros.LAST, 0)).isEqualTo(Micros.LAST + 1_000_000);
    assertThat(fast.isFromTheFuture(cells, at, Micros.LAST)).isFalse();
    assertThat(fast.isFromTheFuture(cells, at, Micros.LAST - 1)).isTrue();
    assertThat(fast.forgettableAt(cells.words[at])).isEqualTo(Micros.LAST + 1_000_000);
    assertThat(fast.used(cells.words[at], Micros.LAST)).isEqualTo(1_000_000_000);
  }

  @Test
  void waitsForACellThatIsLocked() {
    Cells narrow = Cells.narrow(1, meter);
    narrow.lock(0);
    CompletableFuture<Integer> result =
        CompletableFuture.supplyAsync(() -> meter.tryCharge(narrow.words, 0, NOW, 1));
    for (int i = 0; i < 1_000; i++) {
      Cells.pause(i);
    }
    assertThat(result).isNotDone();
    narrow.unlock(0, 1);

    assertThat(result.join()).isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(narrow.head(0)).isEqualTo(3 * NOW + 1_000_000);
  }

  @Test
  void aClockThatGoesBackByCenturiesRefillsNothing() {
    ManualTime late = TimeSource.manual(Instant.parse("2390-01-01T00:00:00Z"));
    RateLimiter limiter = RateLimiter.builder().time(late).limit("1023/s").build();
    limiter.acquire("k", 1_023);
    late.set(Instant.parse("1971-01-01T00:00:00Z"));

    assertThat(limiter.peek("k").remaining()).isZero();
    assertThat(limiter.tryAcquire("k")).isFalse();
    late.advance(Duration.ofSeconds(1));
    assertThat(limiter.tryAcquire("k", 1_023)).isTrue();
  }
}
