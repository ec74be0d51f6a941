package dev.weir.policy;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Copies that nobody can change, in the natural order whatever the order of the original was. */
final class Sorted {
  private Sorted() {}

  static <E extends Comparable<E>> SortedSet<E> copyOf(Collection<E> elements) {
    if (elements.isEmpty()) {
      return Collections.emptySortedSet();
    }
    SortedSet<E> copy = new TreeSet<>();
    copy.addAll(elements);
    return Collections.unmodifiableSortedSet(copy);
  }

  static <K extends Comparable<K>, V> SortedMap<K, V> copyOf(Map<K, V> entries) {
    if (entries.isEmpty()) {
      return Collections.emptySortedMap();
    }
    SortedMap<K, V> copy = new TreeMap<>();
    copy.putAll(entries);
    return Collections.unmodifiableSortedMap(copy);
  }
}
