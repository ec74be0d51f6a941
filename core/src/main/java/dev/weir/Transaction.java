package dev.weir;

import java.util.Arrays;
import java.util.List;

/**
 * One operation on all of its counters: finds the cells, locks them in an order that all threads
 * follow, judges, writes, and gives them back. Used again and again by one thread, so that a
 * request under several limits allocates nothing.
 *
 * <p>Cells are added before any is locked, and no thread waits for a segment while it holds a cell:
 * so nobody waits in a circle.
 */
final class Transaction {
  private static final ThreadLocal<Transaction> OF_THREAD =
      ThreadLocal.withInitial(Transaction::new);

  private CellAccess[] cells = {};
  private CellAccess[] order = {};
  private long[] capacities = {};
  private int limits;
  private int size;
  private int locked;
  private TimeSource time = TimeSource.system();
  private long now;

  // The outcome.
  private Reason reason = Reason.WITHIN_LIMITS;
  private long retryAfter;
  private int decisive;

  /** This thread's transaction, emptied, at that instant of that clock. */
  static Transaction at(TimeSource time, long now) {
    Transaction transaction = OF_THREAD.get();
    transaction.limits = 0;
    transaction.size = 0;
    transaction.time = time;
    transaction.now = now;
    return transaction;
  }

  /** Adds a counter. All counters come before all penalties. */
  void addLimit(CounterTable table, long fingerprint, Meter meter, long capacity) {
    next().ask(table, fingerprint, meter);
    capacities[limits++] = capacity;
  }

  void addPenalty(CounterTable table, long fingerprint, StateKind penalty) {
    next().ask(table, fingerprint, penalty);
  }

  private CellAccess next() {
    if (size == cells.length) {
      int length = cells.length;
      cells = Arrays.copyOf(cells, length + 4);
      order = Arrays.copyOf(order, length + 4);
      capacities = Arrays.copyOf(capacities, length + 4);
      for (int i = length; i < cells.length; i++) {
        cells[i] = new CellAccess();
        order[i] = cells[i];
      }
    }
    return cells[size++];
  }

  /** Consumes the cost from all counters or from none; a cost of 0 only looks. */
  boolean acquire(long cost) {
    boolean toCharge = cost > 0;
    for (int i = 0; i < limits; i++) {
      toCharge &= cost <= capacities[i];
    }
    if (!attempt(cost, toCharge, false)) {
      attempt(cost, toCharge, true);
    }
    return reason == Reason.WITHIN_LIMITS;
  }

  /** Returns false if a violation is to be recorded and there is no cell for it yet. */
  private boolean attempt(long cost, boolean toCharge, boolean toPenalise) {
    lock(toCharge, toPenalise);
    judge(cost);
    if (cost == 0) {
      return true;
    }
    for (int i = 0; i < size; i++) {
      cells[i].settle(now);
    }
    if (reason == Reason.WITHIN_LIMITS) {
      for (int i = 0; i < limits; i++) {
        cells[i].charge(now, cost);
      }
      return true;
    }
    return reason == Reason.PENALTY || penalise(toPenalise);
  }

  private boolean penalise(boolean isLastAttempt) {
    for (int i = limits; i < size; i++) {
      if (cells[i].isAbsent() && !isLastAttempt) {
        unlock();
        return false;
      }
    }
    long window = limits < size ? cells[decisive].windowMicros(now) : 0;
    for (int i = limits; i < size; i++) {
      // Absent still: the table of penalties is full, and its keys go without; their limits hold.
      if (!cells[i].isAbsent()) {
        cells[i].violated(now, window);
        if (reason == Reason.LIMIT_EXCEEDED) {
          retryAfter = Math.max(retryAfter, cells[i].penaltyLeft(now));
        }
      }
    }
    return true;
  }

  /** Looks whether the cost would pass, and changes nothing. */
  void peek(long cost) {
    lock(false, false);
    judge(cost);
  }

  void refund(long cost) {
    lock(false, false);
    for (int i = 0; i < limits; i++) {
      cells[i].refund(now, cost);
    }
    allow();
  }

  void reset() {
    lock(false, false);
    for (int i = 0; i < size; i++) {
      // A key in the overflow has nothing of its own that could be forgotten.
      if (!cells[i].overflows()) {
        cells[i].clear();
      }
    }
    allow();
  }

  private void judge(long cost) {
    allow();
    for (int i = 0; i < limits && reason != Reason.COST_EXCEEDS_LIMIT; i++) {
      if (cost > capacities[i]) {
        reason = Reason.COST_EXCEEDS_LIMIT;
        retryAfter = 0;
        decisive = i;
      } else {
        judge(i, capacities[i] - cost * cells[i].share());
      }
    }
    for (int i = limits; i < size; i++) {
      long left = cells[i].penaltyLeft(now);
      if (left > 0) {
        reason = Reason.PENALTY;
        retryAfter = Math.max(retryAfter, left);
        decisive = -1;
      }
    }
  }

  private void judge(int i, long allowed) {
    long most = Math.max(0, allowed);
    if (allowed < 0 || !cells[i].isUsedAtMost(now, most)) {
      long wait = Math.max(1, cells[i].freeAt(now, most) - now);
      if (wait > retryAfter) {
        retryAfter = wait;
        decisive = i;
      }
      reason = Reason.LIMIT_EXCEEDED;
    }
  }

  private void allow() {
    reason = Reason.WITHIN_LIMITS;
    retryAfter = 0;
    decisive = -1;
  }

  private void lock(boolean toCharge, boolean toPenalise) {
    for (int attempts = 0; ; attempts++) {
      for (int i = 0; i < size; i++) {
        cells[i].locate(i < limits ? toCharge : toPenalise, now);
        insertInOrder(i);
      }
      while (locked < size && order[locked].lock(order[Math.max(0, locked - 1)], now)) {
        locked++;
      }
      if (locked == size && absentOnesAreAbsent()) {
        readTimeAgain();
        return;
      }
      unlock();
      Cells.pause(attempts);
    }
  }

  /**
   * A thread that was held up after it had read the clock may come late to a cell. What others have
   * done there since looks as if it came from the future, or has been taken back or dropped without
   * a trace; now that the cells are locked, the clock is at least where it was for them. If the
   * state still is from the future, then the clock itself went back.
   */
  private void readTimeAgain() {
    for (int i = 0; i < size; i++) {
      if (cells[i].needsNewerTime(now)) {
        now = Math.max(now, time.nowMicros());
        return;
      }
    }
  }

  /**
   * Absent cells cannot be locked; if one was added meanwhile, the others may tell a later story.
   */
  private boolean absentOnesAreAbsent() {
    for (int i = 0; i < size; i++) {
      if (cells[i].isAbsent() && cells[i].hasOwnCell()) {
        return false;
      }
    }
    return true;
  }

  private void insertInOrder(int i) {
    int place = i;
    for (; place > 0 && cells[i].precedes(order[place - 1]); place--) {
      order[place] = order[place - 1];
    }
    order[place] = cells[i];
  }

  private void unlock() {
    while (locked > 0) {
      order[--locked].unlock();
    }
  }

  /** Gives all cells back. Must follow every operation. */
  void end() {
    unlock();
    for (int i = 0; i < size; i++) {
      cells[i].tidy(now);
      cells[i].forget();
    }
  }

  /** The decision on the counters as they are now, before {@link #end}. */
  Decision decision(List<Counter> counters) {
    LimitStatus[] statuses = new LimitStatus[limits];
    for (int i = 0; i < limits; i++) {
      Counter counter = counters.get(i);
      statuses[i] =
          new LimitStatus(
              counter.name(),
              counter.limit(),
              Math.max(0, capacities[i] - cells[i].used(now)),
              cells[i].freeAt(now, 0));
    }
    int reported = decisive >= 0 ? decisive : closestToExhaustion(statuses);
    return new Decision(reason, now, retryAfter, reported, List.of(statuses));
  }

  private static int closestToExhaustion(LimitStatus[] statuses) {
    int closest = 0;
    for (int i = 1; i < statuses.length; i++) {
      LimitStatus best = statuses[closest];
      LimitStatus other = statuses[i];
      if (other.remaining() < best.remaining()
          || (other.remaining() == best.remaining() && other.resetMicros() > best.resetMicros())) {
        closest = i;
      }
    }
    return closest;
  }
}
