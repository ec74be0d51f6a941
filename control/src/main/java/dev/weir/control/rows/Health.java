package dev.weir.control.rows;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Knows whether the database can be asked. While it cannot, one attempt a second is made. */
final class Health {
  private static final System.Logger LOGGER = System.getLogger(Health.class.getName());
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  private final String what;
  private final AtomicLong nextTryNanos = new AtomicLong();
  private volatile boolean isDown;

  /**
   * Of what is looked up.
   *
   * @param what such as {@code keys}, for the log
   */
  Health(String what) {
    this.what = what;
  }

  boolean isDown() {
    return isDown;
  }

  /** Whether to ask now. */
  boolean mayTry() {
    if (!isDown) {
      return true;
    }
    long next = nextTryNanos.get();
    long now = System.nanoTime();
    return now - next >= 0 && nextTryNanos.compareAndSet(next, now + PAUSE_NANOS);
  }

  synchronized void failed(RuntimeException failure) {
    nextTryNanos.set(System.nanoTime() + PAUSE_NANOS);
    if (!isDown) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "{0} cannot be looked up; what is known of them holds: {1}",
          what,
          failure.getMessage());
    }
    isDown = true;
  }

  synchronized void worked() {
    if (isDown) {
      LOGGER.log(System.Logger.Level.INFO, "{0} can be looked up again", what);
    }
    isDown = false;
  }
}
