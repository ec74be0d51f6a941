package dev.weir.testkit;

import dev.weir.Counter;
import dev.weir.Operation;
import dev.weir.PenaltyCounter;
import java.util.stream.Collectors;

/**
 * One call in a history.
 *
 * @param atMicros what the clock shows, in microseconds since the epoch; it may be earlier than in
 *     the step before
 * @param operation what is asked
 */
record Step(long atMicros, Operation operation) {

  /** One line to read: {@code 2026-01-01T00:00:00Z acquire 3: a/k1 [10/s], penalty p/k1 [...]}. */
  @Override
  public String toString() {
    String counters =
        operation.counters().stream().map(Step::text).collect(Collectors.joining(", "));
    String penalties = operation.penalties().stream().map(Step::text).collect(Collectors.joining());
    return EpochMicros.toInstant(atMicros) + " " + verb(operation) + ": " + counters + penalties;
  }

  private static String verb(Operation operation) {
    if (operation instanceof Operation.Acquire acquire) {
      return "acquire " + acquire.cost();
    }
    if (operation instanceof Operation.Peek peek) {
      return "peek " + peek.cost();
    }
    return operation instanceof Operation.Refund refund ? "refund " + refund.cost() : "reset";
  }

  private static String text(Counter counter) {
    return counter.name() + "/" + counter.key() + " [" + counter.limit() + "]";
  }

  private static String text(PenaltyCounter counter) {
    return ", penalty %s/%s [%d in %s, multipliers %s]"
        .formatted(
            counter.name(),
            counter.key(),
            counter.penalty().violationThreshold(),
            counter.penalty().detectionWindow(),
            counter.penalty().multipliers());
  }
}
