package dev.weir;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;

/**
 * The wall clock at start plus {@code nanoTime}, led gently towards the wall clock.
 *
 * <p>Time is a line through an anchor: {@code micros + (nanoTime - nanos) * scale}. Once a second
 * the next reader lays a new anchor on the old line and tilts it by at most 500 parts per million
 * towards the wall clock. An anchor is used for the second after it and no longer, by any thread:
 * so time never goes back, not even from one thread to another.
 */
final class SystemTime implements TimeSource {
  static final SystemTime INSTANCE = new SystemTime();

  private static final long CHECK_NANOS = 1_000_000_000L;

  private static final VarHandle ANCHOR = anchorHandle();

  private volatile Anchor anchor;

  SystemTime() {
    this(0);
  }

  /**
   * @param ageNanos the age of the first anchor; from one second on, the first reader lays the next
   */
  SystemTime(long ageNanos) {
    anchor = Anchor.first(System.nanoTime() - ageNanos, wallMicros() - ageNanos / 1_000);
  }

  @Override
  public long nowMicros() {
    Anchor current = anchor;
    long elapsedNanos = System.nanoTime() - current.nanos;
    return elapsedNanos < CHECK_NANOS ? current.microsAfter(elapsedNanos) : anchoredAgain();
  }

  private long anchoredAgain() {
    for (; ; ) {
      Anchor current = anchor;
      long elapsedNanos = System.nanoTime() - current.nanos;
      if (elapsedNanos < CHECK_NANOS) {
        return current.microsAfter(elapsedNanos);
      }
      Anchor next = current.next(elapsedNanos, wallMicros());
      if (ANCHOR.compareAndSet(this, current, next)) {
        return next.micros;
      }
    }
  }

  private static VarHandle anchorHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(SystemTime.class, "anchor", Anchor.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private static long wallMicros() {
    return Micros.of(Instant.now());
  }

  /** A point on the line and its slope, in microseconds per 2^64 nanoseconds. */
  record Anchor(long nanos, long micros, long scale) {
    /** 2^64 / 1000, rounded up so that whole microseconds are not lost. */
    static final long TRUE_SCALE = 18_446_744_073_709_552L;

    /** The steepest correction: 500 parts per million. */
    static final long MAX_CORRECTION = TRUE_SCALE / 2_000;

    /** An offset is worn off over about this many microseconds. */
    private static final long HORIZON_MICROS = 100_000_000L;

    static Anchor first(long nanos, long wallMicros) {
      return new Anchor(nanos, wallMicros, TRUE_SCALE);
    }

    /**
     * Tilted until the next anchor is due, and straight from there on if nobody lays it in time.
     */
    long microsAfter(long elapsedNanos) {
      return elapsedNanos <= CHECK_NANOS
          ? micros + Math.multiplyHigh(elapsedNanos, scale)
          : micros
              + Math.multiplyHigh(CHECK_NANOS, scale)
              + Math.multiplyHigh(elapsedNanos - CHECK_NANOS, TRUE_SCALE);
    }

    Anchor next(long elapsedNanos, long wallMicros) {
      long here = microsAfter(elapsedNanos);
      long offset = Math.max(-HORIZON_MICROS, Math.min(HORIZON_MICROS, wallMicros - here));
      long correction = TRUE_SCALE / HORIZON_MICROS * offset;
      correction = Math.max(-MAX_CORRECTION, Math.min(MAX_CORRECTION, correction));
      return new Anchor(nanos + elapsedNanos, here, TRUE_SCALE + correction);
    }
  }
}
