package dev.weir.conformance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One mapping of a table file, read key by key. What nobody has asked for by the end is a mistake,
 * so that a misspelt key does not go by.
 */
final class Fields {
  private final String place;
  private final Map<String, Object> left = new LinkedHashMap<>();

  private Fields(String place) {
    this.place = place;
  }

  static Fields of(@Nullable Object value, String place) {
    Fields fields = new Fields(place);
    if (!(value instanceof Map<?, ?> map)) {
      throw fields.wrong("must be a mapping, got " + value);
    }
    map.forEach((key, each) -> fields.left.put(String.valueOf(key), each));
    return fields;
  }

  String place() {
    return place;
  }

  /** The keys that nobody has asked for yet. */
  List<String> keys() {
    return List.copyOf(left.keySet());
  }

  boolean has(String key) {
    return left.containsKey(key);
  }

  @Nullable Object take(String key) {
    return left.remove(key);
  }

  String text(String key) {
    Object value = take(key);
    if (value == null) {
      throw wrong(key + " is missing");
    }
    return value.toString();
  }

  String text(String key, String standard) {
    return has(key) ? text(key) : standard;
  }

  long number(String key) {
    String text = text(key);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw wrong(key + " must be a whole number, got " + text);
    }
  }

  long number(String key, long standard) {
    return has(key) ? number(key) : standard;
  }

  /** The values of a list; of a single value, a list of that; of nothing, none. */
  List<Object> list(String key) {
    Object value = take(key);
    if (value instanceof List<?> list) {
      return List.copyOf(list);
    }
    return value == null ? List.of() : List.of(value);
  }

  List<String> texts(String key) {
    return list(key).stream().map(Object::toString).toList();
  }

  void end() {
    if (!left.isEmpty()) {
      throw wrong("nothing is known of " + left.keySet());
    }
  }

  IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException(place + ": " + problem);
  }
}
