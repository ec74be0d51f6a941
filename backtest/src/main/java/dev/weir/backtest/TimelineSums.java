package dev.weir.backtest;

import dev.weir.backtest.BacktestReport.Step;
import dev.weir.backtest.BacktestReport.Timeline;
import dev.weir.policy.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A time line of a bounded number of steps. When a request is past its end, pairs of steps become
 * one until there is room. Steps begin at multiples of their length.
 */
final class TimelineSums {
  private static final long FIRST_STEP_MICROS = 1_000_000;

  private List<Sums> steps = new ArrayList<>();
  private long stepMicros = FIRST_STEP_MICROS;

  /** The number of the first step, counted from the epoch. */
  private long first;

  /** The step of the last request, and when it ends: the next request is mostly of the same. */
  private Sums current = new Sums();

  private long currentEnd;

  /** A request; none may be earlier than the one before. */
  void add(long atMicros, Outcome now, @Nullable Outcome then) {
    if (atMicros >= currentEnd) {
      goTo(atMicros);
    }
    current.add(now, then);
  }

  private void goTo(long atMicros) {
    if (steps.isEmpty()) {
      first = atMicros / stepMicros;
    }
    while (atMicros / stepMicros - first >= Timeline.MOST_STEPS) {
      halve();
    }
    int index = (int) (atMicros / stepMicros - first);
    while (steps.size() <= index) {
      steps.add(new Sums());
    }
    current = steps.get(index);
    currentEnd = (first + index + 1) * stepMicros;
  }

  private void halve() {
    List<Sums> fewer = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      int index = (int) ((first + i) / 2 - first / 2);
      if (index == fewer.size()) {
        fewer.add(steps.get(i));
      } else {
        fewer.get(index).addAll(steps.get(i));
      }
    }
    steps = fewer;
    first /= 2;
    stepMicros *= 2;
  }

  Timeline timeline() {
    List<Step> list = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      list.add(new Step((first + i) * stepMicros, steps.get(i).comparison()));
    }
    return new Timeline(stepMicros, list);
  }
}
