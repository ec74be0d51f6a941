package dev.weir;

/** A fixed window: its start and the count in it. Without a count there is no window. */
final class FixedWindowMeter extends Meter {
  private static final int START = 0;
  private static final int COUNT = 1;

  private final Windows windows;

  FixedWindowMeter(Windows windows) {
    this.windows = windows;
  }

  /** The start of the stored window, settled. */
  private long start(Cells cells, int at, long now) {
    return Math.min(cells.words[at + START], windows.latestStart(now));
  }

  @Override
  int words() {
    return 2;
  }

  @Override
  long used(Cells cells, int at, long now) {
    return windows.hasEnded(cells.words[at + START], now) ? 0 : cells.words[at + COUNT];
  }

  @Override
  boolean isUsedAtMost(Cells cells, int at, long now, long x) {
    return used(cells, at, now) <= x;
  }

  @Override
  long freeAt(Cells cells, int at, long now, long x) {
    return isUsedAtMost(cells, at, now, x) ? now : windows.end(start(cells, at, now), now);
  }

  @Override
  void charge(Cells cells, int at, long now, long n) {
    long used = used(cells, at, now);
    cells.words[at + START] = used == 0 ? windows.start(now) : start(cells, at, now);
    cells.words[at + COUNT] = used + n;
  }

  @Override
  void refund(Cells cells, int at, long now, long n) {
    long used = used(cells, at, now);
    if (used > n) {
      cells.words[at + START] = start(cells, at, now);
      cells.words[at + COUNT] = used - n;
    } else {
      clear(cells, at);
    }
  }

  @Override
  boolean isFromTheFuture(Cells cells, int at, long now) {
    return cells.words[at + START] > windows.latestStart(now);
  }

  @Override
  void settle(Cells cells, int at, long now) {
    if (isFromTheFuture(cells, at, now)) {
      cells.words[at + START] = windows.latestStart(now);
    }
  }

  @Override
  boolean sameAs(Meter other) {
    return other instanceof FixedWindowMeter that && windows.equals(that.windows);
  }

  @Override
  long windowMicros(long now) {
    long start = windows.start(now);
    return windows.end(start, now) - start;
  }
}
