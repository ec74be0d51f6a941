package dev.weir.policy;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Says in the log that counters cannot be reached: at once, and then at most every ten seconds, as
 * every request may fail while they are away. Thread-safe.
 */
final class FailureLog {
  private static final long QUIET_NANOS = 10_000_000_000L;

  private final System.Logger logger;
  private final LongSupplier nanos;
  private final AtomicLong nextNanos;
  private final LongAdder unsaid = new LongAdder();

  /** A log on a clock that counts nanoseconds from anywhere. */
  FailureLog(System.Logger logger, LongSupplier nanos) {
    this.logger = logger;
    this.nanos = nanos;
    this.nextNanos = new AtomicLong(nanos.getAsLong());
  }

  /** Counters failed, and that was done in their place. */
  void failed(Throwable failure, FailureMode mode) {
    long now = nanos.getAsLong();
    long next = nextNanos.get();
    boolean isTime = now - next >= 0 && nextNanos.compareAndSet(next, now + QUIET_NANOS);
    if (!isTime) {
      unsaid.increment();
      return;
    }
    long before = unsaid.sumThenReset();
    logger.log(
        System.Logger.Level.WARNING,
        "counters could not be reached ("
            + failure
            + "); decided in failure_mode "
            + mode
            + (before == 0 ? "" : ", as " + before + " times before, since this was last said"));
  }
}
