package dev.weir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one limiter, bound to their tables in a store in memory: the way of {@code
 * tryAcquire}, which allocates nothing.
 */
final class MemoryPath {
  /** A cell that is gone, which makes a charge look again. */
  private static final long[] NOT_NARROW = new long[Cells.NARROW_ALONE_AT + 2];

  static {
    NOT_NARROW[Cells.NARROW_ALONE_AT + Cells.HEAD] = Cells.GONE;
  }

  private final MemoryCounterStore store;
  private final TimeSource time;
  private final CounterTable[] tables;
  private final Meter[] meters;
  private final long[] capacities;
  private final @Nullable CounterTable penaltyTable;
  private final @Nullable PenaltyState penalty;

  /** The meter of the only limit, if one compare-and-set does for it. */
  private final @Nullable TokenBucketMeter single;

  // Parts of the only limit, here so that the way to its state is short.
  private final CounterTable firstTable;
  private final long firstCapacity;

  /**
   * The words of the cell without a key while it is narrow. Racy on purpose: words that were
   * replaced say so by their head, and then the current ones are looked up.
   */
  private long[] aloneWords = NOT_NARROW;

  MemoryPath(MemoryCounterStore store, List<Counter> counters, List<PenaltyCounter> penalties) {
    this.store = store;
    this.time = store.time();
    int size = counters.size();
    this.tables = new CounterTable[size];
    this.meters = new Meter[size];
    this.capacities = new long[size];
    for (int i = 0; i < size; i++) {
      Limit limit = counters.get(i).limit();
      tables[i] = store.table(counters.get(i).name());
      meters[i] = tables[i].meter(limit);
      capacities[i] = limit.capacity();
    }
    this.penaltyTable = penalties.isEmpty() ? null : store.penaltyTable(penalties.get(0).name());
    this.penalty = penalties.isEmpty() ? null : store.penaltyState(penalties.get(0).penalty());
    this.firstTable = tables[0];
    this.firstCapacity = capacities[0];
    this.single =
        size == 1 && penalties.isEmpty() && meters[0] instanceof TokenBucketMeter meter
            ? meter
            : null;
  }

  /** {@link #tryAcquire(String, long)} without a key. */
  boolean tryAcquire(long cost) {
    long now = time.nowMicros();
    if (single != null && cost > 0 && cost <= firstCapacity) {
      int result = single.tryCharge(aloneWords, Cells.NARROW_ALONE_AT, now, cost);
      if (result != TokenBucketMeter.LOOK_AGAIN) {
        return result == TokenBucketMeter.CHARGED;
      }
      Cells cells = firstTable.alone(single).cells();
      aloneWords = cells.narrow == single ? cells.words : NOT_NARROW;
    }
    return transact(Cells.ALONE, now, cost);
  }

  boolean tryAcquire(String key, long cost) {
    long fingerprint = store.fingerprint(key);
    long now = time.nowMicros();
    if (single != null && cost > 0 && cost <= firstCapacity) {
      int result = firstTable.tryCharge(fingerprint, single, time, now, cost);
      if (result != TokenBucketMeter.LOOK_AGAIN) {
        return result == TokenBucketMeter.CHARGED;
      }
    }
    return transact(fingerprint, now, cost);
  }

  private boolean transact(long fingerprint, long now, long cost) {
    Transaction transaction = Transaction.at(time, now);
    for (int i = 0; i < tables.length; i++) {
      transaction.addLimit(tables[i], fingerprint, meters[i], capacities[i]);
    }
    if (penaltyTable != null && penalty != null) {
      transaction.addPenalty(penaltyTable, fingerprint, penalty);
    }
    try {
      return transaction.acquire(cost);
    } finally {
      transaction.end();
    }
  }
}
