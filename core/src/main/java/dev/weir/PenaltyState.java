package dev.weir;

/**
 * The violations of one key, oldest first, and the penalty that runs: the instant it runs until and
 * how long it was when it started.
 */
final class PenaltyState extends StateKind {
  private static final int UNTIL = Log.WORDS;
  private static final int LENGTH = Log.WORDS + 1;

  private final Penalty penalty;
  private final long detectionMicros;

  PenaltyState(Penalty penalty) {
    this.penalty = penalty;
    this.detectionMicros = Micros.roundedUp(penalty.detectionWindow());
  }

  @Override
  int words() {
    return Log.WORDS + 2;
  }

  @Override
  boolean keepsLog() {
    return true;
  }

  /** How long the penalty still runs; 0 if none does. */
  long left(Cells cells, int at, long now) {
    long left = Math.min(cells.words[at + UNTIL] - now, cells.words[at + LENGTH]);
    return Math.max(0, left);
  }

  /** Records a violation of a limit with that window. */
  void violated(Cells cells, int at, long now, long windowMicros) {
    settle(cells, at, now);
    int size = Log.size(cells, at);
    int gone = Math.max(0, size + 1 - Penalty.MAX_VIOLATIONS);
    while (gone < size && Log.get(cells, at, gone) <= now - detectionMicros) {
      gone++;
    }
    Log.removeOldest(cells, at, gone);
    Log.append(cells, at, now);
    int violations = Log.size(cells, at);
    if (violations >= penalty.violationThreshold()) {
      long length = windowMicros * penalty.multiplier(violations);
      cells.words[at + UNTIL] = now + length;
      cells.words[at + LENGTH] = length;
    }
  }

  @Override
  boolean isFromTheFuture(Cells cells, int at, long now) {
    int size = Log.size(cells, at);
    return cells.words[at + UNTIL] > now + cells.words[at + LENGTH]
        || (size > 0 && Log.get(cells, at, size - 1) > now);
  }

  @Override
  void settle(Cells cells, int at, long now) {
    for (int i = Log.size(cells, at) - 1; i >= 0 && Log.get(cells, at, i) > now; i--) {
      Log.set(cells, at, i, now);
    }
    cells.words[at + UNTIL] = Math.min(cells.words[at + UNTIL], now + cells.words[at + LENGTH]);
  }

  @Override
  long forgettableAt(Cells cells, int at, long now) {
    int size = Log.size(cells, at);
    long remembered = size == 0 ? 0 : Log.get(cells, at, size - 1) + detectionMicros;
    return Math.max(cells.words[at + UNTIL], remembered);
  }
}
