package dev.weir.policy;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;

/** A part of a limit. */
final class LimitShare {
  private LimitShare() {}

  /** The same limit with fewer permits, and a burst of no more than those. */
  static Limit withPermits(Limit limit, long permits) {
    if (limit instanceof TokenBucket bucket) {
      return new TokenBucket(permits, bucket.period(), Math.min(bucket.burst(), permits));
    }
    return reduced(limit, permits);
  }

  /** What each of that many instances grants while it counts alone, rounded up. */
  static Limit dividedBy(Limit limit, int nodes) {
    long permits = -Math.floorDiv(-limit.permits(), nodes);
    if (limit instanceof TokenBucket bucket) {
      return new TokenBucket(permits, bucket.period(), -Math.floorDiv(-bucket.burst(), nodes));
    }
    return reduced(limit, permits);
  }

  private static Limit reduced(Limit limit, long permits) {
    if (limit instanceof FixedWindow window) {
      return new FixedWindow(permits, window.period(), window.align());
    }
    if (limit instanceof SlidingWindow window) {
      return new SlidingWindow(permits, window.period());
    }
    return new SlidingLog(permits, ((SlidingLog) limit).period());
  }
}
