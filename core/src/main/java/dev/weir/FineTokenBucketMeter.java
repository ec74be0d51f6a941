package dev.weir;

/**
 * A token bucket whose ticks are too fine to count them from the epoch in one long, such as 999/s:
 * the instant at which it is full again as whole microseconds and the ticks beyond.
 */
final class FineTokenBucketMeter extends Meter {
  private final Rate rate;
  private final long burst;
  private final long fillMicros;
  private final long fillTicks;
  private final long periodMicros;

  FineTokenBucketMeter(Rate rate, long burst, long periodMicros) {
    this.rate = rate;
    this.burst = burst;
    this.fillMicros = micros(rate, burst);
    this.fillTicks = ticks(rate, burst);
    this.periodMicros = periodMicros;
  }

  /** The time that n permits take, n being at most the burst: its whole microseconds. */
  private static long micros(Rate rate, long n) {
    return n * rate.wholeMicros() + n * rate.restTicks() / rate.ticksPerMicro();
  }

  /** The time that n permits take, n being at most the burst: its ticks beyond the microsecond. */
  private static long ticks(Rate rate, long n) {
    return n * rate.restTicks() % rate.ticksPerMicro();
  }

  @Override
  boolean isFromTheFuture(Cells cells, int at, long now) {
    long micros = cells.words[at] - now;
    return micros > fillMicros || (micros == fillMicros && cells.words[at + 1] > fillTicks);
  }

  private long debtMicros(Cells cells, int at, long now) {
    return isFromTheFuture(cells, at, now) ? fillMicros : Math.max(0, cells.words[at] - now);
  }

  private long debtTicks(Cells cells, int at, long now) {
    if (isFromTheFuture(cells, at, now)) {
      return fillTicks;
    }
    return cells.words[at] < now ? 0 : cells.words[at + 1];
  }

  @Override
  int words() {
    return 2;
  }

  @Override
  boolean isUsedAtMost(Cells cells, int at, long now, long x) {
    if (x >= burst) {
      return true;
    }
    long micros = debtMicros(cells, at, now);
    long free = micros(rate, x);
    return micros < free || (micros == free && debtTicks(cells, at, now) <= ticks(rate, x));
  }

  @Override
  long used(Cells cells, int at, long now) {
    return Exact.multiplyAddDivideUp(
        debtMicros(cells, at, now),
        rate.ticksPerMicro(),
        debtTicks(cells, at, now),
        rate.ticksPerPermit());
  }

  @Override
  long freeAt(Cells cells, int at, long now, long x) {
    if (isUsedAtMost(cells, at, now, x)) {
      return now;
    }
    long micros = debtMicros(cells, at, now) - micros(rate, x);
    return now + (debtTicks(cells, at, now) > ticks(rate, x) ? micros + 1 : micros);
  }

  @Override
  void charge(Cells cells, int at, long now, long n) {
    long micros = now + debtMicros(cells, at, now) + micros(rate, n);
    long ticks = debtTicks(cells, at, now) + ticks(rate, n);
    boolean carries = ticks >= rate.ticksPerMicro();
    cells.words[at] = carries ? micros + 1 : micros;
    cells.words[at + 1] = carries ? ticks - rate.ticksPerMicro() : ticks;
  }

  @Override
  void refund(Cells cells, int at, long now, long n) {
    if (isUsedAtMost(cells, at, now, n)) {
      clear(cells, at);
      return;
    }
    long micros = now + debtMicros(cells, at, now) - micros(rate, n);
    long ticks = debtTicks(cells, at, now) - ticks(rate, n);
    cells.words[at] = ticks < 0 ? micros - 1 : micros;
    cells.words[at + 1] = ticks < 0 ? ticks + rate.ticksPerMicro() : ticks;
  }

  @Override
  void settle(Cells cells, int at, long now) {
    if (isFromTheFuture(cells, at, now)) {
      cells.words[at] = now + fillMicros;
      cells.words[at + 1] = fillTicks;
    }
  }

  @Override
  boolean sameAs(Meter other) {
    return other instanceof FineTokenBucketMeter that
        && continues(that)
        && burst == that.burst
        && periodMicros == that.periodMicros;
  }

  @Override
  boolean continues(Meter other) {
    return other instanceof FineTokenBucketMeter that && rate.equals(that.rate);
  }

  @Override
  long windowMicros(long now) {
    return periodMicros;
  }
}
