package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.Operation;
import dev.weir.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Refusals that cannot have changed since: whoever goes on asking gets them again without a call.
 *
 * <p>A refusal stands until its retry-after has passed, or until there is news that one of its
 * counters has room. News is numbered; of each group of counters the number of the latest is kept,
 * and a refusal knows how many there had been when it was asked for. So news that overtakes the
 * answer is not missed. A refusal that was counted as a violation is not remembered, since the next
 * one counts as well; one by a running penalty is, until the penalty ends.
 *
 * <p>Each refusal has two rows of four places by its hash. If all are taken, it replaces that which
 * ends first: what is forgotten costs one call. Safe for use by many threads; two that write one
 * place at once may leave the hash of the other there, which is then not found.
 */
final class Refusals {
  /** For so many clients that hammer at once; each takes some 300 bytes, others nothing. */
  private static final int PLACES = 1 << 18;

  private static final int ROW = 4;

  private static final int GROUPS = 1 << 12;

  /** However long a refusal lasts, now and then the server is asked. */
  private static final long LONGEST_MICROS = Duration.ofSeconds(30).toNanos() / 1_000;

  private final boolean isOn;
  private final KeyNames names;
  private final LongSupplier micros;

  private final AtomicReferenceArray<@Nullable Refusal> refusals =
      new AtomicReferenceArray<>(PLACES);

  /** Of each refusal, so that those of others need not be looked at. */
  private final AtomicIntegerArray hashes = new AtomicIntegerArray(PLACES);

  private final AtomicInteger news = new AtomicInteger();
  private final AtomicIntegerArray latest = new AtomicIntegerArray(GROUPS);
  private volatile int latestOfAll;
  private final LongAdder recalled = new LongAdder();
  private final LongAdder missed = new LongAdder();

  /**
   * Refusals.
   *
   * @param isOn whether any are remembered
   * @param names by which news is told
   * @param micros a clock that never goes back
   */
  Refusals(boolean isOn, KeyNames names, LongSupplier micros) {
    this.isOn = isOn;
    this.names = names;
    this.micros = micros;
  }

  /** Whether any are remembered. */
  boolean isOn() {
    return isOn;
  }

  /** Something that is asked for now. */
  final class Ticket {
    private final Operation.Acquire operation;
    private final int[] places;
    private final int known = news.get();
    private final long askedMicros = micros.getAsLong();

    private Ticket(Operation.Acquire operation, int... places) {
      this.operation = operation;
      this.places = places;
    }

    /**
     * It was answered: remembers a refusal that cannot change for a while.
     *
     * @param penaltyMicros the rest of a running penalty
     */
    void answered(Decision decision, long penaltyMicros) {
      long lasts =
          switch (decision.reason()) {
            case LIMIT_EXCEEDED ->
                operation.penalties().isEmpty() ? decision.retryAfterMicros() : 0;
            case PENALTY -> penaltyMicros;
            case WITHIN_LIMITS, COST_EXCEEDS_LIMIT -> 0;
          };
      if (lasts > 0) {
        long ends = askedMicros + Math.min(lasts, LONGEST_MICROS);
        put(new Refusal(operation, decision, known, micros.getAsLong(), ends, groups(), places));
      }
    }

    /** In which groups its counters are. */
    private int[] groups() {
      IntStream ofCounters =
          operation.counters().stream()
              .mapToInt(counter -> group(names.counter(counter.name(), counter.key())));
      IntStream ofPenalties =
          operation.penalties().stream()
              .mapToInt(penalty -> group(names.penalty(penalty.name(), penalty.key())));
      return IntStream.concat(ofCounters, ofPenalties).toArray();
    }
  }

  /**
   * A refusal. With many clients none of this is in the processor's caches, so what is looked at
   * lies here, and not behind one reference after the other.
   */
  private static final class Refusal {
    final Operation.Acquire operation;

    /** Whether there is one counter, and no penalty. */
    final boolean isOfOne;

    final String name;
    final String key;
    final Limit limit;
    final long cost;
    final Reason reason;
    final long atMicros;
    final long retryAfterMicros;
    final int decisive;
    final List<LimitStatus> limits;

    /** How much news there had been when it was asked for. */
    final int known;

    final long answeredMicros;

    /** Counted from when it was asked for, so that it ends too early rather than too late. */
    final long endsMicros;

    final int firstGroup;
    final int firstPlace;
    final int[] groups;
    final int[] places;

    Refusal(
        Operation.Acquire operation,
        Decision decision,
        int known,
        long answeredMicros,
        long endsMicros,
        int[] groups,
        int[] places) {
      Counter first = operation.counters().get(0);
      this.operation = operation;
      this.isOfOne = operation.counters().size() == 1 && operation.penalties().isEmpty();
      this.name = first.name();
      this.key = first.key();
      this.limit = first.limit();
      this.cost = operation.cost();
      this.reason = decision.reason();
      this.atMicros = decision.atMicros();
      this.retryAfterMicros = decision.retryAfterMicros();
      this.decisive = decision.decisive();
      this.limits = decision.limits();
      this.known = known;
      this.answeredMicros = answeredMicros;
      this.endsMicros = endsMicros;
      this.firstGroup = groups[0];
      this.firstPlace = places[0];
      this.groups = groups;
      this.places = places;
    }

    boolean isOf(Operation.Acquire asked) {
      if (!isOfOne) {
        return operation.equals(asked);
      }
      Counter first = asked.counters().get(0);
      return first.key().equals(key)
          && first.name().equals(name)
          && first.limit().equals(limit)
          && asked.cost() == cost
          && asked.counters().size() == 1
          && asked.penalties().isEmpty();
    }

    /** As it is now: counted from when it was answered, so that it waits too long, not in vain. */
    Decision at(long nowMicros) {
      long since = nowMicros - answeredMicros;
      return new Decision(
          reason, atMicros + since, Math.max(1, retryAfterMicros - since), decisive, limits);
    }
  }

  /**
   * Starts to ask; null if the answer will not be remembered.
   *
   * @param places where its counters live
   */
  @Nullable Ticket ticket(Operation operation, int... places) {
    return isOn && operation instanceof Operation.Acquire acquire
        ? new Ticket(acquire, places)
        : null;
  }

  /** The refusal of that operation, as it is now; null if it has to be asked for. */
  @Nullable Decision recall(Operation operation, Servers servers) {
    if (!isOn || !(operation instanceof Operation.Acquire acquire)) {
      return null;
    }
    Refusal refusal = find(acquire);
    long now = micros.getAsLong();
    if (refusal == null || now >= refusal.endsMicros || !stands(refusal, servers)) {
      missed.increment();
      return null;
    }
    recalled.increment();
    return refusal.at(now);
  }

  private @Nullable Refusal find(Operation.Acquire operation) {
    int hash = hash(operation);
    Refusal found = findIn(row(hash), hash, operation);
    return found == null ? findIn(otherRow(hash), hash, operation) : found;
  }

  private @Nullable Refusal findIn(int row, int hash, Operation.Acquire operation) {
    for (int place = row; place < row + ROW; place++) {
      Refusal refusal = of(operation, hash, place);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /** The refusal in a place, if it is that of the operation. */
  private @Nullable Refusal of(Operation.Acquire operation, int hash, int place) {
    Refusal refusal = hashes.get(place) == hash ? refusals.get(place) : null;
    return refusal != null && refusal.isOf(operation) ? refusal : null;
  }

  /**
   * In its first row if that has room, else in the other, in the place of that which ends first.
   */
  private void put(Refusal refusal) {
    int hash = hash(refusal.operation);
    int row = row(hash);
    int other = otherRow(hash);
    int place = placeOf(row, hash, refusal.operation);
    if (place < 0) {
      place = placeOf(other, hash, refusal.operation);
    }
    if (place < 0) {
      place = firstEnding(room(row, refusal) > 0 ? row : other);
    }
    hashes.set(place, hash);
    refusals.set(place, refusal);
  }

  /** Where that was refused before; -1 if it was not, or was forgotten. */
  private int placeOf(int row, int hash, Operation.Acquire operation) {
    for (int place = row; place < row + ROW; place++) {
      if (of(operation, hash, place) != null) {
        return place;
      }
    }
    return -1;
  }

  /** How many places are free, or have a refusal that has ended. */
  private int room(int row, Refusal fresh) {
    int room = 0;
    for (int place = row; place < row + ROW; place++) {
      room += ends(place) <= fresh.answeredMicros ? 1 : 0;
    }
    return room;
  }

  private int firstEnding(int row) {
    int first = row;
    for (int place = row + 1; place < row + ROW; place++) {
      if (ends(place) < ends(first)) {
        first = place;
      }
    }
    return first;
  }

  private long ends(int place) {
    Refusal refusal = refusals.get(place);
    return refusal == null ? Long.MIN_VALUE : refusal.endsMicros;
  }

  private boolean stands(Refusal refusal, Servers servers) {
    int known = refusal.known;
    if (latestOfAll - known > 0
        || latest.get(refusal.firstGroup) - known > 0
        || !servers.isHeard(refusal.firstPlace)) {
      return false;
    }
    return refusal.isOfOne || standWithOthers(refusal, servers);
  }

  private boolean standWithOthers(Refusal refusal, Servers servers) {
    for (int group : refusal.groups) {
      if (latest.get(group) - refusal.known > 0) {
        return false;
      }
    }
    for (int place : refusal.places) {
      if (!servers.isHeard(place)) {
        return false;
      }
    }
    return true;
  }

  /** There is news: the counter or penalty with that key may have room. */
  void hasRoom(String key) {
    int number = news.incrementAndGet();
    latest.accumulateAndGet(group(key), number, (a, b) -> b - a > 0 ? b : a);
  }

  /** News may have been missed. */
  synchronized void forgetAll() {
    latestOfAll = news.incrementAndGet();
  }

  /** How many decisions had to be asked for, as no refusal was remembered. */
  long missed() {
    return missed.sum();
  }

  /** How many refusals were given without a call. */
  long recalled() {
    return recalled.sum();
  }

  private static int hash(Operation.Acquire operation) {
    int hash = Long.hashCode(operation.cost());
    for (Counter counter : operation.counters()) {
      hash = 31 * (31 * hash + counter.key().hashCode()) + counter.name().hashCode();
    }
    // So that names that differ in one character lie far apart, by the lower bits and the upper.
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }

  private static int row(int hash) {
    return hash & (PLACES - ROW);
  }

  private static int otherRow(int hash) {
    return (hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(PLACES))) & -ROW;
  }

  private static int group(String key) {
    int hash = key.hashCode();
    return (hash ^ (hash >>> 16)) & (GROUPS - 1);
  }
}
