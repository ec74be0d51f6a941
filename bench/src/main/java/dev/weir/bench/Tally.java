package dev.weir.bench;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What came of requests: how long they took, and how many went wrong. One thread at a time. */
final class Tally {
  private static final int DIGITS = 2;

  private final Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
  private final boolean wanted;
  private long wrong;
  private long failed;

  /**
   * Nothing yet.
   *
   * @param wanted what every answer has to be
   */
  Tally(boolean wanted) {
    this.wanted = wanted;
  }

  /** Counts a request that was sent at that time and is answered now. */
  void count(long sentNanos, @Nullable Boolean answer, @Nullable Throwable failure) {
    nanos.recordValue(Math.min(System.nanoTime() - sentNanos, nanos.getHighestTrackableValue()));
    if (answer == null) {
      if (failed++ == 0) {
        System.err.println("a request failed: " + failure);
      }
    } else if (answer != wanted) {
      wrong++;
    }
  }

  /** Counts what the other has counted. */
  void add(Tally other) {
    nanos.add(other.nanos);
    wrong += other.wrong;
    failed += other.failed;
  }

  /** How many requests there were. */
  long count() {
    return nanos.getTotalCount();
  }

  /** How many were answered as they must not be. */
  long wrong() {
    return wrong;
  }

  /** How many got no answer. */
  long failed() {
    return failed;
  }

  /** The time within which that many of a hundred were answered. */
  double micros(double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1_000.0;
  }
}
