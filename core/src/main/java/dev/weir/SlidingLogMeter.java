package dev.weir;

/**
 * An exact sliding log: every charge of the last {@code length} microseconds as a pair of its
 * instant and its amount, oldest first, and the sum of the amounts.
 */
final class SlidingLogMeter extends Meter {
  private static final int SUM = Log.WORDS;

  private final long length;

  SlidingLogMeter(long length) {
    this.length = length;
  }

  @Override
  int words() {
    return Log.WORDS + 1;
  }

  @Override
  boolean keepsLog() {
    return true;
  }

  /** When the pair at that place stops counting. */
  private long end(Cells cells, int at, long now, int index) {
    return Math.min(now, Log.get(cells, at, index)) + length;
  }

  @Override
  boolean isUsedAtMost(Cells cells, int at, long now, long x) {
    return used(cells, at, now) <= x;
  }

  @Override
  long used(Cells cells, int at, long now) {
    long sum = cells.words[at + SUM];
    int size = Log.size(cells, at);
    for (int i = 0; i < size && end(cells, at, now, i) <= now; i += 2) {
      sum -= Log.get(cells, at, i + 1);
    }
    return sum;
  }

  @Override
  long freeAt(Cells cells, int at, long now, long x) {
    if (isUsedAtMost(cells, at, now, x)) {
      return now;
    }
    long toGo = cells.words[at + SUM] - x;
    return end(
        cells,
        at,
        now,
        toGo < x ? lastToGoFromOldest(cells, at, toGo) : lastToGoFromNewest(cells, at, x));
  }

  /** The pair with which, from the oldest on, at least that much is gone. */
  private static int lastToGoFromOldest(Cells cells, int at, long amount) {
    int index = 0;
    for (long gone = Log.get(cells, at, 1); gone < amount; gone += Log.get(cells, at, index + 1)) {
      index += 2;
    }
    return index;
  }

  /** The same pair from the other end: the newest that has to go for at most {@code x} to stay. */
  private static int lastToGoFromNewest(Cells cells, int at, long x) {
    int index = Log.size(cells, at) - 2;
    for (long left = Log.get(cells, at, index + 1);
        left <= x;
        left += Log.get(cells, at, index + 1)) {
      index -= 2;
    }
    return index;
  }

  @Override
  void charge(Cells cells, int at, long now, long n) {
    settle(cells, at, now);
    prune(cells, at, now);
    int size = Log.size(cells, at);
    if (size > 0 && Log.get(cells, at, size - 2) == now) {
      Log.set(cells, at, size - 1, Log.get(cells, at, size - 1) + n);
    } else {
      Log.append(cells, at, now);
      Log.append(cells, at, n);
    }
    cells.words[at + SUM] += n;
  }

  private void prune(Cells cells, int at, long now) {
    int size = Log.size(cells, at);
    int gone = 0;
    while (gone < size && end(cells, at, now, gone) <= now) {
      cells.words[at + SUM] -= Log.get(cells, at, gone + 1);
      gone += 2;
    }
    Log.removeOldest(cells, at, gone);
  }

  @Override
  void refund(Cells cells, int at, long now, long n) {
    settle(cells, at, now);
    prune(cells, at, now);
    if (cells.words[at + SUM] <= n) {
      clear(cells, at);
      return;
    }
    long back = n;
    cells.words[at + SUM] -= back;
    while (back > 0) {
      int newest = Log.size(cells, at) - 1;
      long amount = Log.get(cells, at, newest);
      if (amount > back) {
        Log.set(cells, at, newest, amount - back);
        return;
      }
      Log.removeNewest(cells, at, 2);
      back -= amount;
    }
  }

  @Override
  boolean isFromTheFuture(Cells cells, int at, long now) {
    int size = Log.size(cells, at);
    return size > 0 && Log.get(cells, at, size - 2) > now;
  }

  @Override
  void settle(Cells cells, int at, long now) {
    for (int i = Log.size(cells, at) - 2; i >= 0 && Log.get(cells, at, i) > now; i -= 2) {
      Log.set(cells, at, i, now);
    }
  }

  @Override
  boolean sameAs(Meter other) {
    return other instanceof SlidingLogMeter that && length == that.length;
  }

  @Override
  long windowMicros(long now) {
    return length;
  }
}
