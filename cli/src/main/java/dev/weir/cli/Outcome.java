package dev.weir.cli;

import java.util.List;
import java.util.Optional;

/**
 * What became of a pattern of requests. All times are in microseconds from the start.
 *
 * @param allowed how many passed
 * @param refused how many did not
 * @param refusals more about the refused ones; empty when all passed
 * @param sliceMicros the length of a slice of the timeline; the last may be shorter
 * @param timeline the slices, without a gap
 */
record Outcome(
    long allowed,
    long refused,
    Optional<Refusals> refusals,
    long sliceMicros,
    List<Slice> timeline) {

  long offered() {
    return allowed + refused;
  }

  /** The most requests in one slice. */
  long mostOffered() {
    return timeline.stream().mapToLong(Slice::offered).max().orElse(0);
  }

  /**
   * One slice of time.
   *
   * @param atMicros its start
   * @param remaining what the limit still had in the last microsecond of the slice
   */
  record Slice(long atMicros, long allowed, long refused, long remaining) {
    long offered() {
      return allowed + refused;
    }
  }

  /**
   * When requests were refused.
   *
   * @param firstMicros the first refusal
   * @param retryAfterMicros how long that one was told to wait; 0 if waiting never helps
   * @param longestRun the most refusals in a row
   * @param runFromMicros the first of these
   * @param runToMicros the last of these
   */
  record Refusals(
      long firstMicros,
      long retryAfterMicros,
      long longestRun,
      long runFromMicros,
      long runToMicros) {}
}
