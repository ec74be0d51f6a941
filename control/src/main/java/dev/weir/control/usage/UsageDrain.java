package dev.weir.control.usage;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Hands on what was used, every second and once more in the end. */
public final class UsageDrain implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(UsageDrain.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The usual interval. */
  public static final Duration INTERVAL = Duration.ofSeconds(1);

  private final UsageCounts counts;
  private final Target target;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "weir-usage");
            made.setDaemon(true);
            return made;
          });

  /** Where records go: the outbox. */
  @FunctionalInterface
  public interface Target {
    /** Takes a record without waiting; false if it cannot. */
    boolean put(byte kind, byte[] payload);
  }

  /** Hands on what those counts have. */
  public UsageDrain(UsageCounts counts, Target target, Duration interval) {
    this.counts = counts;
    this.target = target;
    var unused =
        thread.scheduleWithFixedDelay(
            this::drainQuietly, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Hands on what there is now; returns whether all of it was taken. */
  public boolean drain() {
    return counts.drain(payload -> target.put(UsageSink.KIND, payload));
  }

  private void drainQuietly() {
    try {
      drain();
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "usage was not handed on; it waits", failure);
    }
  }

  /** Hands on the rest. The target must still take it, and nobody count any more. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      thread.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!drain()) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "some usage of the last second was not kept: no room for it");
    }
  }
}
