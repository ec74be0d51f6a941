package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Limits that change while counters live: what was used stays used. */
abstract class LimitChangeScenarios extends StoreScenarios {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  LimitChangeScenarios(Function<ManualTime, CounterStore> stores) {
    super(stores);
  }

  @Test
  @DisplayName("keeps what was used when a limit is lowered and raised (T42)")
  void keepsWhatWasUsedWhenALimitIsLoweredAndRaised() {
    List<LongFunction<Limit>> algorithms =
        List.of(
            permits -> Limit.tokenBucket(permits, MINUTE),
            permits -> Limit.fixedWindow(permits, MINUTE),
            permits -> Limit.slidingWindow(permits, MINUTE),
            permits -> Limit.slidingLog(permits, MINUTE));
    for (LongFunction<Limit> perMinute : algorithms) {
      Subject store = subjectAt(MONDAY);
      assertThat(store.acquire(perMinute.apply(100), 50).remaining()).isEqualTo(50);
      assertThat(store.acquire(perMinute.apply(10), 1))
          .as("lowered to %s", perMinute.apply(10))
          .returns(false, decision -> decision.allowed())
          .returns(0L, decision -> decision.remaining());
      assertThat(store.peek(perMinute.apply(60), 1).remaining())
          .as("raised to %s", perMinute.apply(60))
          .isEqualTo(10);
      assertThat(store.passing(perMinute.apply(60), 20)).isEqualTo(10);
    }
  }

  @Test
  @DisplayName("keeps what was used when the algorithm changes (T42)")
  void keepsWhatWasUsedWhenTheAlgorithmChanges() {
    Subject store = subjectAt(MONDAY);
    Limit bucket = Limit.tokenBucket(100, MINUTE);
    assertThat(store.acquire(bucket, 50)).isEqualTo(store.allowed(bucket, 50, seconds(30)));
    Limit window = Limit.fixedWindow(60, MINUTE);
    assertThat(store.peek(window, 1)).isEqualTo(store.allowed(window, 10, seconds(30)));
    assertThat(store.acquire(window, 1)).isEqualTo(store.allowed(window, 9, seconds(60)));
    Limit sliding = Limit.slidingWindow(60, MINUTE);
    assertThat(store.acquire(sliding, 1)).isEqualTo(store.allowed(sliding, 8, seconds(120)));
    Limit log = Limit.slidingLog(60, MINUTE);
    assertThat(store.acquire(log, 1)).isEqualTo(store.allowed(log, 7, seconds(60)));
    assertThat(store.acquire(bucket, 1))
        .isEqualTo(store.allowed(bucket, 46, Subject.ofMicros(32_400_000)));
  }

  @Test
  @DisplayName("keeps what was used when the period changes (T42)")
  void keepsWhatWasUsedWhenThePeriodChanges() {
    Subject store = subjectAt("2026-01-05T10:15:00Z");
    Limit perMinute = Limit.fixedWindow(100, MINUTE);
    assertThat(store.acquire(perMinute, 50)).isEqualTo(store.allowed(perMinute, 50, MINUTE));
    Limit perHour = Limit.fixedWindow(100, HOUR);
    assertThat(store.acquire(perHour, 1))
        .isEqualTo(store.allowed(perHour, 49, Duration.ofMinutes(45)));
    store.advance(MINUTE);
    assertThat(store.acquire(perMinute, 1)).isEqualTo(store.allowed(perMinute, 48, MINUTE));
  }

  @Test
  void runsByTheOldLimitUntilTheNewOneLetsARequestThrough() {
    Subject store = subjectAt(MONDAY);
    Limit old = Limit.perMinute(100);
    assertThat(store.acquire(old, 50).allowed()).isTrue();
    Limit changed = Limit.perHour(10);
    // 0.6 s a permit by the old limit: 9 are used 24.6 s from now, none 30 s from now.
    assertThat(store.acquire(changed, 1))
        .isEqualTo(store.refused(changed, 0, seconds(30), millis(24_600)));
    store.advance(millis(24_600));
    // From here on by the new one, 6 minutes a permit.
    assertThat(store.acquire(changed, 1)).isEqualTo(store.allowed(changed, 0, HOUR));
  }

  @Test
  void keepsHalfAPermitWhenOnlyTheBurstChanges() {
    Subject store = subjectAt(MONDAY);
    TokenBucket ten = Limit.perSecond(10);
    assertThat(store.acquire(ten, 5).allowed()).isTrue();
    store.advance(millis(50));
    // 4.5 are used, and 1 more.
    TokenBucket twenty = ten.withBurst(20);
    assertThat(store.acquire(twenty, 1)).isEqualTo(store.allowed(twenty, 14, millis(550)));
  }

  @Test
  void roundsUpWhatWasUsedWhenTheRateChanges() {
    Subject store = subjectAt(MONDAY);
    TokenBucket ten = Limit.perSecond(10);
    assertThat(store.acquire(ten, 5).allowed()).isTrue();
    store.advance(millis(50));
    // 4.5 are used, which is kept as 5, and 1 more: at 20 a second that is 300 ms.
    TokenBucket twenty = Limit.perSecond(20);
    assertThat(store.acquire(twenty, 1)).isEqualTo(store.allowed(twenty, 14, millis(300)));
  }

  @Test
  void takesEqualRatesInOtherUnitsForTheSame() {
    Subject store = subjectAt(MONDAY);
    TokenBucket perSecond = Limit.perSecond(10);
    assertThat(store.acquire(perSecond, 5).allowed()).isTrue();
    store.advance(millis(50));
    TokenBucket perMinute = Limit.perMinute(600).withBurst(10);
    assertThat(store.acquire(perMinute, 1)).isEqualTo(store.allowed(perMinute, 4, millis(550)));
  }
}
