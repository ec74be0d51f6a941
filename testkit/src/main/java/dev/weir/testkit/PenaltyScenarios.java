package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.Penalty;
import dev.weir.PenaltyCounter;
import dev.weir.Period;
import dev.weir.Reason;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Penalties, by hand: the refusing limit's period times a multiplier that grows. */
abstract class PenaltyScenarios extends StoreScenarios {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Limit ONE_A_SECOND = Limit.fixedWindow(1, seconds(1));

  PenaltyScenarios(Function<ManualTime, CounterStore> stores) {
    super(stores);
  }

  private static Operation acquire(Limit limit, long cost, Penalty... penalties) {
    return new Operation.Acquire(counters(limit), punished(penalties), cost);
  }

  private static List<Counter> counters(Limit limit) {
    return List.of(new Counter("limit", "client", limit));
  }

  private static List<PenaltyCounter> punished(Penalty... penalties) {
    PenaltyCounter[] counters = new PenaltyCounter[penalties.length];
    for (int i = 0; i < penalties.length; i++) {
      counters[i] = new PenaltyCounter("penalty" + i, "client", penalties[i]);
    }
    return List.of(counters);
  }

  private static void assertRefused(Decision decision, Reason reason, Duration retryAfter) {
    assertThat(decision)
        .returns(reason, Decision::reason)
        .returns(retryAfter, Decision::retryAfter);
  }

  @Test
  void growsWithEachViolationAndThenStaysAtTheLastMultiplier() {
    Penalty penalty = new Penalty(HOUR, 3, List.of(1, 2, 4));
    Operation request = acquire(ONE_A_SECOND, 1, penalty);
    Subject store = subjectAt("2026-01-05T00:00:00.400Z");
    assertThat(store.apply(request).allowed()).isTrue();
    assertRefused(store.apply(request), Reason.LIMIT_EXCEEDED, millis(600));
    assertRefused(store.apply(request), Reason.LIMIT_EXCEEDED, millis(600));
    // The third violation: the window is over in 600 ms, the penalty in 1 s.
    assertRefused(store.apply(request), Reason.LIMIT_EXCEEDED, seconds(1));
    for (int length : List.of(1, 2, 4, 4)) {
      assertRefused(store.apply(request), Reason.PENALTY, seconds(length));
      store.advance(seconds(length).minus(Subject.ofMicros(1)));
      assertRefused(store.apply(request), Reason.PENALTY, Subject.ofMicros(1));
      store.advanceMicros(1);
      assertThat(store.apply(request).allowed()).as("after %d s", length).isTrue();
      assertThat(store.apply(request).reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
    }
  }

  @Test
  void doesNotCountRequestsThatAPenaltyRefuses() {
    Penalty penalty = new Penalty(HOUR, 1, List.of(1, 100));
    Operation request = acquire(ONE_A_SECOND, 1, penalty);
    Subject store = subjectAt(MONDAY);
    assertThat(store.apply(request).allowed()).isTrue();
    assertRefused(store.apply(request), Reason.LIMIT_EXCEEDED, seconds(1));
    for (int i = 0; i < 100; i++) {
      assertRefused(store.apply(request), Reason.PENALTY, seconds(1));
    }
    store.advance(seconds(1));
    assertThat(store.apply(request).allowed()).isTrue();
    // The second violation, not the hundredth.
    assertRefused(store.apply(request), Reason.LIMIT_EXCEEDED, seconds(100));
  }

  @Test
  void chargesNothingWhileAPenaltyRunsAndReportsTheLimits() {
    Penalty penalty = new Penalty(HOUR, 1, List.of(10));
    Limit limit = Limit.slidingLog(5, seconds(1));
    Subject store = subjectAt(MONDAY);
    assertThat(store.apply(acquire(limit, 6, penalty)).reason())
        .isEqualTo(Reason.COST_EXCEEDS_LIMIT);
    assertThat(store.apply(acquire(limit, 1, penalty)))
        .isEqualTo(store.decision(Reason.PENALTY, limit, 5, Duration.ZERO, seconds(10)));
    store.advance(seconds(10));
    assertThat(store.apply(acquire(limit, 5, penalty)).allowed()).isTrue();
  }

  @Test
  void takesACostAboveTheLimitForAViolationThatNoWaitHelps() {
    Penalty penalty = new Penalty(HOUR, 1, List.of(1));
    Subject store = subjectAt(MONDAY);
    assertRefused(
        store.apply(acquire(ONE_A_SECOND, 2, penalty)), Reason.COST_EXCEEDS_LIMIT, Duration.ZERO);
    assertRefused(store.apply(acquire(ONE_A_SECOND, 2, penalty)), Reason.PENALTY, seconds(1));
  }

  @Test
  void showsAPenaltyToPeeksAndRecordsNothingForThem() {
    Penalty penalty = new Penalty(HOUR, 1, List.of(1, 100));
    Subject store = subjectAt(MONDAY);
    Operation peek = new Operation.Peek(counters(ONE_A_SECOND), punished(penalty), 2);
    for (int i = 0; i < 10; i++) {
      assertRefused(store.apply(peek), Reason.COST_EXCEEDS_LIMIT, Duration.ZERO);
    }
    assertThat(store.apply(acquire(ONE_A_SECOND, 1, penalty)).allowed()).isTrue();
    assertThat(store.apply(acquire(ONE_A_SECOND, 0, penalty)).allowed()).isTrue();
    // The first violation.
    assertRefused(
        store.apply(acquire(ONE_A_SECOND, 1, penalty)), Reason.LIMIT_EXCEEDED, seconds(1));
    assertRefused(store.apply(peek), Reason.PENALTY, seconds(1));
    assertRefused(store.apply(acquire(ONE_A_SECOND, 0, penalty)), Reason.PENALTY, seconds(1));
  }

  @Test
  void forgetsAViolationADetectionWindowLater() {
    Penalty penalty = new Penalty(seconds(10), 2, List.of(60));
    Operation tooMuch = acquire(ONE_A_SECOND, 2, penalty);
    Operation peek = new Operation.Peek(counters(ONE_A_SECOND), punished(penalty), 1);
    Subject store = subjectAt(MONDAY);
    store.apply(tooMuch);
    store.advance(seconds(10));
    store.apply(tooMuch);
    assertThat(store.apply(peek).allowed()).as("10 s after the first violation").isTrue();
    store.advanceMicros(9_999_999);
    store.apply(tooMuch);
    assertRefused(store.apply(peek), Reason.PENALTY, seconds(60));
  }

  @Test
  void keepsTheNewestThousandViolations() {
    Penalty penalty = new Penalty(Duration.ofDays(366), 999, List.of(1, 2, 4));
    Limit limit = Limit.fixedWindow(1, millis(1));
    Operation tooMuch = acquire(limit, 2, penalty);
    Operation peek = new Operation.Peek(counters(limit), punished(penalty), 1);
    Subject store = subjectAt(MONDAY);
    for (int i = 0; i < 998; i++) {
      store.apply(tooMuch);
      assertThat(store.apply(peek).allowed()).as("violation %d", i + 1).isTrue();
    }
    for (int multiplier : List.of(1, 2, 2, 2)) {
      store.apply(tooMuch);
      assertRefused(store.apply(peek), Reason.PENALTY, millis(multiplier));
      store.advance(millis(multiplier));
    }
  }

  @Test
  void goesByTheLengthOfTheCalendarWindow() {
    FixedWindow limit =
        new FixedWindow(
            1,
            new Period.Calendar(Period.CalendarUnit.DAY, ZoneId.of("Europe/Berlin")),
            FixedWindow.Align.EPOCH);
    Penalty penalty = new Penalty(HOUR, 1, List.of(2));
    Subject store = subjectAt("2026-03-29T12:00:00Z");
    assertThat(store.apply(acquire(limit, 1, penalty)).allowed()).isTrue();
    assertRefused(
        store.apply(acquire(limit, 1, penalty)), Reason.LIMIT_EXCEEDED, Duration.ofHours(46));
  }

  @Test
  void goesByThePeriodOfTheDecisiveLimit() {
    Penalty penalty = new Penalty(HOUR, 1, List.of(3));
    List<Counter> counters =
        List.of(
            new Counter("second", "client", ONE_A_SECOND),
            new Counter("minute", "client", Limit.fixedWindow(1, Duration.ofMinutes(1))));
    Operation request = new Operation.Acquire(counters, punished(penalty), 1);
    Subject store = subjectAt("2026-01-05T00:00:59.500Z");
    assertThat(store.apply(request).allowed()).isTrue();
    // Both are free in half a second: the first of equals is decisive.
    assertRefused(store.apply(request), Reason.LIMIT_EXCEEDED, seconds(3));
  }

  @Test
  void waitsForTheLongestOfSeveralPenalties() {
    Penalty brief = new Penalty(HOUR, 1, List.of(2));
    Penalty lasting = new Penalty(HOUR, 1, List.of(7));
    Subject store = subjectAt(MONDAY);
    store.apply(acquire(ONE_A_SECOND, 2, brief, lasting));
    assertRefused(
        store.apply(acquire(ONE_A_SECOND, 1, brief, lasting)), Reason.PENALTY, seconds(7));
    assertRefused(store.apply(acquire(ONE_A_SECOND, 1, brief)), Reason.PENALTY, seconds(2));
  }

  @Test
  void isForgottenByAReset() {
    Penalty penalty = new Penalty(HOUR, 2, List.of(60));
    Subject store = subjectAt(MONDAY);
    Operation tooMuch = acquire(ONE_A_SECOND, 2, penalty);
    Operation peek = new Operation.Peek(counters(ONE_A_SECOND), punished(penalty), 1);
    store.apply(tooMuch);
    store.apply(tooMuch);
    assertRefused(store.apply(peek), Reason.PENALTY, seconds(60));
    store.apply(new Operation.Reset(counters(ONE_A_SECOND), punished(penalty)));
    assertThat(store.apply(peek).allowed()).isTrue();
    store.apply(tooMuch);
    assertThat(store.apply(peek).allowed()).as("the first violation again").isTrue();
  }

  @Test
  void lastsNoLongerThanItsLengthWhenTheClockStepsBack() {
    Penalty penalty = new Penalty(HOUR, 1, List.of(60));
    Subject store = subjectAt("2026-01-05T12:30:00Z");
    store.apply(acquire(ONE_A_SECOND, 2, penalty));
    store.advance(HOUR.negated());
    assertRefused(store.apply(acquire(ONE_A_SECOND, 1, penalty)), Reason.PENALTY, seconds(60));
    store.advance(seconds(60));
    assertThat(store.apply(acquire(ONE_A_SECOND, 1, penalty)).allowed()).isTrue();
  }

  @Test
  void bringsAViolationBackWithARequestThatPassesWhenTheClockStepsBack() {
    Penalty penalty = new Penalty(seconds(10), 2, List.of(60));
    Subject store = subjectAt("2026-01-05T12:30:00Z");
    store.apply(acquire(ONE_A_SECOND, 2, penalty));
    store.advance(HOUR.negated());
    assertThat(store.apply(acquire(ONE_A_SECOND, 1, penalty)).allowed()).isTrue();
    store.advance(seconds(10));
    store.apply(acquire(ONE_A_SECOND, 2, penalty));
    assertThat(store.apply(acquire(ONE_A_SECOND, 1, penalty)).allowed())
        .as("the first violation ended 10 s after it was brought back")
        .isTrue();
  }

  @Test
  void asksForTheWaitOfTheLimitsIfThatIsLongerThanThePenalty() {
    Limit limit = Limit.perMinute(1).withBurst(5);
    Penalty penalty = new Penalty(HOUR, 1, List.of(1));
    Operation five = acquire(limit, 5, penalty);
    Subject store = subjectAt(MONDAY);
    assertThat(store.apply(five).allowed()).isTrue();
    assertRefused(store.apply(five), Reason.LIMIT_EXCEEDED, Duration.ofMinutes(5));
    store.advance(seconds(1));
    assertRefused(store.apply(five), Reason.PENALTY, seconds(299));
    store.advance(seconds(299));
    assertThat(store.apply(five).allowed()).isTrue();
  }
}
