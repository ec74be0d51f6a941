package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.Reason;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Costs above a limit, and several limits on one request: all of them are charged, or none. */
abstract class SeveralLimitsScenarios extends StoreScenarios {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  SeveralLimitsScenarios(Function<ManualTime, CounterStore> stores) {
    super(stores);
  }

  private static List<Limit> ofEachAlgorithm(long permits, Duration period) {
    return List.of(
        Limit.tokenBucket(permits, period),
        Limit.fixedWindow(permits, period),
        Limit.slidingWindow(permits, period),
        Limit.slidingLog(permits, period));
  }

  private static List<Counter> counters(Limit first, Limit second) {
    return List.of(new Counter("first", "client", first), new Counter("second", "client", second));
  }

  @Test
  @DisplayName("refuses a cost above the capacity for ever and charges nothing (T41)")
  void refusesACostAboveTheCapacity() {
    for (Limit limit : ofEachAlgorithm(5, seconds(1))) {
      Subject store = subjectAt(MONDAY);
      assertThat(store.acquire(limit, 6))
          .isEqualTo(
              store.decision(Reason.COST_EXCEEDS_LIMIT, limit, 5, Duration.ZERO, Duration.ZERO))
          .returns(false, Decision::retryable);
      assertThat(store.acquire(limit, Long.MAX_VALUE).retryable()).as("%s", limit).isFalse();
      assertThat(store.passing(limit, 10)).as("%s", limit).isEqualTo(5);
    }
  }

  @Test
  @DisplayName("what another key refuses leaves no trace, also when the clock steps back (T46)")
  void leavesNoTraceOfWhatAnotherKeyRefuses() {
    Counter own = new Counter("own", "client", Limit.slidingWindow(8, seconds(1)));
    Counter all = new Counter("all", "everybody", Limit.slidingWindow(2, MINUTE));
    Subject store = subjectAt(MONDAY);
    store.advanceMicros(999_999);
    store.apply(new Operation.Acquire(List.of(own), 1));
    store.advanceMicros(1);
    assertThat(store.apply(new Operation.Acquire(List.of(own, all), 3)).reason())
        .isEqualTo(Reason.COST_EXCEEDS_LIMIT);
    store.advanceMicros(-1_000_000);
    Decision after = store.apply(new Operation.Peek(List.of(own), 0));

    assertThat(after.remaining()).isEqualTo(7);
    assertThat(after.status().resetMicros()).isEqualTo(store.nowMicros() + 2_000_000);
  }

  @Test
  @DisplayName("charges none of the limits when one refuses (T46)")
  void chargesNoneOfTheLimitsWhenOneRefuses() {
    for (Limit perSecond : ofEachAlgorithm(10, seconds(1))) {
      for (Limit perMinute : ofEachAlgorithm(5, MINUTE)) {
        Subject store = subjectAt(MONDAY);
        List<Counter> counters = counters(perSecond, perMinute);
        int passed = 0;
        for (int i = 0; i < 20; i++) {
          passed += store.apply(new Operation.Acquire(counters, 1)).allowed() ? 1 : 0;
        }
        Decision standing = store.apply(new Operation.Peek(counters, 1));
        assertThat(passed).as("%s and %s", perSecond, perMinute).isEqualTo(5);
        assertThat(standing.limits())
            .extracting(LimitStatus::remaining)
            .as("%s and %s", perSecond, perMinute)
            .containsExactly(5L, 0L);
        assertThat(standing.decisive()).isEqualTo(1);
      }
    }
  }

  @Test
  void chargesNoneWhenTheCostExceedsOneLimit() {
    Subject store = subjectAt(MONDAY);
    Limit ten = Limit.fixedWindow(10, MINUTE);
    Limit five = Limit.fixedWindow(5, MINUTE);
    Decision decision = store.apply(new Operation.Acquire(counters(ten, five), 6));
    assertThat(decision)
        .isEqualTo(
            new Decision(
                Reason.COST_EXCEEDS_LIMIT,
                store.nowMicros(),
                0,
                1,
                List.of(
                    new LimitStatus("first", ten, 10, store.nowMicros()),
                    new LimitStatus("second", five, 5, store.nowMicros()))));
  }

  @Test
  void waitsForTheLimitThatIsFreeLast() {
    Subject store = subjectAt(MONDAY);
    List<Counter> counters =
        counters(Limit.fixedWindow(1, MINUTE), Limit.fixedWindow(1, seconds(1)));
    assertThat(store.apply(new Operation.Acquire(counters, 1)).allowed()).isTrue();
    Decision refused = store.apply(new Operation.Acquire(counters, 1));
    assertThat(refused.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
    assertThat(refused.decisive()).isEqualTo(0);
    assertThat(refused.retryAfter()).isEqualTo(MINUTE);
  }

  @Test
  void namesTheLimitThatRefuses() {
    Subject store = subjectAt(MONDAY);
    List<Counter> counters = counters(Limit.fixedWindow(3, MINUTE), Limit.fixedWindow(9, MINUTE));
    store.apply(new Operation.Acquire(counters.subList(1, 2), 5));
    // 3 of 3 and 4 of 9 are left; a cost of 3 fits both, then 0 and 1 are left.
    assertThat(store.apply(new Operation.Acquire(counters, 3)).decisive()).isEqualTo(0);
    store.apply(new Operation.Refund(counters.subList(0, 1), 3));
    assertThat(store.apply(new Operation.Acquire(counters, 2)))
        .returns(Reason.LIMIT_EXCEEDED, Decision::reason)
        .returns(1, Decision::decisive)
        .returns(1L, Decision::remaining);
  }

  @Test
  void namesTheLimitWithTheLeastLeftThenTheLatestResetThenTheFirst() {
    Subject store = subjectAt(MONDAY);
    Limit fiveAMinute = Limit.fixedWindow(5, MINUTE);
    assertThat(decisive(store, Limit.fixedWindow(5, seconds(1)), Limit.fixedWindow(4, seconds(1))))
        .as("the least remaining")
        .isEqualTo(1);
    store = subjectAt(MONDAY);
    assertThat(decisive(store, Limit.fixedWindow(5, seconds(1)), fiveAMinute))
        .as("of equals the latest reset")
        .isEqualTo(1);
    store = subjectAt(MONDAY);
    assertThat(decisive(store, fiveAMinute, fiveAMinute)).as("of these the first").isEqualTo(0);
  }

  private static int decisive(Subject store, Limit first, Limit second) {
    return store.apply(new Operation.Acquire(counters(first, second), 1)).decisive();
  }

  @Test
  void countsEachNameAndKeyOnItsOwn() {
    Subject store = subjectAt(MONDAY);
    Limit one = Limit.fixedWindow(1, MINUTE);
    for (Counter counter :
        List.of(
            new Counter("a", "bc", one),
            new Counter("ab", "c", one),
            new Counter("a", "", one),
            new Counter("", "a", one),
            new Counter("a:b", "c", one),
            new Counter("a", "b:c", one),
            new Counter("a", "\u0000", one))) {
      Operation acquire = new Operation.Acquire(List.of(counter), 1);
      assertThat(store.apply(acquire).allowed()).as("first request of %s", counter).isTrue();
      assertThat(store.apply(acquire).allowed()).as("second request of %s", counter).isFalse();
    }
  }

  @Test
  void peeksWithoutConsuming() {
    for (Limit limit : ofEachAlgorithm(5, seconds(1))) {
      Subject store = subjectAt(MONDAY);
      for (int i = 0; i < 10; i++) {
        assertThat(store.peek(limit, 5)).isEqualTo(store.allowed(limit, 5, Duration.ZERO));
        assertThat(store.acquire(limit, 0)).isEqualTo(store.allowed(limit, 5, Duration.ZERO));
      }
      assertThat(store.peek(limit, 6).reason()).isEqualTo(Reason.COST_EXCEEDS_LIMIT);
      assertThat(store.acquire(limit, 5).remaining()).as("%s", limit).isEqualTo(0);
      Decision peeked = store.peek(limit, 2);
      assertThat(peeked).as("%s", limit).isEqualTo(store.acquire(limit, 2));
      assertThat(peeked.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
      assertThat(store.acquire(limit, 0).allowed()).as("%s", limit).isTrue();
    }
  }
}
