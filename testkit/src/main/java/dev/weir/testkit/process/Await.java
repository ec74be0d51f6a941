package dev.weir.testkit.process;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Waits for other processes, which give no notice. */
public final class Await {
  private Await() {}

  private static final long POLL_MILLIS = 5;

  /**
   * Asks again and again until the answer is yes. An exception counts as a no.
   *
   * @throws IllegalStateException when the time is over, with the last exception as its cause
   */
  public static void until(String what, Duration timeout, Callable<Boolean> condition) {
    long startNanos = System.nanoTime();
    @Nullable Exception last = null;
    do {
      try {
        if (condition.call()) {
          return;
        }
        last = null;
      } catch (FinalFailure e) {
        throw e;
      } catch (Exception e) {
        last = e;
      }
      sleep(POLL_MILLIS);
    } while (System.nanoTime() - startNanos < timeout.toNanos());
    throw new IllegalStateException("waited %s in vain: %s".formatted(timeout, what), last);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }

  /** Says that waiting longer is of no use. */
  public static final class FinalFailure extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** With what went wrong. */
    public FinalFailure(String message) {
      super(message);
    }
  }
}
