package dev.weir;

/**
 * A queue of numbers in the log beside a state: a ring that grows as needed. Two words of the state
 * hold where it starts and how many numbers it has.
 */
final class Log {
  private static final int FIRST = 0;
  private static final int SIZE = 1;

  /** The words of the state that a log takes. */
  static final int WORDS = 2;

  private static final int SMALLEST = 8;

  private Log() {}

  static int size(Cells cells, int at) {
    return (int) cells.words[at + SIZE];
  }

  /** The number at that place, 0 being the oldest. */
  static long get(Cells cells, int at, int index) {
    long[] ring = cells.log(at);
    return ring[place(cells, at, ring, index)];
  }

  static void set(Cells cells, int at, int index, long value) {
    long[] ring = cells.log(at);
    ring[place(cells, at, ring, index)] = value;
  }

  private static int place(Cells cells, int at, long[] ring, int index) {
    return ((int) cells.words[at + FIRST] + index) & (ring.length - 1);
  }

  static void append(Cells cells, int at, long value) {
    int size = size(cells, at);
    if (size == cells.log(at).length) {
      grow(cells, at, size);
    }
    cells.words[at + SIZE] = size + 1L;
    set(cells, at, size, value);
  }

  private static void grow(Cells cells, int at, int size) {
    long[] larger = new long[Math.max(SMALLEST, 2 * size)];
    for (int i = 0; i < size; i++) {
      larger[i] = get(cells, at, i);
    }
    cells.setLog(at, larger);
    cells.words[at + FIRST] = 0;
  }

  static void removeOldest(Cells cells, int at, int count) {
    int length = cells.log(at).length;
    if (count > 0) {
      cells.words[at + FIRST] = (cells.words[at + FIRST] + count) & (length - 1);
      cells.words[at + SIZE] -= count;
    }
  }

  static void removeNewest(Cells cells, int at, int count) {
    cells.words[at + SIZE] -= count;
  }
}
