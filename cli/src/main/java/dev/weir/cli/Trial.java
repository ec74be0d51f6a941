package dev.weir.cli;

import dev.weir.Limit;
import dev.weir.SlidingLog;

/**
 * What is tried: requests against a limit.
 *
 * @param cost what each request costs, at least 1
 */
record Trial(Limit limit, Arrivals arrivals, long cost) {

  /** A log is walked for every request: the most entries to walk in all, some ten seconds. */
  private static final long MOST_LOG_ENTRIES = 2_500_000_000L;

  Trial {
    long requests = arrivals.count();
    if (limit instanceof SlidingLog
        && requests * Math.min(limit.permits(), requests) > MOST_LOG_ENTRIES) {
      throw new InputException(
          "%d requests are too many to replay against %s, at most %d; give a lower --rate, a shorter --for or smaller bursts"
              .formatted(requests, limit, MOST_LOG_ENTRIES / limit.permits()));
    }
  }

  Outcome run(int mostSlices) {
    return Simulation.run(limit, arrivals, cost, Slicing.sliceMicros(arrivals, mostSlices));
  }
}
