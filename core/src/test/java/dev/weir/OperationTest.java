package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationTest {
  private static final Limit LIMIT = Limit.perSecond(1);
  private static final Penalty PENALTY = new Penalty(Duration.ofMinutes(1), 1, List.of(1));
  private static final List<Counter> ONE = List.of(new Counter("api", "alice", LIMIT));
  private static final List<PenaltyCounter> PENALTIES =
      List.of(new PenaltyCounter("api", "alice", PENALTY));

  @Test
  void shortFormsHaveNoPenalties() {
    assertThat(new Operation.Acquire(ONE, 1).penalties()).isEmpty();
    assertThat(new Operation.Peek(ONE, 1).penalties()).isEmpty();
    assertThat(new Operation.Reset(ONE).penalties()).isEmpty();
    assertThat(new Operation.Refund(ONE, 1).penalties()).isEmpty();
  }

  @Test
  void keepsItsOwnCounters() {
    List<Counter> counters = new ArrayList<>(ONE);
    List<PenaltyCounter> penalties = new ArrayList<>(PENALTIES);
    List<Operation> operations =
        List.of(
            new Operation.Acquire(counters, penalties, 1),
            new Operation.Peek(counters, penalties, 1),
            new Operation.Reset(counters, penalties));
    Operation refund = new Operation.Refund(counters, 1);
    counters.clear();
    penalties.clear();

    assertThat(operations)
        .allSatisfy(
            operation -> {
              assertThat(operation.counters()).isEqualTo(ONE);
              assertThat(operation.penalties()).isEqualTo(PENALTIES);
            });
    assertThat(refund.counters()).isEqualTo(ONE);
  }

  @Test
  void refusesToBeAboutNothing() {
    String message = "counters must have at least one element, got []";

    assertThatThrownBy(() -> new Operation.Acquire(List.of(), 1)).hasMessage(message);
    assertThatThrownBy(() -> new Operation.Peek(List.of(), 1)).hasMessage(message);
    assertThatThrownBy(() -> new Operation.Refund(List.of(), 1)).hasMessage(message);
    assertThatThrownBy(() -> new Operation.Reset(List.of())).hasMessage(message);
  }

  @Test
  void refusesACounterTwice() {
    List<Counter> twice =
        List.of(
            new Counter("api", "alice", LIMIT),
            new Counter("login", "alice", LIMIT),
            new Counter("api", "alice", Limit.perHour(5)));
    String message = "counters must differ in name or key, got \"api\" of \"alice\" twice";

    assertThatThrownBy(() -> new Operation.Acquire(twice, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> new Operation.Peek(twice, 1)).hasMessage(message);
    assertThatThrownBy(() -> new Operation.Refund(twice, 1)).hasMessage(message);
    assertThatThrownBy(() -> new Operation.Reset(twice)).hasMessage(message);
  }

  @Test
  void refusesAPenaltyTwice() {
    List<PenaltyCounter> twice =
        List.of(
            new PenaltyCounter("api", "alice", PENALTY),
            new PenaltyCounter("api", "bob", PENALTY),
            new PenaltyCounter("api", "alice", new Penalty(Duration.ofHours(1), 2, List.of(3))));
    String message = "penalties must differ in name or key, got \"api\" of \"alice\" twice";

    assertThatThrownBy(() -> new Operation.Acquire(ONE, twice, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> new Operation.Peek(ONE, twice, 1)).hasMessage(message);
    assertThatThrownBy(() -> new Operation.Reset(ONE, twice)).hasMessage(message);
    assertThat(new Operation.Reset(ONE, twice.subList(0, 2)).penalties()).hasSize(2);
  }

  @Test
  void countersMayShareANameOrAKey() {
    List<Counter> counters =
        List.of(
            new Counter("api", "alice", LIMIT),
            new Counter("api", "bob", LIMIT),
            new Counter("login", "alice", LIMIT),
            new Counter("alice", "api", LIMIT));

    assertThat(new Operation.Acquire(counters, 1).counters()).isEqualTo(counters);
  }

  @Test
  void costsHaveALowerBound() {
    assertThat(new Operation.Acquire(ONE, 0).cost()).isZero();
    assertThat(new Operation.Peek(ONE, 0).cost()).isZero();
    assertThat(new Operation.Refund(ONE, 1).cost()).isEqualTo(1);
    assertThatThrownBy(() -> new Operation.Acquire(ONE, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cost must be at least 0, got -1");
    assertThatThrownBy(() -> new Operation.Peek(ONE, -3))
        .hasMessage("cost must be at least 0, got -3");
    assertThatThrownBy(() -> new Operation.Refund(ONE, 0))
        .hasMessage("cost must be at least 1, got 0");
  }

  @Test
  @SuppressWarnings("NullAway") // What a caller without null checks may pass.
  void countersNeedEveryPart() {
    assertThatNullPointerException()
        .isThrownBy(() -> new Counter(null, "key", LIMIT))
        .withMessage("name");
    assertThatNullPointerException()
        .isThrownBy(() -> new Counter("name", null, LIMIT))
        .withMessage("key");
    assertThatNullPointerException()
        .isThrownBy(() -> new Counter("name", "key", null))
        .withMessage("limit");
    assertThatNullPointerException()
        .isThrownBy(() -> new PenaltyCounter(null, "key", PENALTY))
        .withMessage("name");
    assertThatNullPointerException()
        .isThrownBy(() -> new PenaltyCounter("name", null, PENALTY))
        .withMessage("key");
    assertThatNullPointerException()
        .isThrownBy(() -> new PenaltyCounter("name", "key", null))
        .withMessage("penalty");
  }
}
