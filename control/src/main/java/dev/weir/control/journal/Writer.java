package dev.weir.control.journal;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Brings waiting records to disk, on a thread of its own: all that wait at once, with one sync, at
 * every interval, and sooner when much waits or somebody wants it. What fails is tried again at the
 * next interval.
 */
final class Writer {
  private static final System.Logger LOGGER = System.getLogger(Writer.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final JournalFolder folder;
  private final WaitingRecords waiting;
  private final SegmentWriter disk;
  private final Drops drops;
  private final Progress progress;
  private final long intervalNanos;
  private final Thread thread = new Thread(this::run, "weir-journal");

  /** Whether somebody wants it to write now. */
  private volatile boolean isWanted;

  /** Why the last attempt failed; null if it did not. */
  private volatile @Nullable DropCause trouble;

  private volatile @Nullable String lastFailure;

  Writer(
      JournalFolder folder,
      WaitingRecords waiting,
      SegmentWriter disk,
      Drops drops,
      Progress progress,
      Duration interval) {
    this.folder = folder;
    this.waiting = waiting;
    this.disk = disk;
    this.drops = drops;
    this.progress = progress;
    this.intervalNanos = interval.toNanos();
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Has it write now. */
  void wake() {
    isWanted = true;
    LockSupport.unpark(thread);
  }

  /** Has it write soon because much waits; not while it fails, when it goes by the interval. */
  void hurry() {
    if (!isWanted && trouble == null) {
      wake();
    }
  }

  /** What keeps it from writing; null if nothing does. */
  @Nullable DropCause trouble() {
    return trouble;
  }

  @Nullable String lastFailure() {
    return lastFailure;
  }

  private void run() {
    try {
      while (!waiting.isClosed()) {
        long start = System.nanoTime();
        writeAll();
        awaitInterval(start);
      }
      writeAll();
    } finally {
      // Also if this thread dies of an error: then nothing more is taken, and nobody waits.
      waiting.close();
      dropRest();
      disk.end();
      progress.end();
    }
  }

  private void awaitInterval(long start) {
    while (!isWanted && !waiting.isClosed()) {
      long left = intervalNanos - (System.nanoTime() - start);
      if (left <= 0) {
        break;
      }
      LockSupport.parkNanos(this, left);
      forgetInterrupt();
    }
    isWanted = false;
  }

  /** Nobody has a reason to interrupt this thread; if it stayed so, no file could be written. */
  private void forgetInterrupt() {
    if (Thread.interrupted()) {
      LOGGER.log(System.Logger.Level.WARNING, "journal {0}: interrupted, goes on", folder.path());
    }
  }

  /** Writes what has come until now. Whatever goes wrong, the thread goes on. */
  private void writeAll() {
    try {
      disk.writeUntil(waiting.claimed());
      worked();
    } catch (IOException | RuntimeException failure) {
      failed(failure);
    }
  }

  private void worked() {
    if (trouble != null) {
      trouble = null;
      LOGGER.log(System.Logger.Level.INFO, "journal {0} can be written again", folder.path());
    }
  }

  private void failed(Exception failure) {
    forgetInterrupt();
    DropCause cause = folder.isOnFullDisk() ? DropCause.DISK_FULL : DropCause.DISK_FAILED;
    disk.giveUp();
    lastFailure = failure.toString();
    if (trouble == null) {
      // Once for each time that it starts to fail.
      LOGGER.log(
          System.Logger.Level.WARNING,
          "journal " + folder.path() + " cannot be written; records wait in memory",
          failure);
    }
    trouble = cause;
    progress.failed();
  }

  /** There is no later attempt. */
  private void dropRest() {
    long rest = waiting.size();
    if (rest > 0) {
      DropCause cause = trouble;
      drops.add(cause == null ? DropCause.DISK_FAILED : cause, rest);
      LOGGER.log(
          System.Logger.Level.ERROR,
          "journal {0}: {1} records could not be written and are lost",
          folder.path(),
          Long.toString(rest));
      waiting.release(waiting.claimed());
    }
  }

  /** Takes no more, writes what waits, and ends; answers false if the disk takes too long. */
  boolean end() {
    waiting.close();
    wake();
    boolean isInterrupted = Thread.interrupted();
    long start = System.nanoTime();
    while (thread.isAlive() && System.nanoTime() - start < PATIENCE.toNanos()) {
      try {
        thread.join(PATIENCE.toMillis());
      } catch (InterruptedException later) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOGGER.log(
          System.Logger.Level.ERROR,
          "journal {0}: the disk has not answered for {1}; it is left as it is",
          folder.path(),
          PATIENCE);
    }
    return !thread.isAlive();
  }
}
