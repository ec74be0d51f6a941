package dev.weir;

import org.jspecify.annotations.Nullable;

/**
 * One counter's part in a {@link Transaction}: finds its cell, locks it, and shows its state in one
 * form wherever it is: of a wide cell in place, of a narrow or an absent one as a copy.
 *
 * <p>A key that has no place in a full table uses the overflow cell. Between that and the moment at
 * which the key gets a cell of its own nothing may be lost: a new cell is visible, but locked,
 * before it reads what is used of the overflow, and here the key's own cell is looked for once more
 * when the overflow is locked. So either this use comes first and the new cell starts with it, or
 * the new cell is found.
 */
final class CellAccess {
  private static final int MOST_WORDS = 4;
  private static final CounterTable NO_TABLE = new CounterTable(1);
  private static final StateKind NO_KIND = new SlidingWindowMeter(1);
  private static final Cells NO_CELLS = Cells.wide(1, 0, false);

  // What is asked for.
  private CounterTable table = NO_TABLE;
  private long fingerprint;
  private StateKind wanted = NO_KIND;

  // Where it was found; no segment if it is absent.
  private @Nullable Segment segment;
  private Cells cells = NO_CELLS;
  private int at;
  private boolean overflows;

  // What is locked. Several keys in the overflow have one cell, which the first of them holds.
  private CellAccess holder = this;
  private int share;
  private final Cells copy = Cells.wide(1, MOST_WORDS, true);
  private Cells view = copy;
  private int state;
  private StateKind kind = NO_KIND;

  void ask(CounterTable table, long fingerprint, StateKind wanted) {
    this.table = table;
    this.fingerprint = fingerprint;
    this.wanted = wanted;
  }

  /** Lets go of everything, so that a waiting thread keeps no table alive. */
  void forget() {
    ask(NO_TABLE, 0, NO_KIND);
    segment = null;
    cells = NO_CELLS;
    view = copy;
    holder = this;
  }

  /**
   * Finds the cell; if it is to be charged, makes sure that there is one that can take the charge.
   */
  void locate(boolean toCharge, long now) {
    overflows = false;
    if (fingerprint == Cells.ALONE) {
      useAlone(table.alone(wanted));
    } else if (!findOwn() && !(toCharge && addOwn(now))) {
      overflows = wanted instanceof Meter && (toCharge || table.isFull());
      if (overflows) {
        useAlone(table.overflow(wanted));
      } else {
        segment = null;
      }
    }
    if (toCharge && segment != null && !cells.accepts(wanted)) {
      segment.widen(wanted, now);
      locate(true, now);
    }
  }

  private boolean findOwn() {
    Segment before = null;
    Segment own = table.segment(fingerprint);
    // A segment that has just split no longer has the key; the directory knows of that.
    while (own != before && own != null) {
      segment = own;
      cells = own.cells();
      at = cells.find(fingerprint);
      if (at >= 0) {
        return true;
      }
      before = own;
      own = table.segment(fingerprint);
    }
    return false;
  }

  /**
   * Adds the cell, unless the table is full. A sweep may drop it again before anybody has charged
   * it; then it is added anew, since the overflow is for keys without a place only.
   */
  private boolean addOwn(long now) {
    while (table.add(fingerprint, wanted, now)) {
      if (findOwn()) {
        return true;
      }
    }
    return false;
  }

  private void useAlone(Segment found) {
    segment = found;
    cells = found.cells();
    at = cells.aloneAt();
  }

  boolean isAbsent() {
    return segment == null;
  }

  boolean overflows() {
    return overflows;
  }

  /** Whether this comes before the other in the order in which all threads lock. */
  boolean precedes(CellAccess other) {
    if (table.id != other.table.id) {
      return table.id < other.table.id;
    }
    if (overflows != other.overflows) {
      return other.overflows;
    }
    return Long.compareUnsigned(fingerprint, other.fingerprint) < 0;
  }

  /**
   * Locks the cell, unless the one locked before is the same.
   *
   * @return false if the cell is no longer the right one
   */
  boolean lock(CellAccess before, long now) {
    holder = this;
    share = 1;
    if (segment == null) {
      showAbsent(now);
      return true;
    }
    if (before != this && before.segment == segment && before.cells == cells && before.at == at) {
      holder = before.holder;
      share = before.share + 1;
    } else {
      long head = cells.lock(at);
      if (head == Cells.GONE) {
        return false;
      }
      show(head);
    }
    if (overflows) {
      if (hasOwnCell()) {
        unlock();
        return false;
      }
      table.overflowed();
    }
    return true;
  }

  /** Whether the key has a cell of its own by now. */
  boolean hasOwnCell() {
    return table.has(fingerprint);
  }

  private void show(long head) {
    if (cells.narrow == null) {
      view = cells;
      state = cells.state(at);
      kind = table.kind(head);
    } else {
      view = copy;
      state = copy.state(0);
      kind = cells.narrow;
      copy.words[state] = head;
    }
  }

  private void showAbsent(long now) {
    view = copy;
    state = copy.state(0);
    kind = wanted;
    kind.clear(copy, state);
    if (kind instanceof Meter meter) {
      meter.restore(copy, state, now, table.overflowUsed(meter, now));
    }
  }

  void unlock() {
    if (segment != null && holder == this) {
      cells.unlock(at, cells.narrow == null ? table.number(kind) : copy.words[state]);
    }
  }

  /** Lets the segment see whether its cells can be narrow again after a limit has changed. */
  void tidy(long now) {
    if (segment != null && cells.narrow == null && wanted instanceof TokenBucketMeter meter) {
      segment.considerNarrowing(meter, now);
    }
  }

  /** How many keys have this cell so far, this one included: more than one only in the overflow. */
  int share() {
    return share;
  }

  Meter meter() {
    return (Meter) holder.kind;
  }

  boolean isUsedAtMost(long now, long x) {
    return meter().isUsedAtMost(holder.view, holder.state, now, x);
  }

  long used(long now) {
    return meter().used(holder.view, holder.state, now);
  }

  long freeAt(long now, long x) {
    return meter().freeAt(holder.view, holder.state, now, x);
  }

  /** Charges under the wanted meter, which keeps the state from then on. */
  void charge(long now, long n) {
    Meter meter = (Meter) wanted;
    if (meter != holder.kind) {
      table.relieved();
    }
    meter.takeOver(meter(), holder.view, holder.state, now, n);
    holder.kind = meter;
  }

  void refund(long now, long n) {
    meter().refund(holder.view, holder.state, now, n);
    table.relieved();
  }

  void clear() {
    holder.kind.clear(holder.view, holder.state);
    table.relieved();
  }

  /**
   * Whether the instant of the operation may be older than what others have done to this cell: then
   * the clock has to be read again.
   */
  boolean needsNewerTime(long now) {
    return segment != null && holder.kind.needsNewerTime(holder.view, holder.state, now);
  }

  void settle(long now) {
    if (holder.kind.isFromTheFuture(holder.view, holder.state, now)) {
      holder.kind.settle(holder.view, holder.state, now);
      table.relieved();
    }
  }

  long windowMicros(long now) {
    return ((Meter) wanted).windowMicros(now);
  }

  long penaltyLeft(long now) {
    return ((PenaltyState) kind).left(view, state, now);
  }

  /** Records a violation under the wanted penalty, which keeps the state from then on. */
  void violated(long now, long windowMicros) {
    kind = wanted;
    ((PenaltyState) kind).violated(view, state, now, windowMicros);
  }
}
