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

  private static final String NO_KEY = "";
  private static final long MOST_KEYS = 100_000_000;
  private static final SecureRandom SECRETS = new SecureRandom();

  private final TimeSource time;
  private final long maxKeys;
  private final boolean isCompact;
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
    this(time, maxKeys, false);
  }

  private MemoryCounterStore(TimeSource time, long maxKeys, boolean isCompact) {
    if (maxKeys < 1 || maxKeys > MOST_KEYS) {
      throw new IllegalArgumentException(
          "maxKeys must be between 1 and %d, got %d".formatted(MOST_KEYS, maxKeys));
    }
    this.time = time;
    this.maxKeys = maxKeys;
    this.isCompact = isCompact;
  }

  /**
   * A store that is quick for one thread, such as one that replays what was: it has its counters
   * close together, and drops those that have recovered sooner. It decides the same as others. More
   * threads may use it, but get into each other's way.
   *
   * @param time the clock
   * @param maxKeys the most keys for each counter name, from 1 to 100 million
   */
  public static MemoryCounterStore compact(TimeSource time, long maxKeys) {
    return new MemoryCounterStore(time, maxKeys, true);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Mostly all keys of an operation are one text.
  public Decision applyNow(Operation operation) {
    long now = time.nowMicros();
    List<Counter> asked = operation.counters();
    if (operation instanceof Operation.Acquire acquire
        && asked.size() == 1
        && acquire.penalties().isEmpty()) {
      Counter counter = asked.get(0);
      Decision decision =
          SoleLimit.acquire(
              table(counter.name()), fingerprint(counter.key()), counter, now, acquire.cost());
      if (decision != null) {
        return decision;
      }
    }
    Transaction transaction = Transaction.at(time, now);
    String key = NO_KEY;
    long fingerprint = Cells.ALONE;
    // By index: an iterator for each decision is not always optimised away.
    for (int i = 0; i < asked.size(); i++) {
      Counter counter = asked.get(i);
      CounterTable table = table(counter.name());
      if (counter.key() != key) {
        key = counter.key();
        fingerprint = fingerprint(key);
      }
      transaction.addLimit(
          table, fingerprint, table.meter(counter.limit()), counter.limit().capacity());
    }
    List<PenaltyCounter> punishing = operation.penalties();
    for (int i = 0; i < punishing.size(); i++) {
      PenaltyCounter counter = punishing.get(i);
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
    return known == null
        ? counters.computeIfAbsent(name, any -> new CounterTable(maxKeys, isCompact))
        : known;
  }

  CounterTable penaltyTable(String name) {
    return penalties.computeIfAbsent(name, any -> new CounterTable(maxKeys, isCompact));
  }

  PenaltyState penaltyState(Penalty penalty) {
    return penaltyStates.computeIfAbsent(penalty, PenaltyState::new);
  }
}
