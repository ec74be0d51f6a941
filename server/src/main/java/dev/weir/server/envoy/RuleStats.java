package dev.weir.server.envoy;

import java.util.concurrent.atomic.LongAdder;

/**
 * What became of the hits on one rule. Of several hits at once, each is counted where it fell: of 5
 * hits that take a count from 8 to 13 under a limit of 10, 3 are over and 2 near it. Thread-safe.
 */
final class RuleStats {
  private final String key;
  private final LongAdder totalHits = new LongAdder();
  private final LongAdder overLimit = new LongAdder();
  private final LongAdder nearLimit = new LongAdder();
  private final LongAdder withinLimit = new LongAdder();
  private final LongAdder shadowMode = new LongAdder();
  private final LongAdder totalNegativeHits = new LongAdder();

  RuleStats(String key) {
    this.key = key;
  }

  /** The rule's name in statistics: {@code domain.key_value.key}. */
  String key() {
    return key;
  }

  /**
   * Hits were counted.
   *
   * @param after the count with them
   * @param limit what it may be
   * @param isShadow whether those over the limit pass all the same
   */
  void counted(long hits, long after, long limit, boolean isShadow) {
    if (hits == 0) {
      return;
    }
    long before = after - hits;
    long near = limit / 5 * 4 + limit % 5 * 4 / 5;
    totalHits.add(hits);
    if (after <= limit) {
      withinLimit.add(hits);
      add(nearLimit, after - Math.max(near, before));
      return;
    }
    long over = after - Math.max(limit, before);
    overLimit.add(over);
    add(nearLimit, limit - Math.max(near, before));
    if (isShadow) {
      shadowMode.add(over);
    }
  }

  private static void add(LongAdder sum, long part) {
    if (part > 0) {
      sum.add(part);
    }
  }

  /** Hits were refused as a whole, and counted nowhere. */
  void refused(long hits, boolean isShadow) {
    totalHits.add(hits);
    overLimit.add(hits);
    if (isShadow) {
      shadowMode.add(hits);
    }
  }

  /** Hits have room, but were not counted, since another limit of their request refused. */
  void hadRoom(long hits) {
    totalHits.add(hits);
    withinLimit.add(hits);
  }

  /** Hits were given back. */
  void givenBack(long hits) {
    totalNegativeHits.add(hits);
  }

  EnvoyStats.RuleCounts counts() {
    return new EnvoyStats.RuleCounts(
        key,
        totalHits.sum(),
        overLimit.sum(),
        nearLimit.sum(),
        withinLimit.sum(),
        shadowMode.sum(),
        totalNegativeHits.sum());
  }
}
