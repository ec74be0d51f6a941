package dev.weir.policy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The header fields of a request, as far as rules may ask for them. */
@FunctionalInterface
public interface Headers {

  /** All values of the field, in order; empty if it is absent. The name is in lower case. */
  List<String> values(String name);

  /** No fields at all. */
  static Headers none() {
    return name -> List.of();
  }

  /** One value for each name, in whatever case. */
  static Headers of(Map<String, String> fields) {
    Map<String, List<String>> byName = new TreeMap<>();
    fields.forEach((name, value) -> byName.put(name.toLowerCase(Locale.ROOT), List.of(value)));
    return name -> byName.getOrDefault(name, List.of());
  }
}
