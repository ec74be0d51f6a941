package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Token buckets, by hand: a permit of P per T is back after T / P. */
abstract class TokenBucketScenarios extends StoreScenarios {

  TokenBucketScenarios(Function<ManualTime, CounterStore> stores) {
    super(stores);
  }

  @Test
  void spendsTheBurstAndGetsAPermitBackEachTenthOfASecond() {
    TokenBucket limit = Limit.perSecond(10).withBurst(5);
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 5)).isEqualTo(store.allowed(limit, 0, millis(500)));
    assertThat(store.acquire(limit, 1))
        .isEqualTo(store.refused(limit, 0, millis(500), millis(100)));
    store.advanceMicros(99_999);
    assertThat(store.acquire(limit, 1))
        .isEqualTo(store.refused(limit, 0, Subject.ofMicros(400_001), Subject.ofMicros(1)));
    store.advanceMicros(1);
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 0, millis(500)));
  }

  @Test
  void waitsForAsManyPermitsAsTheCostNeeds() {
    TokenBucket limit = Limit.perSecond(10);
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 7)).isEqualTo(store.allowed(limit, 3, millis(700)));
    assertThat(store.acquire(limit, 4))
        .isEqualTo(store.refused(limit, 3, millis(700), millis(100)));
    assertThat(store.acquire(limit, 3)).isEqualTo(store.allowed(limit, 0, seconds(1)));
    assertThat(store.acquire(limit, 10)).isEqualTo(store.refused(limit, 0, seconds(1), seconds(1)));
  }

  @Test
  void roundsAThirdOfASecondUpAndRemainingDown() {
    TokenBucket limit = Limit.perSecond(3);
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 3)).isEqualTo(store.allowed(limit, 0, seconds(1)));
    store.advanceMicros(333_333);
    assertThat(store.acquire(limit, 1))
        .isEqualTo(store.refused(limit, 0, Subject.ofMicros(666_667), Subject.ofMicros(1)));
    store.advanceMicros(1);
    // Full at 1,333,333 1/3 us: 1,000,000 us from now, rounded up.
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 0, seconds(1)));
  }

  @Test
  void doesNotDriftInAThousandSeconds() {
    TokenBucket limit = Limit.perSecond(3);
    Subject store = subjectAt(MONDAY);
    long end = store.nowMicros() + 1_000_000_000L;
    int passed = 0;
    while (store.nowMicros() <= end) {
      Decision decision = store.acquire(limit, 1);
      passed += decision.allowed() ? 1 : 0;
      store.advanceMicros(decision.retryAfterMicros());
    }
    assertThat(passed).as("3 at once and 3 a second, the last after 1000 s").isEqualTo(3_003);
  }

  @Test
  @DisplayName("grants the burst and no more when it is below the rate (T39)")
  void grantsTheBurstWhenItIsBelowTheRate() {
    TokenBucket limit = Limit.perSecond(100).withBurst(40);
    Subject store = subjectAt(MONDAY);
    assertThat(store.passing(limit, 100)).isEqualTo(40);
    store.advance(Duration.ofHours(1));
    assertThat(store.passing(limit, 100)).isEqualTo(40);
  }

  @Test
  @DisplayName("counts a billion a second, a thousand a microsecond (T39)")
  void countsABillionASecond() {
    TokenBucket limit = Limit.perSecond(1_000_000_000);
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 1_000_000_000)).isEqualTo(store.allowed(limit, 0, seconds(1)));
    assertThat(store.acquire(limit, 1))
        .isEqualTo(store.refused(limit, 0, seconds(1), Subject.ofMicros(1)));
    store.advanceMicros(1);
    assertThat(store.acquire(limit, 999))
        .isEqualTo(store.allowed(limit, 1, Subject.ofMicros(1_000_000)));
  }

  @Test
  @DisplayName("counts one a year (T39)")
  void countsOneAYear() {
    TokenBucket limit = Limit.tokenBucket(1, Duration.ofDays(365));
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 0, Duration.ofDays(365)));
    store.advance(Duration.ofDays(365).minus(Subject.ofMicros(1)));
    assertThat(store.acquire(limit, 1))
        .isEqualTo(store.refused(limit, 0, Subject.ofMicros(1), Subject.ofMicros(1)));
    store.advanceMicros(1);
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 0, Duration.ofDays(365)));
  }
}
