package dev.weir;

import java.time.Duration;
import java.util.List;

/**
 * A cool-down that grows with repeated violations. From the {@code violationThreshold}-th violation
 * within {@code detectionWindow} on, a key is refused for the refusing limit's window times a
 * multiplier: the first multiplier at the threshold, the next one at one violation more, the last
 * one from there on.
 *
 * @param detectionWindow how long a violation is remembered, from 1 ms to 366 days
 * @param violationThreshold how many violations start a penalty, from 1 to {@value #MAX_VIOLATIONS}
 * @param multipliers at least one, each from 1 to {@value #MAX_MULTIPLIER}
 */
public record Penalty(Duration detectionWindow, int violationThreshold, List<Integer> multipliers) {

  /** The most violations that are remembered of one key. */
  public static final int MAX_VIOLATIONS = 1_000;

  /** The largest multiplier. */
  public static final int MAX_MULTIPLIER = 100;

  public Penalty {
    if (detectionWindow.compareTo(Period.SHORTEST) < 0
        || detectionWindow.compareTo(Period.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "detectionWindow must be between 1ms and 366d, got " + detectionWindow);
    }
    if (violationThreshold < 1 || violationThreshold > MAX_VIOLATIONS) {
      throw new IllegalArgumentException(
          "violationThreshold must be between 1 and %d, got %d"
              .formatted(MAX_VIOLATIONS, violationThreshold));
    }
    multipliers = List.copyOf(multipliers);
    if (multipliers.isEmpty()) {
      throw new IllegalArgumentException("multipliers must have at least one element, got []");
    }
    for (int multiplier : multipliers) {
      if (multiplier < 1 || multiplier > MAX_MULTIPLIER) {
        throw new IllegalArgumentException(
            "multipliers must be between 1 and %d, got %s".formatted(MAX_MULTIPLIER, multipliers));
      }
    }
  }

  /** The multiplier at that number of violations, which is at least the threshold. */
  int multiplier(int violations) {
    int step = Math.min(violations - violationThreshold, multipliers.size() - 1);
    return multipliers.get(step);
  }
}
