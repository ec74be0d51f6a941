package dev.weir.backtest;

import dev.weir.policy.Outcome;
import org.jspecify.annotations.Nullable;

/** A {@link Comparison} that is being added up. */
final class Sums {
  private final long[] after = new long[3];
  private final long[] before = new long[3];
  private long newlyRefused;
  private long noLongerRefused;

  /** One request on both sides. */
  void add(Outcome now, @Nullable Outcome then) {
    addAfter(now);
    if (then != null) {
      addBefore(then);
      addChange(now, then);
    }
  }

  void addAfter(Outcome now) {
    after[index(now)]++;
  }

  void addBefore(Outcome then) {
    before[index(then)]++;
  }

  /** One that is refused now and was not before. */
  void addNewlyRefused() {
    newlyRefused++;
  }

  /** One that was refused before and is not now. */
  void addNoLongerRefused() {
    noLongerRefused++;
  }

  private void addChange(Outcome now, Outcome then) {
    if (now != then) {
      newlyRefused += then == Outcome.ALLOWED ? 1 : 0;
      noLongerRefused += now == Outcome.ALLOWED ? 1 : 0;
    }
  }

  void addAll(Sums other) {
    for (int i = 0; i < after.length; i++) {
      after[i] += other.after[i];
      before[i] += other.before[i];
    }
    newlyRefused += other.newlyRefused;
    noLongerRefused += other.noLongerRefused;
  }

  private static int index(Outcome outcome) {
    return switch (outcome) {
      case ALLOWED -> 0;
      case THROTTLED -> 1;
      case BLOCKED -> 2;
    };
  }

  Comparison comparison() {
    return new Comparison(tally(after), tally(before), newlyRefused, noLongerRefused);
  }

  private static Tally tally(long[] counts) {
    return new Tally(counts[0], counts[1], counts[2]);
  }
}
