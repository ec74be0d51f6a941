package dev.weir.server.envoy;

import dev.weir.DirectCounterStore;
import dev.weir.policy.FailureMode;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is done when counters cannot be reached. Says so in the log, but at most every ten seconds,
 * as every request may fail while they are away. Thread-safe.
 */
final class StoreFailures {
  private static final System.Logger LOGGER = System.getLogger(StoreFailures.class.getName());
  private static final long QUIET_NANOS = 10_000_000_000L;

  private final DirectCounterStore local;
  private final EnvoyStats stats;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

  /**
   * Nothing has failed yet.
   *
   * @param local counts in place of a store that cannot be reached
   */
  StoreFailures(DirectCounterStore local, EnvoyStats stats) {
    this.local = local;
    this.stats = stats;
  }

  /** Decides a descriptor for which the store failed. */
  void decide(Check check, RuleLimit limit, Throwable failure, EnvoyOptions options) {
    if (tell(failure, options.failureMode()) == FailureMode.LOCAL) {
      RuleLimit share = limit.dividedBy(options.localNodes());
      check.counted(local.applyNow(check.operation(share)), share);
    }
  }

  /**
   * Decides several descriptors of one request that depend on each other.
   *
   * @param charging what the store could not do
   */
  void decideTogether(Throwable failure, EnvoyOptions options, Charging charging) {
    if (tell(failure, options.failureMode()) == FailureMode.LOCAL) {
      charging.on(local, limit -> limit.dividedBy(options.localNodes())).join();
    }
  }

  private FailureMode tell(Throwable failure, FailureMode mode) {
    stats.countFailure(mode);
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + QUIET_NANOS)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "counters could not be reached ("
              + causeOf(failure)
              + "); requests of Envoy are decided in failure_mode "
              + mode);
    }
    if (mode == FailureMode.CLOSED) {
      throw new RateLimitException(
          RateLimitException.Kind.UNREACHABLE, "counters could not be reached");
    }
    return mode;
  }

  private static Throwable causeOf(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
    return cause == null ? failure : causeOf(cause);
  }
}
