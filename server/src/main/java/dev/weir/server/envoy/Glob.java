package dev.weir.server.envoy;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern in which {@code *} stands for any characters, also none. Matching takes time in
 * proportion to the text, whatever the pattern: each part between stars is looked for once, from
 * where the part before ended, and nothing is looked at twice (Knuth, Morris and Pratt).
 */
final class Glob {
  private final String[] parts;

  /** For each part and place: how much of the part's start ends there. */
  private final int[][] borders;

  private final int fixedLength;

  /** A pattern with at least one star. */
  Glob(String pattern) {
    parts = split(pattern);
    borders = new int[parts.length][];
    int length = 0;
    for (int i = 0; i < parts.length; i++) {
      borders[i] = bordersOf(parts[i]);
      length += parts[i].length();
    }
    fixedLength = length;
  }

  private static String[] split(String pattern) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int star = pattern.indexOf('*'); star >= 0; star = pattern.indexOf('*', start)) {
      parts.add(pattern.substring(start, star));
      start = star + 1;
    }
    parts.add(pattern.substring(start));
    return parts.toArray(String[]::new);
  }

  private static int[] bordersOf(String part) {
    int[] borders = new int[part.length()];
    int border = 0;
    for (int i = 1; i < part.length(); i++) {
      while (border > 0 && part.charAt(i) != part.charAt(border)) {
        border = borders[border - 1];
      }
      if (part.charAt(i) == part.charAt(border)) {
        border++;
      }
      borders[i] = border;
    }
    return borders;
  }

  /** Whether {@code key_value} matches, without putting that text together. */
  boolean matches(String key, String value) {
    int length = key.length() + 1 + value.length();
    String first = parts[0];
    String last = parts[parts.length - 1];
    int end = length - last.length();
    if (length < fixedLength || !isAt(first, key, value, 0) || !isAt(last, key, value, end)) {
      return false;
    }
    int at = first.length();
    for (int i = 1; i < parts.length - 1; i++) {
      at = endOf(i, key, value, at, end);
      if (at < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAt(String part, String key, String value, int start) {
    for (int i = 0; i < part.length(); i++) {
      if (part.charAt(i) != charAt(key, value, start + i)) {
        return false;
      }
    }
    return true;
  }

  /** Where the first occurrence of a part from a place on ends; negative if there is none. */
  private int endOf(int index, String key, String value, int start, int end) {
    String part = parts[index];
    int matched = 0;
    int at = start;
    while (matched < part.length() && at < end) {
      char next = charAt(key, value, at++);
      while (matched > 0 && next != part.charAt(matched)) {
        matched = borders[index][matched - 1];
      }
      if (next == part.charAt(matched)) {
        matched++;
      }
    }
    return matched == part.length() ? at : -1;
  }

  private static char charAt(String key, String value, int index) {
    int separator = key.length();
    if (index == separator) {
      return '_';
    }
    return index < separator ? key.charAt(index) : value.charAt(index - separator - 1);
  }
}
