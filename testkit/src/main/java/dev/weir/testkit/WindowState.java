package dev.weir.testkit;

import dev.weir.FixedWindow;
import dev.weir.Limit;

/**
 * A fixed window.
 *
 * @param start when the window starts
 * @param count what was used in it
 */
record WindowState(FixedWindow limit, long start, long count) implements OracleState {

  static WindowState restore(FixedWindow limit, long used, long now) {
    return new WindowState(limit, Window.of(limit, now).start(), used);
  }

  private long end() {
    return Window.of(limit, start).end();
  }

  private boolean hasEnded(long now) {
    return now >= end();
  }

  @Override
  public Fraction used(long now) {
    return hasEnded(now) ? Fraction.ZERO : Fraction.of(count);
  }

  @Override
  public long freeAt(long permits, long now) {
    return used(now).isAbove(permits) ? end() : now;
  }

  @Override
  public WindowState charge(long cost, long now) {
    return hasEnded(now) ? restore(limit, cost, now) : new WindowState(limit, start, count + cost);
  }

  @Override
  public WindowState refund(long cost, long now) {
    return hasEnded(now) ? this : new WindowState(limit, start, Math.max(0, count - cost));
  }

  @Override
  public WindowState settle(long now) {
    long latestStart = Window.of(limit, now).start();
    return start > latestStart ? new WindowState(limit, latestStart, count) : this;
  }

  @Override
  public boolean hasMeterOf(Limit other) {
    return other instanceof FixedWindow window
        && window.period().equals(limit.period())
        && window.align() == limit.align();
  }
}
