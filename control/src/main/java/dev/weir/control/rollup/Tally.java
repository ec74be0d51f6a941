package dev.weir.control.rollup;

/** What happened, added up. Not for several threads. */
final class Tally {
  long allowed;
  long throttled;
  long blocked;
  long cacheHits;
  long cacheMisses;
  final LatencySketch latency = new LatencySketch();

  void add(Tally other) {
    allowed += other.allowed;
    throttled += other.throttled;
    blocked += other.blocked;
    cacheHits += other.cacheHits;
    cacheMisses += other.cacheMisses;
    latency.add(other.latency);
  }

  boolean isEmpty() {
    return allowed == 0
        && throttled == 0
        && blocked == 0
        && cacheHits == 0
        && cacheMisses == 0
        && latency.count() == 0;
  }
}
