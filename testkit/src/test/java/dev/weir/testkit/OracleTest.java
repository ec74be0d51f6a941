package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.Operation;
import dev.weir.Penalty;
import dev.weir.PenaltyCounter;
import dev.weir.Period;
import dev.weir.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Single steps of the oracle by hand; whole scenarios are in {@link OracleContractTest}. Times are
 * microseconds; a window of 10 s starts at 100 s.
 */
class OracleTest {

  private static final long SECOND = 1_000_000;
  private static final long START = 100 * SECOND;

  private final Oracle oracle = new Oracle();

  private static List<Counter> counter(Limit limit) {
    return List.of(new Counter("name", "key", limit));
  }

  private Decision acquire(Limit limit, long cost, long now) {
    return oracle.apply(new Operation.Acquire(counter(limit), cost), now);
  }

  private static Decision decision(
      Reason reason, Limit limit, long now, long retryAfter, long remaining, long reset) {
    return new Decision(
        reason, now, retryAfter, 0, List.of(new LimitStatus("name", limit, remaining, reset)));
  }

  @Test
  void countsABucketInFractionsOfAMicrosecond() {
    Limit limit = Limit.perSecond(7);
    // 3 permits take 428,571 3/7 us.
    assertThat(acquire(limit, 3, START))
        .isEqualTo(decision(Reason.WITHIN_LIMITS, limit, START, 0, 4, START + 428_572));
    // At 428,571 us 3/7 us are left, that is 3/1,000,000 of a permit.
    assertThat(acquire(limit, 7, START + 428_571))
        .isEqualTo(decision(Reason.LIMIT_EXCEEDED, limit, START + 428_571, 1, 6, START + 428_572));
    assertThat(acquire(limit, 7, START + 428_572))
        .isEqualTo(decision(Reason.WITHIN_LIMITS, limit, START + 428_572, 0, 0, START + 1_428_572));
  }

  @Test
  void roundsASlidingWindowsShareUp() {
    Limit limit = Limit.slidingWindow(10, Duration.ofSeconds(10));
    assertThat(acquire(limit, 3, START).allowed()).isTrue();
    // 4 s into the next window 3 · 6 / 10 = 1.8 count, and the 1 that is charged.
    assertThat(acquire(limit, 1, START + 14 * SECOND))
        .isEqualTo(
            decision(Reason.WITHIN_LIMITS, limit, START + 14 * SECOND, 0, 7, START + 30 * SECOND));
  }

  @Test
  void keepsAWindowThatStartedInTheFutureFromTheStartOfThisOne() {
    Limit limit = Limit.fixedWindow(5, Duration.ofSeconds(10));
    assertThat(acquire(limit, 4, START + 3 * SECOND).allowed()).isTrue();
    long before = START - 4 * SECOND;
    assertThat(acquire(limit, 2, before))
        .isEqualTo(decision(Reason.LIMIT_EXCEEDED, limit, before, 4 * SECOND, 1, START));
    // The refusal moved the count to the window before, which is over now.
    assertThat(acquire(limit, 5, START + 3 * SECOND).allowed()).isTrue();
  }

  @Test
  void startsNoWindowWithARefusedRequest() {
    FixedWindow limit =
        new FixedWindow(5, Period.Span.of(Duration.ofSeconds(10)), FixedWindow.Align.FIRST_REQUEST);
    assertThat(acquire(limit, 6, START).reason()).isEqualTo(Reason.COST_EXCEEDS_LIMIT);
    assertThat(acquire(limit, 1, START + SECOND).status().resetMicros())
        .isEqualTo(START + 11 * SECOND);
  }

  @Test
  void keepsAPenaltysViolationsAndItsEndApart() {
    Penalty penalty = new Penalty(Duration.ofSeconds(5), 1, List.of(1, 3));
    Limit limit = Limit.slidingLog(1, Duration.ofSeconds(10));
    Operation tooMuch =
        new Operation.Acquire(
            counter(limit), List.of(new PenaltyCounter("penalty", "key", penalty)), 2);
    assertThat(oracle.apply(tooMuch, START).reason()).isEqualTo(Reason.COST_EXCEEDS_LIMIT);
    assertThat(oracle.apply(tooMuch, START + 6 * SECOND))
        .returns(Reason.PENALTY, Decision::reason)
        .returns(4 * SECOND, Decision::retryAfterMicros);
    // The violation is out of its window by now: this is the first again, of 10 s and not 30.
    oracle.apply(tooMuch, START + 10 * SECOND);
    assertThat(oracle.apply(tooMuch, START + 11 * SECOND).retryAfterMicros()).isEqualTo(9 * SECOND);
  }

  @Test
  void knowsWhatAStoreMayHaveForgotten() {
    Counter bucket = new Counter("bucket", "key", Limit.perSecond(1));
    Counter log = new Counter("log", "key", Limit.slidingLog(5, Duration.ofSeconds(1)));
    assertThat(oracle.mayHaveForgotten(bucket, START)).as("never charged").isTrue();
    oracle.apply(new Operation.Acquire(List.of(bucket, log), 1), START);
    assertThat(oracle.mayHaveForgotten(bucket, START + SECOND - 1)).isFalse();
    assertThat(oracle.mayHaveForgotten(bucket, START + SECOND)).as("full again").isTrue();
    oracle.apply(new Operation.Acquire(List.of(log), 1), START + 1);
    assertThat(oracle.mayHaveForgotten(log, START + SECOND - 1)).isFalse();
    assertThat(oracle.mayHaveForgotten(log, START + SECOND)).as("one of two gone").isTrue();
  }
}
