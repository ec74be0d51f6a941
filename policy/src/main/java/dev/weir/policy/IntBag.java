package dev.weir.policy;

import java.util.Arrays;

/** A growing list of ints that is used again and again. */
final class IntBag {
  private int[] values = new int[16];
  private int size;

  void clear() {
    size = 0;
  }

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  void addAll(int[] more) {
    for (int value : more) {
      add(value);
    }
  }

  int size() {
    return size;
  }

  int get(int index) {
    return values[index];
  }

  void sort() {
    if (size > 1) {
      Arrays.sort(values, 0, size);
    }
  }
}
