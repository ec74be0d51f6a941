package dev.weir.testkit;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;

/**
 * What one counter holds, under the limit it was last charged under. A counter without a state is
 * one that was restored with nothing used. States are immutable; times are microseconds since the
 * epoch.
 *
 * <p>All questions but {@link #settle} are put to a settled state.
 */
sealed interface OracleState permits BucketState, WindowState, SlidingState, LogState {

  /** How much is used. */
  Fraction used(long now);

  /** The earliest instant from {@code now} on at which no more than {@code permits} are used. */
  long freeAt(long permits, long now);

  /** The state after {@code cost} more was used. */
  OracleState charge(long cost, long now);

  /** The state after {@code cost} was given back. */
  OracleState refund(long cost, long now);

  /** The state as it counts now, should it come from the future. */
  OracleState settle(long now);

  /** Whether the state means the same under that limit. */
  boolean hasMeterOf(Limit limit);

  /** The state to charge under that limit: this one, or one under it with as much used. */
  default OracleState under(Limit limit, long now) {
    return hasMeterOf(limit) ? this : restore(limit, used(now).ceil(), now);
  }

  /** Whether a store may have forgotten the state, or a part of it, by now. */
  default boolean mayBeForgotten(long now) {
    return used(now).equals(Fraction.ZERO);
  }

  /** A state with {@code used} used. */
  static OracleState restore(Limit limit, long used, long now) {
    if (limit instanceof TokenBucket bucket) {
      return BucketState.restore(bucket, used, now);
    }
    if (limit instanceof FixedWindow window) {
      return WindowState.restore(window, used, now);
    }
    if (limit instanceof SlidingWindow window) {
      return SlidingState.restore(window, used, now);
    }
    return LogState.restore((SlidingLog) limit, used, now);
  }
}
