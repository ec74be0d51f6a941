package dev.weir.control.usage;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What one user or key has used on one day. Many threads add; one takes, which remembers how much
 * it has taken, so that nothing has to be set back and nothing is lost.
 */
final class UsageCell {
  private static final AtomicLongFieldUpdater<UsageCell> REQUESTS =
      AtomicLongFieldUpdater.newUpdater(UsageCell.class, "requests");
  private static final AtomicLongFieldUpdater<UsageCell> EXCEEDED =
      AtomicLongFieldUpdater.newUpdater(UsageCell.class, "exceeded");

  private final UsageDelta.Kind kind;
  private final String id;
  private final UsageTally tally;

  /** In the cell itself, so that adding touches no other memory. */
  private volatile long requests;

  private volatile long exceeded;
  private volatile long lastMicros;
  private volatile boolean isRetired;

  private long takenRequests;
  private long takenExceeded;
  private long takenLastMicros;
  private int idleTakes;

  UsageCell(UsageDelta.Kind kind, String id, UsageTally tally) {
    this.kind = kind;
    this.id = id;
    this.tally = tally;
  }

  /** Adds; returns whether the cell was let go, so that somebody has to look at it once more. */
  boolean add(long cost, boolean isExceeded, long atMicros) {
    if (cost > 0) {
      REQUESTS.getAndAdd(this, cost);
    }
    if (isExceeded) {
      EXCEEDED.getAndIncrement(this);
    }
    // Of two at the same time either will do.
    if (atMicros > lastMicros) {
      lastMicros = atMicros;
    }
    return isRetired;
  }

  /** Lets it go. Who adds from now on will know; what was added before is seen from now on. */
  void retire() {
    isRetired = true;
  }

  boolean isRetired() {
    return isRetired;
  }

  /** The day it is of, and who counts. */
  UsageTally tally() {
    return tally;
  }

  String id() {
    return id;
  }

  UsageDelta.Kind kind() {
    return kind;
  }

  /** What is new since what was last taken; null if nothing is. */
  @Nullable UsageDelta fresh() {
    long last = lastMicros;
    UsageDelta delta =
        new UsageDelta(
            kind, id, tally.day, requests - takenRequests, exceeded - takenExceeded, last);
    boolean isNew = delta.requests() > 0 || delta.exceeded() > 0 || last > takenLastMicros;
    idleTakes = isNew ? 0 : idleTakes + 1;
    return isNew ? delta : null;
  }

  /** How often in a row there was nothing new. */
  int idleTakes() {
    return idleTakes;
  }

  /** Notes that this was handed on. */
  void taken(UsageDelta delta) {
    takenRequests += delta.requests();
    takenExceeded += delta.exceeded();
    takenLastMicros = delta.lastMicros();
  }
}
