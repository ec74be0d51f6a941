package dev.weir.control.journal;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How much a journal holds. Who appends first takes the room that the record will need on disk, so
 * that what was taken has a place.
 */
final class Room {
  private final long mostOnDisk;
  private final long mostWaiting;

  /** Bytes on disk, and of what waits for getting there. */
  private final AtomicLong held;

  /** Of those, the bytes on disk. What waits is the difference. */
  private final AtomicLong onDisk;

  Room(JournalOptions options, long onDisk) {
    this.mostOnDisk = options.mostBytesOnDisk();
    this.mostWaiting = options.mostWaitingBytes();
    this.held = new AtomicLong(onDisk);
    this.onDisk = new AtomicLong(onDisk);
  }

  /** Takes room for a frame; if there is none, says why. */
  @Nullable DropCause take(int bytes) {
    long wanted = held.addAndGet(bytes);
    DropCause refusal = null;
    if (wanted > mostOnDisk) {
      refusal = DropCause.DISK_FULL;
    } else if (wanted - onDisk.get() > mostWaiting) {
      refusal = DropCause.MEMORY_FULL;
    }
    if (refusal != null) {
      // Others may have been refused for what was held for a moment: they were at the bound anyway.
      giveBack(bytes);
    }
    return refusal;
  }

  /** What was taken is not needed. */
  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }

  /** What was taken is on disk now. */
  void written(long bytes) {
    onDisk.addAndGet(bytes);
  }

  /** What was on disk is gone. */
  void deleted(long bytes) {
    // In this order, lest it seems to wait.
    held.addAndGet(-bytes);
    onDisk.addAndGet(-bytes);
  }

  long onDisk() {
    return onDisk.get();
  }

  /** Whether so much waits that it should be written at once. */
  boolean isBusy() {
    return held.get() - onDisk.get() > mostWaiting / 4;
  }
}
