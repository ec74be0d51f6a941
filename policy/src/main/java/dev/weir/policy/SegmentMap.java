package dev.weir.policy;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from segments, looked up by a region of a path, so that matching cuts no strings
 * out of it.
 */
final class SegmentMap<V> {
  private final @Nullable String[] keys;
  private final Object[] values;
  private final int mask;

  SegmentMap(Map<String, V> entries) {
    int capacity = Integer.highestOneBit(Math.max(1, entries.size())) << 2;
    this.keys = new String[capacity];
    this.values = new Object[capacity];
    this.mask = capacity - 1;
    entries.forEach(this::put);
  }

  private void put(String key, V value) {
    int slot = spread(key.hashCode());
    while (keys[slot] != null) {
      slot = (slot + 1) & mask;
    }
    keys[slot] = key;
    values[slot] = value;
  }

  /** The hash of the segment that is the region of {@code path}; that of the string it would be. */
  static int hash(String path, int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) {
      hash = 31 * hash + path.charAt(i);
    }
    return hash;
  }

  /** The value of the segment that is the region of {@code path} and has that hash, or null. */
  @SuppressWarnings("unchecked") // put() writes only values of the type V.
  @Nullable V get(String path, int start, int end, int hash) {
    for (int slot = spread(hash); ; slot = (slot + 1) & mask) {
      String key = keys[slot];
      if (key == null) {
        return null;
      }
      if (key.length() == end - start && path.startsWith(key, start)) {
        return (V) values[slot];
      }
    }
  }

  private int spread(int hash) {
    return (hash ^ hash >>> 15) & mask;
  }
}
