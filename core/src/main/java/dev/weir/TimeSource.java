package dev.weir;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The clock of a store: integer microseconds since the epoch, from 1970 to the year 2400.
 *
 * <p>The engine reads it once for each operation. It should never go back; if it does, nothing is
 * refilled by that and nobody is locked out for longer than one window.
 */
@FunctionalInterface
public interface TimeSource {

  /** The time now, in microseconds since the epoch. */
  long nowMicros();

  /** Runs the task on another thread once that many microseconds of this clock have passed. */
  default void runAfter(long delayMicros, Runnable task) {
    CompletableFuture.delayedExecutor(delayMicros, TimeUnit.MICROSECONDS).execute(task);
  }

  /**
   * The system's monotonic clock, started at the wall clock's time and slewed gently towards it:
   * never stepped, never going back.
   */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }

  /**
   * The system's clock as a background thread last read it, about every millisecond. Reading it
   * costs next to nothing; limits behind it are exact on a clock that moves in such steps.
   */
  static TimeSource coarse() {
    return CoarseTime.INSTANCE;
  }

  /** A clock that stands at that instant until it is moved. */
  static ManualTime manual(Instant start) {
    return new ManualTime(start);
  }
}
