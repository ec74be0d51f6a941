package dev.weir;

/**
 * A sliding window from two counters: the start of an epoch-aligned window, the count of the one
 * before, and its own. What is used is the own count plus the part of the one before that the last
 * {@code length} microseconds still cover, as an exact fraction.
 */
final class SlidingWindowMeter extends Meter {
  private static final int START = 0;
  private static final int PREVIOUS = 1;
  private static final int CURRENT = 2;

  private final long length;

  SlidingWindowMeter(long length) {
    this.length = length;
  }

  private long windowStart(long now) {
    return now - now % length;
  }

  /** How many windows the stored one lies back: 0 if it is the one of now, or from the future. */
  private long windowsBack(Cells cells, int at, long now) {
    return Math.max(0, windowStart(now) - cells.words[at + START]) / length;
  }

  private long previous(Cells cells, int at, long now) {
    long back = windowsBack(cells, at, now);
    return back == 0 ? cells.words[at + PREVIOUS] : back == 1 ? cells.words[at + CURRENT] : 0;
  }

  private long current(Cells cells, int at, long now) {
    return windowsBack(cells, at, now) == 0 ? cells.words[at + CURRENT] : 0;
  }

  @Override
  int words() {
    return 3;
  }

  @Override
  boolean isUsedAtMost(Cells cells, int at, long now, long x) {
    long room = x - current(cells, at, now);
    long covered = length - now % length;
    return room >= 0 && Exact.isProductAtMost(previous(cells, at, now), covered, room, length);
  }

  @Override
  long used(Cells cells, int at, long now) {
    long covered = length - now % length;
    return current(cells, at, now)
        + Exact.multiplyAddDivideUp(previous(cells, at, now), covered, 0, length);
  }

  @Override
  long freeAt(Cells cells, int at, long now, long x) {
    if (isUsedAtMost(cells, at, now, x)) {
      return now;
    }
    long start = windowStart(now);
    long room = x - current(cells, at, now);
    // In this window the previous count fades; if that is not enough, in the next one the current
    // does.
    return room >= 0
        ? start + fadedAt(previous(cells, at, now), room)
        : start + length + fadedAt(current(cells, at, now), x);
  }

  /**
   * How far into a window a previous count larger than {@code room} still weighs as much as room.
   */
  private long fadedAt(long previous, long room) {
    return length - Exact.multiplyDivide(room, length, previous);
  }

  @Override
  void charge(Cells cells, int at, long now, long n) {
    write(cells, at, now, previous(cells, at, now), current(cells, at, now) + n);
  }

  @Override
  void refund(Cells cells, int at, long now, long n) {
    long current = current(cells, at, now) - n;
    long previous = previous(cells, at, now) + Math.min(0, current);
    if (previous > 0 || current > 0) {
      write(cells, at, now, Math.max(0, previous), Math.max(0, current));
    } else {
      clear(cells, at);
    }
  }

  private void write(Cells cells, int at, long now, long previous, long current) {
    cells.words[at + START] = windowStart(now);
    cells.words[at + PREVIOUS] = previous;
    cells.words[at + CURRENT] = current;
  }

  @Override
  boolean isFromTheFuture(Cells cells, int at, long now) {
    return cells.words[at + START] > windowStart(now);
  }

  @Override
  void settle(Cells cells, int at, long now) {
    if (isFromTheFuture(cells, at, now)) {
      cells.words[at + START] = windowStart(now);
    }
  }

  @Override
  boolean sameAs(Meter other) {
    return other instanceof SlidingWindowMeter that && length == that.length;
  }

  @Override
  long windowMicros(long now) {
    return length;
  }
}
