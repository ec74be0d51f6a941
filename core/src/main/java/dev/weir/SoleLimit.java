package dev.weir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The short way of a request under one limit whose cell is there and in order, as nearly all are.
 * It decides what a {@link Transaction} would, and leaves everything else to that: cells that are
 * to be added, moved, shared or taken over from another limit, and clocks that went back.
 */
final class SoleLimit {
  private SoleLimit() {}

  /**
   * Consumes the cost, or refuses it.
   *
   * @return null, and nothing is changed, if it takes a transaction
   */
  static @Nullable Decision acquire(
      CounterTable table, long fingerprint, Counter counter, long now, long cost) {
    Segment segment = table.segment(fingerprint);
    long capacity = counter.limit().capacity();
    if (segment == null || cost < 1 || cost > capacity) {
      return null;
    }
    Cells cells = segment.cells();
    int at = cells.find(fingerprint);
    if (at < 0) {
      return null;
    }
    Meter meter = table.meter(counter.limit());
    if (cells.narrow == null) {
      return acquireWide(table, cells, at, meter, counter, now, cost);
    }
    return cells.narrow == meter
        ? acquireNarrow(cells.narrow, cells, at, counter, now, cost)
        : null;
  }

  private static @Nullable Decision acquireWide(
      CounterTable table, Cells cells, int at, Meter meter, Counter counter, long now, long cost) {
    long head = cells.lock(at);
    if (head == Cells.GONE) {
      return null;
    }
    try {
      int state = cells.state(at);
      if (table.kind(head) != meter
          // Wide cells of a limit that could have narrow ones are to become such.
          || meter instanceof TokenBucketMeter
          || meter.needsNewerTime(cells, state, now)) {
        return null;
      }
      long capacity = counter.limit().capacity();
      long most = capacity - cost;
      boolean isAllowed = meter.isUsedAtMost(cells, state, now, most);
      long retryAfter = isAllowed ? 0 : Math.max(1, meter.freeAt(cells, state, now, most) - now);
      if (isAllowed) {
        meter.charge(cells, state, now, cost);
      }
      long used = meter.used(cells, state, now);
      return decision(counter, now, retryAfter, used, meter.freeAt(cells, state, now, 0));
    } finally {
      cells.unlock(at, head);
    }
  }

  private static @Nullable Decision acquireNarrow(
      TokenBucketMeter meter, Cells cells, int at, Counter counter, long now, long cost) {
    long charged = meter.chargedHead(cells.words, at, now, cost);
    if (charged == TokenBucketMeter.NO_HEAD) {
      return null;
    }
    long head = Math.abs(charged);
    long most = counter.limit().capacity() - cost;
    long retryAfter = charged > 0 ? 0 : Math.max(1, meter.freeAt(head, now, most) - now);
    return decision(counter, now, retryAfter, meter.used(head, now), meter.freeAt(head, now, 0));
  }

  private static Decision decision(
      Counter counter, long now, long retryAfter, long used, long resetMicros) {
    long remaining = Math.max(0, counter.limit().capacity() - used);
    return new Decision(
        retryAfter == 0 ? Reason.WITHIN_LIMITS : Reason.LIMIT_EXCEEDED,
        now,
        retryAfter,
        0,
        List.of(new LimitStatus(counter.name(), counter.limit(), remaining, resetMicros)));
  }
}
