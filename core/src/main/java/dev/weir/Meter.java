package dev.weir;

/**
 * What a state says about use: the arithmetic of one algorithm, see {@code docs/semantics.md}.
 *
 * <p>A meter is a limit without its capacity, where the state does not depend on that. Reading
 * never writes: a state from the future, which exists only after the clock went back, is read as if
 * settled.
 */
abstract class Meter extends StateKind {

  static Meter of(Limit limit) {
    if (limit instanceof TokenBucket bucket) {
      Rate rate = Rate.of(bucket.permits(), bucket.period().micros());
      return rate.ticksPerMicro() <= TokenBucketMeter.MAX_TICKS_PER_MICRO
          ? new TokenBucketMeter(rate, bucket.burst(), bucket.period().micros())
          : new FineTokenBucketMeter(rate, bucket.burst(), bucket.period().micros());
    }
    if (limit instanceof FixedWindow window) {
      return new FixedWindowMeter(Windows.of(window));
    }
    if (limit instanceof SlidingWindow window) {
      return new SlidingWindowMeter(window.period().micros());
    }
    return new SlidingLogMeter(((SlidingLog) limit).period().micros());
  }

  /** Whether at most {@code x} is used. */
  abstract boolean isUsedAtMost(Cells cells, int at, long now, long x);

  /** What is used, rounded up to whole permits. */
  abstract long used(Cells cells, int at, long now);

  /** The earliest instant from now on at which at most {@code x} is used. */
  abstract long freeAt(Cells cells, int at, long now, long x);

  /** Uses {@code n} more. */
  abstract void charge(Cells cells, int at, long now, long n);

  /** Gives {@code n} back, down to nothing used. */
  abstract void refund(Cells cells, int at, long now, long n);

  /** Makes a cleared state one with {@code used} used. */
  void restore(Cells cells, int at, long now, long used) {
    if (used > 0) {
      charge(cells, at, now, used);
    }
  }

  /** Charges a settled state that was kept by the other meter; from then on this one keeps it. */
  final void takeOver(Meter other, Cells cells, int at, long now, long n) {
    if (!continues(other)) {
      long used = other.used(cells, at, now);
      other.clear(cells, at);
      clear(cells, at);
      restore(cells, at, now, used);
    }
    charge(cells, at, now, n);
  }

  /** Whether states mean the same under the other meter. */
  abstract boolean sameAs(Meter other);

  /** Whether a state charged under the other meter can go on under this one as it is. */
  boolean continues(Meter other) {
    return this == other;
  }

  /** The length of the window that {@code now} is in. */
  abstract long windowMicros(long now);

  @Override
  long forgettableAt(Cells cells, int at, long now) {
    return freeAt(cells, at, now, 0);
  }
}
