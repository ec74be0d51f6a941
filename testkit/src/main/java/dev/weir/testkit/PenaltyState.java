package dev.weir.testkit;

import dev.weir.Penalty;
import java.util.ArrayList;
import java.util.List;

/**
 * What one penalty counter holds. A counter without a state has {@link #NONE}.
 *
 * @param violations the instants of violations, oldest first
 * @param until when the penalty ends
 * @param length how long the penalty was when it started
 */
record PenaltyState(List<Long> violations, long until, long length) {

  static final PenaltyState NONE = new PenaltyState(List.of(), 0, 0);

  long timeLeft(long now) {
    return Math.max(0, until - now);
  }

  PenaltyState settle(long now) {
    return new PenaltyState(
        violations.stream().map(at -> Math.min(at, now)).toList(),
        Math.min(until, now + length),
        length);
  }

  /** The state after a violation of a limit whose period lasts {@code periodMicros}. */
  PenaltyState violate(Penalty penalty, long periodMicros, long now) {
    List<Long> kept = new ArrayList<>(violations);
    kept.add(now);
    if (kept.size() > Penalty.MAX_VIOLATIONS) {
      kept.remove(0);
    }
    int count = (int) kept.stream().filter(at -> counts(at, penalty, now)).count();
    if (count < penalty.violationThreshold()) {
      return new PenaltyState(kept, until, length);
    }
    int last = penalty.multipliers().size() - 1;
    int step = Math.min(count - penalty.violationThreshold(), last);
    long newLength = periodMicros * penalty.multipliers().get(step);
    return new PenaltyState(kept, now + newLength, newLength);
  }

  /** Whether a store may have forgotten the state, or a violation in it, by now. */
  boolean mayBeForgotten(Penalty penalty, long now) {
    return violations.isEmpty() || !counts(violations.get(0), penalty, now);
  }

  private static boolean counts(long at, Penalty penalty, long now) {
    return at > now - penalty.detectionWindow().toNanos() / 1_000;
  }
}
