package dev.weir.control.journal;

import java.util.concurrent.TimeUnit;

/** How far the writer has got; others wait for it here. */
final class Progress {
  private long synced;
  private long written;
  private long failures;
  private boolean isEnded;

  /** Starts where an earlier process ended. */
  Progress(long synced) {
    this.synced = synced;
  }

  /** What has become of something that was waited for. */
  enum Outcome {
    DONE,
    FAILED,
    ENDED
  }

  /** All up to that sequence, and of this process that many records, are safe on disk. */
  synchronized void synced(long sequence, long records) {
    synced = sequence;
    written = records;
    notifyAll();
  }

  /** An attempt to write has failed. */
  synchronized void failed() {
    failures++;
    notifyAll();
  }

  /** The writer writes no more. */
  synchronized void end() {
    isEnded = true;
    notifyAll();
  }

  /** The highest sequence that is safe on disk. */
  synchronized long synced() {
    return synced;
  }

  /** How many attempts to write have failed. */
  synchronized long failures() {
    return failures;
  }

  /** Waits until that many records of this process are safe on disk, or another attempt failed. */
  synchronized Outcome awaitWritten(long records, long failuresBefore) throws InterruptedException {
    while (written < records) {
      if (isEnded) {
        return Outcome.ENDED;
      }
      if (failures > failuresBefore) {
        return Outcome.FAILED;
      }
      wait();
    }
    return Outcome.DONE;
  }

  /** Waits until a higher sequence is safe on disk; answers false if the time passes or it ends. */
  synchronized boolean awaitBeyond(long sequence, long nanos) throws InterruptedException {
    long start = System.nanoTime();
    while (synced <= sequence) {
      long left = nanos - (System.nanoTime() - start);
      if (left <= 0 || isEnded) {
        return false;
      }
      // At least a millisecond, as zero would be for ever.
      wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
    }
    return true;
  }
}
