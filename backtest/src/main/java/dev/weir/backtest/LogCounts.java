package dev.weir.backtest;

import java.util.ArrayList;
import java.util.List;

/**
 * What was found in a log. Every line is a request, or bad, or malformed, or skipped.
 *
 * @param lines how many lines, or rows, were read; empty ones are not counted
 * @param requests how many of them are requests to replay
 * @param bad how many could not be understood
 * @param malformed how many hold a request that Weir answers with 400 and does not count
 * @param skipped how many hold no request that is wanted: backend errors, other times
 * @param late how many requests came later than could be sorted; they were replayed where they came
 * @param examples of bad and malformed lines, each with its place and what is wrong
 */
public record LogCounts(
    long lines,
    long requests,
    long bad,
    long malformed,
    long skipped,
    long late,
    List<String> examples) {
  /** How many examples are kept. */
  public static final int MOST_EXAMPLES = 10;

  static final LogCounts NONE = new LogCounts(0, 0, 0, 0, 0, 0, List.of());

  public LogCounts {
    examples = List.copyOf(examples);
  }

  /** Both together. */
  LogCounts plus(LogCounts other) {
    List<String> all = new ArrayList<>(examples);
    all.addAll(other.examples);
    return new LogCounts(
        lines + other.lines,
        requests + other.requests,
        bad + other.bad,
        malformed + other.malformed,
        skipped + other.skipped,
        late + other.late,
        all.subList(0, Math.min(MOST_EXAMPLES, all.size())));
  }
}
