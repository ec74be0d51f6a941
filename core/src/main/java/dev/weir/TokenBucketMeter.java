package dev.weir;

/**
 * A token bucket in one long: the instant at which it is full again, counted in ticks since the
 * epoch. A tick is the largest unit of time that both a microsecond and the refill of a permit are
 * whole numbers of, so that nothing is ever rounded.
 *
 * <p>With up to {@value #MAX_TICKS_PER_MICRO} ticks per microsecond, which covers every rate of
 * that many permits or fewer and all rounder ones, every instant until the year 2400 plus the
 * longest fill fits into 64 bits, unsigned.
 */
final class TokenBucketMeter extends Meter {
  static final long MAX_TICKS_PER_MICRO = 1_024;

  /** What a charge without a lock came to. */
  static final int REFUSED = 0;

  static final int CHARGED = 1;

  static final int LOOK_AGAIN = 2;

  /** In place of a head: a charge that takes a closer look. */
  static final long NO_HEAD = 0;

  private final long ticksPerMicro;
  private final long ticksPerPermit;
  private final long burst;
  private final long burstTicks;
  private final long periodMicros;

  TokenBucketMeter(Rate rate, long burst, long periodMicros) {
    this.ticksPerMicro = rate.ticksPerMicro();
    this.ticksPerPermit = rate.ticksPerPermit();
    this.burst = burst;
    this.burstTicks = burst * ticksPerPermit;
    this.periodMicros = periodMicros;
  }

  /**
   * Charges the narrow cell at that place with one compare-and-set.
   *
   * @param cost from 1 to the burst
   */
  int tryCharge(long[] words, int at, long now, long cost) {
    long head = chargedHead(words, at, now, cost);
    return head > 0 ? CHARGED : head == NO_HEAD ? LOOK_AGAIN : REFUSED;
  }

  /**
   * As {@link #tryCharge}.
   *
   * @return the head that the cell has now, which is above 0; that times -1 if the charge was
   *     refused; or {@link #NO_HEAD}
   */
  long chargedHead(long[] words, int at, long now, long cost) {
    long nowTicks = now * ticksPerMicro;
    long costTicks = cost * ticksPerPermit;
    for (int spins = 0; ; spins++) {
      long fullAt = (long) Cells.WORD.getAcquire(words, at + Cells.HEAD);
      if (fullAt <= 0) {
        if (fullAt == Cells.LOCKED) {
          Cells.pause(spins);
          continue;
        }
        // Gone; or blank, and perhaps emptied after this caller read the clock, which Transaction
        // reads again, lest the charge lie in the past; or beyond 2^63, which is another century.
        return NO_HEAD;
      }
      // The instants may be so far apart that this is wrong; it is beyond the burst then, too.
      long debt = fullAt - nowTicks;
      if (debt > burstTicks - costTicks) {
        // A bucket that owes more than it holds is from the future, which takes a closer look.
        return debt > burstTicks ? NO_HEAD : -fullAt;
      }
      long next = nowTicks + Math.max(0, debt) + costTicks;
      if (next <= 0) {
        return NO_HEAD;
      }
      if (Cells.WORD.compareAndSet(words, at + Cells.HEAD, fullAt, next)) {
        return next;
      }
      BackOff.afterLoss(spins);
    }
  }

  /** Whether so much can be used at once. */
  boolean holds(long used) {
    return used <= burst;
  }

  /** The head of a narrow cell with that much used. */
  long headWith(long now, long used) {
    return used == 0 ? 0 : now * ticksPerMicro + used * ticksPerPermit;
  }

  /** What is used of a narrow cell with that head, rounded up to whole permits. */
  long used(long head, long now) {
    return Exact.divideUp(debt(head, now), ticksPerPermit);
  }

  /** The earliest instant from now on at which at most {@code x} is used of a narrow cell. */
  long freeAt(long head, long now, long x) {
    long excess = debt(head, now) - Exact.multiply(x, ticksPerPermit);
    return excess <= 0 ? now : now + Exact.divideUp(excess, ticksPerMicro);
  }

  /** Whether a narrow cell with that head has nothing used. */
  boolean isFull(long head, long now) {
    return Long.compareUnsigned(head, now * ticksPerMicro) <= 0;
  }

  /** When a narrow cell with that head has nothing used. */
  long forgettableAt(long head) {
    long micros = Long.divideUnsigned(head, ticksPerMicro);
    return micros * ticksPerMicro == head ? micros : micros + 1;
  }

  private long debt(long fullAt, long now) {
    long nowTicks = now * ticksPerMicro;
    if (Long.compareUnsigned(fullAt, nowTicks) <= 0) {
      return 0;
    }
    long debt = fullAt - nowTicks;
    return Long.compareUnsigned(debt, burstTicks) > 0 ? burstTicks : debt;
  }

  private long debt(Cells cells, int at, long now) {
    return debt(cells.words[at], now);
  }

  @Override
  int words() {
    return 1;
  }

  @Override
  boolean isUsedAtMost(Cells cells, int at, long now, long x) {
    return debt(cells, at, now) <= Exact.multiply(x, ticksPerPermit);
  }

  @Override
  long used(Cells cells, int at, long now) {
    return used(cells.words[at], now);
  }

  @Override
  long freeAt(Cells cells, int at, long now, long x) {
    return freeAt(cells.words[at], now, x);
  }

  @Override
  void charge(Cells cells, int at, long now, long n) {
    cells.words[at] = now * ticksPerMicro + debt(cells, at, now) + n * ticksPerPermit;
  }

  @Override
  void refund(Cells cells, int at, long now, long n) {
    long left = Math.max(0, debt(cells, at, now) - Exact.multiply(n, ticksPerPermit));
    cells.words[at] = left == 0 ? 0 : now * ticksPerMicro + left;
  }

  @Override
  boolean isFromTheFuture(Cells cells, int at, long now) {
    return Long.compareUnsigned(cells.words[at], now * ticksPerMicro + burstTicks) > 0;
  }

  @Override
  void settle(Cells cells, int at, long now) {
    if (isFromTheFuture(cells, at, now)) {
      cells.words[at] = now * ticksPerMicro + burstTicks;
    }
  }

  @Override
  boolean sameAs(Meter other) {
    return other instanceof TokenBucketMeter that
        && continues(that)
        && burst == that.burst
        && periodMicros == that.periodMicros;
  }

  @Override
  boolean continues(Meter other) {
    return other instanceof TokenBucketMeter that
        && ticksPerMicro == that.ticksPerMicro
        && ticksPerPermit == that.ticksPerPermit;
  }

  @Override
  long windowMicros(long now) {
    return periodMicros;
  }
}
