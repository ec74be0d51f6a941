package dev.weir;

import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counters in the memory of this JVM: exact, bounded, and decided on the caller's thread.
 *
 * <p>For each counter name at most {@code maxKeys} keys have a counter of their own. Counters that
 * have recovered make way for new ones; when none has, new keys share one overflow counter of the
 * same limit, so that a flood of keys neither exhausts memory nor frees anybody from a limit. Keys
 * are not kept, only their hashes under a secret of this store.
 */
public final class MemoryCounterStore implements DirectCounterStore {

  /** The bound on keys for each name unless another is given. */
  public static final long DEFAULT_MAX_KEYS = 1_000_000;

  private static final long MOST_KEYS = 100_000_000;
  private static final SecureRandom SECRETS = new SecureRandom();

  private final TimeSource time;
  private final long maxKeys;
  private final SipHash hash = new SipHash(SECRETS.nextLong(), SECRETS.nextLong());
  private final Map<String, CounterTable> counters = new ConcurrentHashMap<>();
  private final Map<String, CounterTable> penalties = new ConcurrentHashMap<>();
  private final Map<Penalty, PenaltyState> penaltyStates = new ConcurrentHashMap<>();

  /** A store on the system's clock with the default bound. */
  public MemoryCounterStore() {
    this(TimeSource.system(), DEFAULT_MAX_KEYS);
  }

  /**
   * A store on that clock.
   *
   * @param time the clock
   * @param maxKeys the most keys for each counter name, from 1 to 100 million
   */
  public MemoryCounterStore(TimeSource time, long maxKeys) {
    if (maxKeys < 1 || maxKeys > MOST_KEYS) {
      throw new IllegalArgumentException(
          "maxKeys must be between 1 and %d, got %d".formatted(MOST_KEYS, maxKeys));
    }
    this.time = time;
    this.maxKeys = maxKeys;
  }

  @Override
  public Decision applyNow(Operation operation) {
    Transaction transaction = Transaction.at(time, time.nowMicros());
    for (Counter counter : operation.counters()) {
      CounterTable table = table(counter.name());
      transaction.addLimit(
          table,
          fingerprint(counter.key()),
          table.meter(counter.limit()),
          counter.limit().capacity());
    }
    for (PenaltyCounter counter : operation.penalties()) {
      transaction.addPenalty(
          penaltyTable(counter.name()),
          fingerprint(counter.key()),
          penaltyState(counter.penalty()));
    }
    return apply(operation, transaction);
  }

  private static Decision apply(Operation operation, Transaction transaction) {
    try {
      if (operation instanceof Operation.Acquire acquire) {
        transaction.acquire(acquire.cost());
      } else if (operation instanceof Operation.Peek peek) {
        transaction.peek(peek.cost());
      } else if (operation instanceof Operation.Refund refund) {
        transaction.refund(refund.cost());
      } else {
        transaction.reset();
      }
      return transaction.decision(operation.counters());
    } finally {
      transaction.end();
    }
  }

  /** How full the store is, over all counter names. */
  public MemoryStatistics statistics() {
    MemoryStatistics sum = new MemoryStatistics(0, 0, 0);
    for (Map<String, CounterTable> tables : List.of(counters, penalties)) {
      for (CounterTable table : tables.values()) {
        sum = sum.plus(table.statistics());
      }
    }
    return sum;
  }

  /** Does nothing: the memory is free when nobody holds the store any more. */
  @Override
  public void close() {}

  TimeSource time() {
    return time;
  }

  /** The empty key, which stands for no key, has a cell that needs no search. */
  long fingerprint(String key) {
    return key.isEmpty() ? Cells.ALONE : CounterTable.fingerprint(hash.hash(key));
  }

  CounterTable table(String name) {
    CounterTable known = counters.get(name);
    return known == null ? counters.computeIfAbsent(name, any -> new CounterTable(maxKeys)) : known;
  }

  CounterTable penaltyTable(String name) {
    return penalties.computeIfAbsent(name, any -> new CounterTable(maxKeys));
  }

  PenaltyState penaltyState(Penalty penalty) {
    return penaltyStates.computeIfAbsent(penalty, PenaltyState::new);
  }
}
