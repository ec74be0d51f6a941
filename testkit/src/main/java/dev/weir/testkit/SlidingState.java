package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.SlidingWindow;

/**
 * A sliding window.
 *
 * @param start when the current window starts, a multiple of the period
 * @param previous what was used in the window before
 * @param current what was used in the current window
 */
record SlidingState(SlidingWindow limit, long start, long previous, long current)
    implements OracleState {

  static SlidingState restore(SlidingWindow limit, long used, long now) {
    long start = Window.aligned(limit.period().micros(), now).start();
    return new SlidingState(limit, start, 0, used);
  }

  /** The state with the counts moved to the window of {@code now}. */
  private SlidingState moved(long now) {
    long newStart = Window.aligned(length(), now).start();
    if (newStart == start) {
      return this;
    }
    return newStart == start + length()
        ? new SlidingState(limit, newStart, current, 0)
        : new SlidingState(limit, newStart, 0, 0);
  }

  private long length() {
    return limit.period().micros();
  }

  @Override
  public Fraction used(long now) {
    SlidingState state = moved(now);
    Fraction share = Fraction.of(length() - (now - state.start), length());
    return share.times(state.previous).plus(state.current);
  }

  /**
   * In this window the previous count fades, in the next one the current count, after that nothing
   * is left.
   */
  @Override
  public long freeAt(long permits, long now) {
    SlidingState state = moved(now);
    if (permits >= state.current) {
      return Math.max(now, state.start + fadeTime(state.previous, permits - state.current));
    }
    return state.start + length() + fadeTime(state.current, permits);
  }

  /** How far into a window a previous count has faded to {@code rest}: (1 − rest / count) · T. */
  private long fadeTime(long count, long rest) {
    return count <= rest ? 0 : Fraction.of(count - rest, count).times(length()).ceil();
  }

  @Override
  public SlidingState charge(long cost, long now) {
    SlidingState state = moved(now);
    return new SlidingState(limit, state.start, state.previous, state.current + cost);
  }

  @Override
  public SlidingState refund(long cost, long now) {
    SlidingState state = moved(now);
    long offCurrent = Math.min(cost, state.current);
    long offPrevious = Math.min(cost - offCurrent, state.previous);
    return new SlidingState(
        limit, state.start, state.previous - offPrevious, state.current - offCurrent);
  }

  @Override
  public SlidingState settle(long now) {
    long latestStart = Window.aligned(length(), now).start();
    return start > latestStart ? new SlidingState(limit, latestStart, previous, current) : this;
  }

  @Override
  public boolean hasMeterOf(Limit other) {
    return other instanceof SlidingWindow window && window.period().equals(limit.period());
  }
}
