package dev.weir.conformance;

import java.util.List;

/**
 * What became of the cases of a run.
 *
 * @param outcomes one for each case, in the order of the table
 */
public record Report(List<Outcome> outcomes) {

  /** Takes a list of its own. */
  public Report {
    outcomes = List.copyOf(outcomes);
  }

  /** How a case can end. */
  public enum Verdict {
    /** All answers were as the table says. */
    PASSED,
    /** One was not. */
    FAILED,
    /** It was not tried. */
    SKIPPED
  }

  /**
   * One case.
   *
   * @param title theme and name
   * @param verdict how it ended
   * @param detail of a failed case the differences, of a skipped one the reason; else empty
   */
  public record Outcome(String title, Verdict verdict, String detail) {

    @Override
    public String toString() {
      return switch (verdict) {
        case PASSED -> "ok       " + title;
        case FAILED -> "FAILED   " + title + "\n" + detail.indent(4).stripTrailing();
        case SKIPPED -> "skipped  " + title + ": " + detail;
      };
    }
  }

  /** How many ended so. */
  public long count(Verdict verdict) {
    return outcomes.stream().filter(outcome -> outcome.verdict() == verdict).count();
  }

  /** The failed ones, with what was wrong. */
  public List<Outcome> failures() {
    return outcomes.stream().filter(outcome -> outcome.verdict() == Verdict.FAILED).toList();
  }

  /** {@code 3 passed, 0 failed, 1 skipped}. */
  public String summary() {
    return "%d passed, %d failed, %d skipped"
        .formatted(count(Verdict.PASSED), count(Verdict.FAILED), count(Verdict.SKIPPED));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    outcomes.forEach(outcome -> text.append(outcome).append('\n'));
    return text.append(summary()).toString();
  }
}
