package dev.weir;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of cells in one array of longs, found by linear probing. A cell is a fingerprint
 * (the keyed hash of a key), a head, and the words of a state.
 *
 * <p>There are two layouts. <em>Narrow</em> cells are two words: all of them run by one token
 * bucket whose state is a single long, and the head <em>is</em> that state, so that a charge is one
 * compare-and-set. <em>Wide</em> cells have the number of their {@link StateKind} as head, and the
 * state after it.
 *
 * <p>The protocol is the same for both, and the head is its centre:
 *
 * <ul>
 *   <li>A head of {@link #LOCKED} means that some thread works on the state; others wait. Whoever
 *       set it holds what was there and puts the next value back with release semantics, which
 *       publishes the plain writes to the other words.
 *   <li>A head of {@link #GONE} means that the cell was dropped or moved to other cells; look
 *       again.
 *   <li>A slot belongs to one key at most, once: empty, then that key's fingerprint, then {@link
 *       #DROPPED}, and the head is {@code GONE} before that. So whoever exchanges the head of a
 *       cell that he found has exchanged that key's.
 * </ul>
 *
 * <p>Slots never become empty again, so probing without a lock cannot miss a key; the segment
 * replaces the cells before they are too full to probe quickly.
 */
final class Cells {
  /** Heads. Neither a state nor the number of a kind ever comes to these values. */
  static final long LOCKED = -1;

  static final long GONE = -2;

  /** Fingerprints. Hashes never take these values, see {@link CounterTable#fingerprint}. */
  static final long EMPTY = 0;

  static final long DROPPED = 1;

  /** The fingerprint of a cell that is alone and needs no key. */
  static final long ALONE = 2;

  /**
   * A cell that is alone lies in the middle of cells that stay empty: all threads write to it, and
   * nothing that they only read should be on the same lines of the cache.
   */
  private static final int ALONE_SLOT = 8;

  static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private static final long[][] NO_LOGS = {};

  /** The head follows the fingerprint; so does a narrow state. A wide state follows the head. */
  static final int HEAD = 1;

  static final int WIDE_STATE = 2;

  private static final int NARROW_STRIDE = HEAD + 1;

  /** Where the cell that is alone starts if it is narrow. */
  static final int NARROW_ALONE_AT = ALONE_SLOT * NARROW_STRIDE;

  final long[] words;
  final int stride;
  final int capacity;

  /** The meter of all cells if they are narrow. */
  final @Nullable TokenBucketMeter narrow;

  private final long[][] logs;

  private Cells(int capacity, int stride, @Nullable TokenBucketMeter narrow, boolean withLogs) {
    this.words = new long[Math.multiplyExact(capacity, stride)];
    this.stride = stride;
    this.capacity = capacity;
    this.narrow = narrow;
    this.logs = withLogs ? new long[capacity][] : NO_LOGS;
  }

  static Cells narrow(int capacity, TokenBucketMeter meter) {
    return new Cells(capacity, NARROW_STRIDE, meter, false);
  }

  static Cells wide(int capacity, int stateWords, boolean withLogs) {
    return new Cells(capacity, WIDE_STATE + stateWords, null, withLogs);
  }

  /** Cells for that kind of state, to start with. */
  static Cells of(StateKind kind, int capacity) {
    return kind instanceof TokenBucketMeter meter
        ? narrow(capacity, meter)
        : wide(capacity, kind.words(), kind.keepsLog());
  }

  /** The capacity of cells of which only the one that is alone is used. */
  static int capacityForOne() {
    return 2 * ALONE_SLOT + 1;
  }

  /** The index of the first word of the cell that is alone. */
  int aloneAt() {
    return ALONE_SLOT * stride;
  }

  /** Whether a state of that kind can be kept in these cells. */
  boolean accepts(StateKind kind) {
    return narrow == null
        ? stride >= WIDE_STATE + kind.words() && (logs != NO_LOGS || !kind.keepsLog())
        : narrow == kind;
  }

  /** The index of the first word of the cell with that fingerprint, or -1. */
  int find(long fingerprint) {
    int end = words.length;
    int at = home(fingerprint) * stride;
    for (; ; ) {
      // Acquire: who finds a fingerprint also sees the head that was written before it.
      long found = (long) WORD.getAcquire(words, at);
      if (found == fingerprint) {
        return at;
      }
      if (found == EMPTY) {
        return -1;
      }
      at += stride;
      if (at == end) {
        at = 0;
      }
    }
  }

  /** The index of the first word of the slot where that fingerprint, which is absent, goes. */
  int vacancy(long fingerprint) {
    int at = home(fingerprint) * stride;
    while (words[at] != EMPTY) {
      at += stride;
      if (at == words.length) {
        at = 0;
      }
    }
    return at;
  }

  /** Whether a key has that slot. */
  boolean isTaken(int slot) {
    long fingerprint = words[slot * stride];
    return fingerprint != EMPTY && fingerprint != DROPPED;
  }

  private int home(long fingerprint) {
    return (int) (((fingerprint & 0xffff_ffffL) * capacity) >>> 32);
  }

  long head(int at) {
    return (long) WORD.getAcquire(words, at + HEAD);
  }

  boolean exchangeHead(int at, long expected, long next) {
    return WORD.compareAndSet(words, at + HEAD, expected, next);
  }

  /** Publishes a cell whose state words are already written. */
  void publish(int at, long fingerprint, long head) {
    WORD.setRelease(words, at + HEAD, head);
    WORD.setRelease(words, at, fingerprint);
  }

  /** Gives a lock back, with everything written under it. */
  void unlock(int at, long head) {
    WORD.setRelease(words, at + HEAD, head);
  }

  /**
   * Takes the lock of a cell.
   *
   * @return the head that was there; {@code GONE}, and no lock, if the cell is
   */
  long lock(int at) {
    for (int spins = 0; ; spins++) {
      long head = head(at);
      if (head == GONE) {
        return GONE;
      }
      if (head != LOCKED && exchangeHead(at, head, LOCKED)) {
        return head;
      }
      pause(spins);
    }
  }

  /** Takes a cell away from everybody; returns the head that was there. */
  long remove(int at) {
    for (int spins = 0; ; spins++) {
      long head = head(at);
      if (head != LOCKED && exchangeHead(at, head, GONE)) {
        return head;
      }
      pause(spins);
    }
  }

  /** Where the state of the cell at {@code at} starts. */
  int state(int at) {
    return narrow == null ? at + WIDE_STATE : at + HEAD;
  }

  /** The log beside the state that starts at {@code state}; empty if it has none. */
  long[] log(int state) {
    long[] log = logs[state / stride];
    return log == null ? StateKind.NO_LOG : log;
  }

  void setLog(int state, long[] log) {
    logs[state / stride] = log;
  }

  /** Copies a state, with its log, from the cells that these replace. */
  void copyState(int state, Cells from, int fromState, StateKind kind) {
    System.arraycopy(from.words, fromState, words, state, kind.words());
    if (kind.keepsLog()) {
      setLog(state, from.log(fromState));
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // Yielding only shortens the wait; nothing relies on it.
  static void pause(int spins) {
    if (spins < 64) {
      Thread.onSpinWait();
    } else {
      // The holder has probably lost its core: let it run.
      Thread.yield();
    }
  }
}
