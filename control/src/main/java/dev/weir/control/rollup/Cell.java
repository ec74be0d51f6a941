package dev.weir.control.rollup;

import dev.weir.policy.Outcome;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counters of what happened to one endpoint, tier and rule. Any thread counts, without a lock; one
 * takes out what has been counted.
 *
 * <p>The last minutes have counters of their own, which stay: who counts late, because his thread
 * stood still, still counts, and at worst for another minute. Nothing that was counted is lost.
 */
final class Cell {
  /** Minutes that are told apart: this one, the next, and two before. */
  static final int MINUTES = 4;

  private static final int OUTCOMES = Outcome.values().length;

  final String endpoint;
  final String tier;
  final String rule;

  /** By minute; in each first the outcomes, then the buckets of the latency. */
  private final AtomicReferenceArray<AtomicIntegerArray> counters =
      new AtomicReferenceArray<>(MINUTES);

  /** When something was last taken out; for who takes it out. */
  long lastMinute;

  Cell(String endpoint, String tier, String rule) {
    this.endpoint = endpoint;
    this.tier = tier;
    this.rule = rule;
  }

  boolean isFor(String endpoint, String tier, String rule) {
    return this.endpoint.equals(endpoint) && this.tier.equals(tier) && this.rule.equals(rule);
  }

  void count(long minute, Outcome outcome, int bucket) {
    AtomicIntegerArray ofMinute = ofMinute((int) Math.floorMod(minute, (long) MINUTES));
    // In this order: who finds an outcome finds its latency too.
    ofMinute.getAndIncrement(OUTCOMES + bucket);
    ofMinute.getAndIncrement(index(outcome));
  }

  private static int index(Outcome outcome) {
    return switch (outcome) {
      case ALLOWED -> 0;
      case THROTTLED -> 1;
      case BLOCKED -> 2;
    };
  }

  private AtomicIntegerArray ofMinute(int index) {
    AtomicIntegerArray ofMinute = counters.get(index);
    if (ofMinute != null) {
      return ofMinute;
    }
    AtomicIntegerArray made = new AtomicIntegerArray(OUTCOMES + LatencySketch.BUCKETS);
    AtomicIntegerArray other = counters.compareAndExchange(index, null, made);
    return other == null ? made : other;
  }

  /** Moves what was counted in a minute to a tally; whether there was anything. */
  boolean drain(int index, Tally target) {
    AtomicIntegerArray ofMinute = counters.get(index);
    if (ofMinute == null) {
      return false;
    }
    int allowed = ofMinute.getAndSet(index(Outcome.ALLOWED), 0);
    int throttled = ofMinute.getAndSet(index(Outcome.THROTTLED), 0);
    int blocked = ofMinute.getAndSet(index(Outcome.BLOCKED), 0);
    if ((allowed | throttled | blocked) == 0) {
      return false;
    }
    target.allowed += allowed;
    target.throttled += throttled;
    target.blocked += blocked;
    for (int bucket = 0; bucket < LatencySketch.BUCKETS; bucket++) {
      if (ofMinute.get(OUTCOMES + bucket) != 0) {
        target.latency.add(bucket, ofMinute.getAndSet(OUTCOMES + bucket, 0));
      }
    }
    return true;
  }
}
