package dev.weir.policy;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from segments, looked up by a region of a path, so that matching cuts no strings
 * out of it.
 */
final class SegmentMap<V> {
  private final @Nullable String[] keys;

  /** Those of the keys, so that a look-up that fails seldom looks at a key. */
  private final int[] hashes;

  private final Object[] values;
  private final int mask;

  SegmentMap(Map<String, V> entries) {
    int capacity = Integer.highestOneBit(Math.max(1, entries.size())) << 2;
    this.keys = new String[capacity];
    this.hashes = new int[capacity];
    this.values = new Object[capacity];
    this.mask = capacity - 1;
    entries.forEach(this::put);
  }

  private void put(String key, V value) {
    int hash = 0;
    for (int i = 0; i < key.length(); i++) {
      hash = hash(hash, key.charAt(i));
    }
    int slot = spread(hash);
    while (keys[slot] != null) {
      slot = (slot + 1) & mask;
    }
    keys[slot] = key;
    hashes[slot] = hash;
    values[slot] = value;
  }

  /** The hash of what was hashed so far, from 0 on, and one character more. */
  static int hash(int soFar, char next) {
    return 31 * soFar + next;
  }

  /** The value of the segment that is the region of {@code path} and has that hash, or null. */
  @SuppressWarnings("unchecked") // put() writes only values of the type V.
  @Nullable V get(String path, int start, int end, int hash) {
    for (int slot = spread(hash); ; slot = (slot + 1) & mask) {
      String key = keys[slot];
      if (key == null) {
        return null;
      }
      if (hashes[slot] == hash && key.length() == end - start && path.startsWith(key, start)) {
        return (V) values[slot];
      }
    }
  }

  private int spread(int hash) {
    return (hash ^ hash >>> 15) & mask;
  }
}
