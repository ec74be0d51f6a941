package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Period;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Refund and reset: never above the capacity, never creating or prolonging anything. */
abstract class RefundScenarios extends StoreScenarios {

  private static final List<Limit> FIVE_IN_TEN_SECONDS =
      List.of(
          Limit.tokenBucket(5, seconds(10)),
          Limit.fixedWindow(5, seconds(10)),
          firstRequest(),
          Limit.slidingWindow(5, seconds(10)),
          Limit.slidingLog(5, seconds(10)));

  RefundScenarios(Function<ManualTime, CounterStore> stores) {
    super(stores);
  }

  private static FixedWindow firstRequest() {
    return new FixedWindow(5, Period.Span.of(seconds(10)), FixedWindow.Align.FIRST_REQUEST);
  }

  @Test
  @DisplayName("gives back what was used and never more (T43)")
  void givesBackWhatWasUsedAndNeverMore() {
    for (Limit limit : FIVE_IN_TEN_SECONDS) {
      Subject store = subjectAt(MONDAY);
      assertThat(store.acquire(limit, 3).remaining()).isEqualTo(2);
      assertThat(store.refund(limit, 2).remaining()).as("%s", limit).isEqualTo(4);
      assertThat(store.refund(limit, Long.MAX_VALUE))
          .isEqualTo(store.allowed(limit, 5, Duration.ZERO));
      assertThat(store.passing(limit, 10)).as("%s", limit).isEqualTo(5);
    }
  }

  @Test
  @DisplayName("creates nothing when nothing was used or all has expired (T43)")
  void createsNothing() {
    for (Limit limit : FIVE_IN_TEN_SECONDS) {
      Subject store = subjectAt(MONDAY);
      assertThat(store.refund(limit, 1)).isEqualTo(store.allowed(limit, 5, Duration.ZERO));
      assertThat(store.acquire(limit, 5).allowed()).isTrue();
      store.advance(seconds(20));
      for (int i = 0; i < 3; i++) {
        assertThat(store.refund(limit, 1)).isEqualTo(store.allowed(limit, 5, Duration.ZERO));
      }
      assertThat(store.passing(limit, 10)).as("%s", limit).isEqualTo(5);
    }
  }

  @Test
  void startsNoWindowWithARefund() {
    FixedWindow limit = firstRequest();
    Subject store = subjectAt(MONDAY);
    store.refund(limit, 1);
    store.advance(seconds(4));
    assertThat(store.acquire(limit, 3)).isEqualTo(store.allowed(limit, 2, seconds(10)));
    store.advance(seconds(2));
    store.refund(limit, 3);
    store.advance(seconds(3));
    // With all given back the window was forgotten; this one starts anew.
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 4, seconds(10)));
  }

  @Test
  void shortensTheTimeUntilABucketIsFull() {
    TokenBucket limit = Limit.perSecond(10);
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 10)).isEqualTo(store.allowed(limit, 0, seconds(1)));
    store.advance(millis(250));
    assertThat(store.refund(limit, 3)).isEqualTo(store.allowed(limit, 5, millis(450)));
  }

  @Test
  void takesARefundOffTheCurrentWindowFirst() {
    SlidingWindow limit = Limit.slidingWindow(10, seconds(10));
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 4).allowed()).isTrue();
    store.advance(seconds(10));
    assertThat(store.acquire(limit, 3)).isEqualTo(store.allowed(limit, 3, seconds(20)));
    assertThat(store.refund(limit, 5)).isEqualTo(store.allowed(limit, 8, seconds(10)));
  }

  @Test
  void takesARefundOffTheNewestCharges() {
    SlidingLog limit = Limit.slidingLog(5, seconds(10));
    Subject store = subjectAt(MONDAY);
    assertThat(store.acquire(limit, 2).allowed()).isTrue();
    store.advance(seconds(4));
    assertThat(store.acquire(limit, 2)).isEqualTo(store.allowed(limit, 1, seconds(10)));
    store.advance(seconds(1));
    assertThat(store.refund(limit, 3)).isEqualTo(store.allowed(limit, 4, seconds(5)));
  }

  @Test
  void resetForgetsWhatWasUsed() {
    for (Limit limit : FIVE_IN_TEN_SECONDS) {
      Subject store = subjectAt(MONDAY);
      assertThat(store.passing(limit, 10)).isEqualTo(5);
      assertThat(store.reset(limit)).isEqualTo(store.allowed(limit, 5, Duration.ZERO));
      assertThat(store.passing(limit, 10)).as("%s", limit).isEqualTo(5);
    }
  }
}
