package dev.weir.control.journal;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Records that wait for being safe on disk, in the order in which they came: a ring that many put
 * into and one takes out of.
 *
 * <p>Records are numbered from 0 on. Who puts one in first claims the next number, by one
 * compare-and-set, and then fills the slot of that number. Slots are emptied before the number
 * released rises, and nobody can claim a slot before that; so a slot that was claimed is empty
 * until it is filled, and the one who takes out waits for that.
 */
final class WaitingRecords {
  /** Said by {@link #offer} when too many wait. */
  static final long FULL = -1;

  /** Said by {@link #offer} after {@link #close}. */
  static final long CLOSED = -2;

  private static final long CLOSED_BIT = Long.MIN_VALUE;

  private final int most;
  private final int mask;
  private final AtomicReferenceArray<byte[]> slots;

  /** How many were ever put in; with the highest bit when closed. */
  private final AtomicLong claimed = new AtomicLong();

  /** How many were ever taken out. Written by one thread. */
  private volatile long released;

  /** Room for that many. */
  WaitingRecords(int most) {
    this.most = most;
    int length = most == 1 ? 1 : Integer.highestOneBit(most - 1) << 1;
    this.mask = length - 1;
    this.slots = new AtomicReferenceArray<>(length);
  }

  /** Puts one in, and says how many wait then; or {@link #FULL}, or {@link #CLOSED}. */
  long offer(byte[] record) {
    while (true) {
      long number = claimed.get();
      if (number < 0) {
        return CLOSED;
      }
      long waiting = number - released;
      if (waiting >= most) {
        return FULL;
      }
      if (claimed.compareAndSet(number, number + 1)) {
        // Release: whoever finds the record finds its bytes. Nothing that follows has to wait.
        slots.setRelease(slot(number), record);
        return waiting + 1;
      }
    }
  }

  /** How many were ever put in. */
  long claimed() {
    return claimed.get() & ~CLOSED_BIT;
  }

  /** How many were ever taken out. */
  long released() {
    return released;
  }

  /** How many wait. */
  long size() {
    // In this order: what is taken out was put in.
    long out = released;
    return claimed() - out;
  }

  /** The record of a number that was claimed and not yet released. */
  byte[] get(long number) {
    int slot = slot(number);
    // Acquire: goes with the release that fills the slot.
    byte[] record = slots.getAcquire(slot);
    while (record == null) {
      // Whoever claimed the slot is about to fill it, unless it lost its processor just then.
      LockSupport.parkNanos(1_000);
      record = slots.getAcquire(slot);
    }
    return record;
  }

  /** Takes out all below a number; called by one thread. */
  void release(long until) {
    for (long number = released; number < until; number++) {
      // Plain: the volatile write below comes before anybody fills the slot again.
      slots.setPlain(slot(number), null);
    }
    released = until;
  }

  private int slot(long number) {
    return (int) number & mask;
  }

  /** From now on nothing is put in. */
  void close() {
    claimed.getAndUpdate(number -> number | CLOSED_BIT);
  }

  boolean isClosed() {
    return claimed.get() < 0;
  }
}
