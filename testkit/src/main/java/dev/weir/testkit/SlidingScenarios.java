package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sliding windows and sliding logs, by hand. */
abstract class SlidingScenarios extends StoreScenarios {

  SlidingScenarios(Function<ManualTime, CounterStore> stores) {
    super(stores);
  }

  @Test
  void fadesThePreviousWindowOutTenthByTenth() {
    SlidingWindow limit = Limit.slidingWindow(10, seconds(10));
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 10)).isEqualTo(store.allowed(limit, 0, seconds(20)));
    // A tenth of 10 has faded one second into the next window.
    assertThat(store.acquire(limit, 1))
        .isEqualTo(store.refused(limit, 0, seconds(20), seconds(11)));
    store.advanceMicros(10_999_999);
    assertThat(store.acquire(limit, 1))
        .isEqualTo(store.refused(limit, 0, Subject.ofMicros(9_000_001), Subject.ofMicros(1)));
    store.advanceMicros(1);
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 0, seconds(19)));
    store.advance(seconds(4));
    // 10 · 5 / 10 of the previous window and 1 of this one.
    assertThat(store.peek(limit, 4)).isEqualTo(store.allowed(limit, 4, seconds(15)));
    // Room for 8 when 1 of 10 is left of the previous window, at its second 9.
    assertThat(store.peek(limit, 8)).isEqualTo(store.refused(limit, 4, seconds(15), seconds(4)));
  }

  @Test
  void forgetsTheWindowBeforeThePrevious() {
    SlidingWindow limit = Limit.slidingWindow(10, seconds(10));
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 10).allowed()).isTrue();
    store.advance(seconds(20));
    assertThat(store.acquire(limit, 10)).isEqualTo(store.allowed(limit, 0, seconds(20)));
  }

  @Test
  @DisplayName("holds the window's edge with a sliding window, a log and a bucket (T34)")
  void holdsTheEdgeOfTheWindow() {
    Duration minute = Duration.ofMinutes(1);
    SlidingWindow window = Limit.slidingWindow(10, minute);
    Subject store = subjectAt("2026-01-05T00:00:59.999Z");
    assertThat(store.passing(window, 20)).isEqualTo(10);
    store.advance(millis(2));
    assertThat(store.acquire(window, 1))
        .isEqualTo(store.refused(window, 0, Subject.ofMicros(59_999_000), millis(5_999)));

    SlidingLog log = Limit.slidingLog(10, minute);
    store = subjectAt("2026-01-05T00:00:59.999Z");
    assertThat(store.passing(log, 20)).isEqualTo(10);
    store.advance(millis(2));
    assertThat(store.acquire(log, 1))
        .isEqualTo(store.refused(log, 0, millis(59_998), millis(59_998)));

    TokenBucket bucket = Limit.perMinute(10);
    store = subjectAt("2026-01-05T00:00:59.999Z");
    assertThat(store.passing(bucket, 20)).isEqualTo(10);
    store.advance(millis(2));
    assertThat(store.acquire(bucket, 1))
        .isEqualTo(store.refused(bucket, 0, millis(59_998), millis(5_998)));
  }

  @Test
  void dropsEachChargeAPeriodAfterItsInstant() {
    SlidingLog limit = Limit.slidingLog(3, seconds(10));
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 2, seconds(10)));
    store.advance(seconds(1));
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 1, seconds(10)));
    store.advance(seconds(1));
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 0, seconds(10)));
    store.advance(seconds(1));
    assertThat(store.acquire(limit, 1)).isEqualTo(store.refused(limit, 0, seconds(9), seconds(7)));
    assertThat(store.acquire(limit, 3)).isEqualTo(store.refused(limit, 0, seconds(9), seconds(9)));
    store.advanceMicros(6_999_999);
    assertThat(store.acquire(limit, 1))
        .isEqualTo(store.refused(limit, 0, Subject.ofMicros(2_000_001), Subject.ofMicros(1)));
    store.advanceMicros(1);
    assertThat(store.peek(limit, 2)).isEqualTo(store.refused(limit, 1, seconds(2), seconds(1)));
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 0, seconds(10)));
  }
}
