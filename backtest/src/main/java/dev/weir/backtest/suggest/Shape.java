package dev.weir.backtest.suggest;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;

/** A kind of limit that is tried. */
enum Shape {
  TOKEN_BUCKET,
  /** Holds more than it refills in a window. */
  TOKEN_BUCKET_WITH_BURST,
  FIXED_WINDOW,
  SLIDING_WINDOW,
  SLIDING_LOG;

  /**
   * How many times its permits a bucket holds; at least 2, which is what a sliding window needs.
   */
  static final long LARGEST_BURST = 4;

  Limit limit(long permits, Window window) {
    return switch (this) {
      case TOKEN_BUCKET -> new TokenBucket(permits, window.period(), permits);
      case TOKEN_BUCKET_WITH_BURST ->
          new TokenBucket(permits, window.period(), LARGEST_BURST * permits);
      case FIXED_WINDOW -> new FixedWindow(permits, window.period(), FixedWindow.Align.EPOCH);
      case SLIDING_WINDOW -> new SlidingWindow(permits, window.period());
      case SLIDING_LOG -> new SlidingLog(permits, window.period());
    };
  }

  /** How many rungs of the window it can have. */
  int rungs(Window window) {
    return this == SLIDING_LOG ? window.rungsBelow(SlidingLog.MAX_PERMITS + 1) : window.rungs();
  }
}
