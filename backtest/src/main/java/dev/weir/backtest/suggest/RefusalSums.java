package dev.weir.backtest.suggest;

import java.util.List;

/** How many requests each rung refused, each request with the weight that its sample had then. */
final class RefusalSums {
  private final long[][] refused;
  private long weight = 1;
  private long requests;

  RefusalSums(List<Lane> lanes) {
    refused = new long[lanes.size()][];
    for (Lane lane : lanes) {
      refused[lane.number()] = new long[lane.rungs()];
    }
  }

  /** From now on each request stands for twice as many as before. */
  void doubleWeight() {
    weight *= 2;
  }

  void addRequest() {
    requests += weight;
  }

  /** The latest request was refused by these rungs, given as bits. */
  void add(int lane, long rungs) {
    long[] ofLane = refused[lane];
    for (long left = rungs; left != 0; left &= left - 1) {
      ofLane[Long.numberOfTrailingZeros(left)] += weight;
    }
  }

  Share share(int lane, int rung) {
    return new Share(refused[lane][rung], requests);
  }
}
