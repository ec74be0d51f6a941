package dev.weir;

/** Narrow cells for tests of charges without a lock, which leave blank buckets to transactions. */
final class Narrow {
  private Narrow() {}

  /** Makes a blank bucket one that was used in 1970. */
  static void usedLongAgo(Cells cells, int at) {
    cells.exchangeHead(at, 0, 1);
  }
}
