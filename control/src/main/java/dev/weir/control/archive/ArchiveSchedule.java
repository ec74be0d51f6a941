package dev.weir.control.archive;

import dev.weir.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Runs an archive soon after the start and then once a day, on a thread of its own; after a failure
 * it tries again within the hour. Thread-safe.
 */
public final class ArchiveSchedule implements AutoCloseable {
  static final Duration AFTER_START = Duration.ofMinutes(1);
  static final Duration BETWEEN_RUNS = Duration.ofDays(1);
  static final Duration AFTER_FAILURE = Duration.ofHours(1);

  private static final System.Logger LOGGER = System.getLogger(ArchiveSchedule.class.getName());
  private static final long STOP_SECONDS = 10;

  private final Archive archive;
  private final TimeSource time;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread daemon = new Thread(task, "weir-archive");
            daemon.setDaemon(true);
            return daemon;
          });
  private volatile Optional<String> lastFailure = Optional.empty();
  private volatile long runs;

  private ArchiveSchedule(Archive archive, TimeSource time) {
    this.archive = archive;
    this.time = time;
  }

  /** Begins; the first run is a minute away. */
  public static ArchiveSchedule start(Archive archive, TimeSource time) {
    ArchiveSchedule schedule = new ArchiveSchedule(archive, time);
    schedule.runAfter(AFTER_START);
    return schedule;
  }

  private void runAfter(Duration delay) {
    time.runAfter(TimeUnit.NANOSECONDS.toMicros(delay.toNanos()), this::handOver);
  }

  private void handOver() {
    try {
      thread.execute(this::runOnce);
    } catch (RejectedExecutionException e) {
      // Closed meanwhile.
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes it.
  private void runOnce() {
    Optional<String> failure = attempt();
    lastFailure = failure;
    if (!thread.isShutdown()) {
      runAfter(failure.isPresent() ? AFTER_FAILURE : BETWEEN_RUNS);
    }
    runs++;
  }

  /** What went wrong; nothing if it was another instance's turn. */
  private Optional<String> attempt() {
    try {
      return archive.run().flatMap(ArchiveSchedule::tell);
    } catch (RuntimeException e) {
      String message = "cannot archive: " + ArchiveException.reason(e);
      LOGGER.log(System.Logger.Level.WARNING, message);
      LOGGER.log(System.Logger.Level.DEBUG, message, e);
      return Optional.of(message);
    }
  }

  private static Optional<String> tell(ArchiveReport report) {
    if (report.dropped() > 0) {
      LOGGER.log(
          System.Logger.Level.INFO,
          "archived {0} months with {1} rows, dropped {2} months",
          report.archived().size(),
          report.rows(),
          report.dropped());
    }
    return report.failures().stream().map(ArchiveReport.Failure::message).findFirst();
  }

  /** What was wrong with the last run, if anything was. */
  public Optional<String> lastFailure() {
    return lastFailure;
  }

  /** How many runs have ended. */
  public long runs() {
    return runs;
  }

  /** Ends a run that is at work soon, and begins no more; another start goes on with the rest. */
  @Override
  public void close() {
    archive.stop();
    thread.shutdown();
    try {
      if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOGGER.log(System.Logger.Level.WARNING, "archiving has not ended in time, and is left");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
