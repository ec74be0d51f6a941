package dev.weir.server.envoy;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds nodes by {@code key_value} without putting that text together. Immutable. */
final class NodeTable {
  private static final char SEPARATOR = '_';

  // A power of two and at most half full: a search ends at the first empty place.
  private final @Nullable Node[] places;

  NodeTable(Collection<Node> nodes) {
    places = new @Nullable Node[Integer.highestOneBit(Math.max(1, nodes.size())) << 2];
    for (Node node : nodes) {
      int place = start(node.composite().hashCode());
      while (places[place] != null) {
        place = next(place);
      }
      places[place] = node;
    }
  }

  /** The node of that key and value. */
  @Nullable Node find(String key, String value) {
    // As the hash code of the whole text.
    int hash = 31 * key.hashCode() + SEPARATOR;
    for (int i = 0; i < value.length(); i++) {
      hash = 31 * hash + value.charAt(i);
    }
    for (int place = start(hash); ; place = next(place)) {
      Node node = places[place];
      if (node == null || isOf(node.composite(), key, value)) {
        return node;
      }
    }
  }

  private static boolean isOf(String composite, String key, String value) {
    return composite.length() == key.length() + 1 + value.length()
        && composite.charAt(key.length()) == SEPARATOR
        && composite.startsWith(key)
        && composite.endsWith(value);
  }

  /** The node of that key alone. */
  @Nullable Node find(String key) {
    for (int place = start(key.hashCode()); ; place = next(place)) {
      Node node = places[place];
      if (node == null || node.composite().equals(key)) {
        return node;
      }
    }
  }

  private int start(int hash) {
    return (hash ^ (hash >>> 16)) & (places.length - 1);
  }

  private int next(int place) {
    return (place + 1) & (places.length - 1);
  }
}
