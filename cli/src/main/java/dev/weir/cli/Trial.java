package dev.weir.cli;

import dev.weir.Limit;

/**
 * What is tried: requests against a limit.
 *
 * @param cost what each request costs, at least 1
 */
record Trial(Limit limit, Arrivals arrivals, long cost) {

  Outcome run(int mostSlices) {
    return Simulation.run(limit, arrivals, cost, Slicing.sliceMicros(arrivals, mostSlices));
  }
}
