package dev.weir;

/**
 * Lets the threads that won go on for a while. Where a line of the cache has to travel between
 * cores, trying again at once would take it from them half-way, and all would be slower for it.
 */
final class BackOff {
  /** Measured: less helps less between cores, more slows down threads that share one. */
  private static final int SPINS = 64;

  private static final int MOST_DOUBLINGS = 3;

  private BackOff() {}

  /** Waits a little, longer after each loss. */
  static void afterLoss(int losses) {
    for (int i = SPINS << Math.min(losses, MOST_DOUBLINGS); i > 0; i--) {
      Thread.onSpinWait();
    }
  }
}
