package dev.weir;

import java.util.function.LongPredicate;

/**
 * Cells on their way to others. From the beginning to the end they are gone for everybody; if they
 * have not arrived by then, they are put back as they were.
 */
final class CellMove {
  private final CounterTable table;
  private final Cells old;
  private final StateKind wanted;
  private final long[] heads;
  private final boolean[] keeps;
  private int taken;
  private int kept;

  // What the cells have to be like that hold all of them, and the wanted kind.
  private int words;
  private boolean keepsLogs;
  private boolean isNarrow;

  /** Which cells go along. */
  interface Choice {
    boolean keeps(Cells old, int at, long head);
  }

  CellMove(CounterTable table, Cells old, StateKind wanted) {
    this.table = table;
    this.old = old;
    this.wanted = wanted;
    this.heads = new long[old.capacity];
    this.keeps = new boolean[old.capacity];
    this.words = wanted.words();
    this.keepsLogs = wanted.keepsLog();
    this.isNarrow = wanted instanceof TokenBucketMeter;
  }

  /** Takes the cells away from everybody, and chooses those that are kept. */
  void begin(Choice choice) {
    for (int slot = 0; slot < old.capacity; slot++) {
      if (old.isTaken(slot)) {
        heads[slot] = old.remove(slot * old.stride);
        taken++;
      }
    }
    for (int slot = 0; slot < old.capacity; slot++) {
      keeps[slot] = old.isTaken(slot) && choice.keeps(old, slot * old.stride, heads[slot]);
      if (keeps[slot]) {
        StateKind kind = kind(heads[slot]);
        kept++;
        words = Math.max(words, kind.words());
        keepsLogs |= kind.keepsLog();
        isNarrow &= kind == wanted;
      }
    }
  }

  /** How many are kept. */
  int kept() {
    return kept;
  }

  /** How many are not. */
  int dropped() {
    return taken - kept;
  }

  /** How many of those that are kept have such fingerprints. */
  int count(LongPredicate fingerprints) {
    int count = 0;
    for (int slot = 0; slot < old.capacity; slot++) {
      count += goes(slot, fingerprints) ? 1 : 0;
    }
    return count;
  }

  /** New cells with those that are kept and have such fingerprints. */
  Cells to(int capacity, LongPredicate fingerprints) {
    Cells next = cells(capacity);
    for (int slot = 0; slot < old.capacity; slot++) {
      if (goes(slot, fingerprints)) {
        put(slot, next, next.vacancy(old.words[slot * old.stride]));
      }
    }
    return next;
  }

  /** New cells with the one that is alone. */
  Cells toAlone() {
    Cells next = cells(Cells.capacityForOne());
    put(old.aloneAt() / old.stride, next, next.aloneAt());
    return next;
  }

  private Cells cells(int capacity) {
    return isNarrow ? Cells.of(wanted, capacity) : Cells.wide(capacity, words, keepsLogs);
  }

  private boolean goes(int slot, LongPredicate fingerprints) {
    return keeps[slot] && fingerprints.test(old.words[slot * old.stride]);
  }

  private void put(int slot, Cells next, int to) {
    int at = slot * old.stride;
    long head = heads[slot];
    long fingerprint = old.words[at];
    long state = old.narrow == null ? old.words[old.state(at)] : head;
    if (next.narrow != null) {
      next.publish(to, fingerprint, state);
      return;
    }
    StateKind kind = kind(head);
    if (old.narrow == null) {
      next.copyState(next.state(to), old, old.state(at), kind);
    } else {
      next.words[next.state(to)] = state;
    }
    next.publish(to, fingerprint, table.number(kind));
  }

  /** Puts all back if these are still the cells. */
  void end(Cells now) {
    for (int slot = 0; now == old && slot < old.capacity; slot++) {
      if (old.isTaken(slot) && old.head(slot * old.stride) == Cells.GONE) {
        old.unlock(slot * old.stride, heads[slot]);
      }
    }
  }

  private StateKind kind(long head) {
    return old.narrow == null ? table.kind(head) : old.narrow;
  }
}
