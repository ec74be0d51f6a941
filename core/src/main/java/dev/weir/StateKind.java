package dev.weir;

/**
 * What the words of a cell mean. Implementations are pure arithmetic on a state that the caller has
 * locked: no clock, no map. A state of zero words, with no log, is one that nothing was charged to.
 */
abstract class StateKind {
  static final long[] NO_LOG = {};

  /** How many words a state takes. */
  abstract int words();

  /** Whether a state has a log beside its words. */
  boolean keepsLog() {
    return false;
  }

  /**
   * The earliest instant at which the state can be forgotten without a trace, if nothing more
   * happens to it; at most {@code now} if that has come.
   */
  abstract long forgettableAt(Cells cells, int at, long now);

  /** Whether the state holds instants later than a charge at {@code now} could have written. */
  abstract boolean isFromTheFuture(Cells cells, int at, long now);

  /** Whether nothing was ever charged to the state, or all of it was taken back. */
  final boolean isBlank(Cells cells, int at) {
    for (int i = 0; i < words(); i++) {
      if (cells.words[at + i] != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether {@code now} may be older than what others have done to the state, blank ones included:
   * then the clock has to be read again.
   */
  final boolean needsNewerTime(Cells cells, int at, long now) {
    return isBlank(cells, at) || isFromTheFuture(cells, at, now);
  }

  /** Brings a state from the future back to now; leaves any other untouched. */
  abstract void settle(Cells cells, int at, long now);

  /** Makes it a state that nothing was charged to. */
  void clear(Cells cells, int at) {
    for (int i = 0; i < words(); i++) {
      cells.words[at + i] = 0;
    }
    if (keepsLog()) {
      cells.setLog(at, NO_LOG);
    }
  }
}
