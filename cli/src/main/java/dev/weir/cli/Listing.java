package dev.weir.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All of a value of JSON for people: what is single as names and values, and below that each array
 * of objects as a table.
 */
final class Listing {
  private final Columns single = new Columns();
  private final Map<String, Json.Items> tables = new LinkedHashMap<>();

  private Listing() {}

  static List<String> of(Json value) {
    if (!(value instanceof Json.Members members)) {
      return value instanceof Json.Items items && isTable(items)
          ? table(items)
          : List.of(PlainText.of(value));
    }
    Listing listing = new Listing();
    listing.add("", members);
    List<String> lines = new ArrayList<>(listing.single.lines());
    listing.tables.forEach(
        (name, items) -> {
          if (!lines.isEmpty()) {
            lines.add("");
          }
          lines.add(name + ":");
          table(items).forEach(line -> lines.add("  " + line));
        });
    return lines;
  }

  private void add(String prefix, Json.Members members) {
    members
        .values()
        .forEach(
            (name, value) -> {
              String whole = prefix + words(name);
              if (value instanceof Json.Members inner && !inner.values().isEmpty()) {
                add(whole + " ", inner);
              } else if (value instanceof Json.Items items && isTable(items)) {
                tables.put(whole, items);
              } else {
                single.add(whole, PlainText.of(value));
              }
            });
  }

  private static String words(String name) {
    return PlainText.of(name).replace('_', ' ');
  }

  private static boolean isTable(Json.Items items) {
    return !items.values().isEmpty()
        && items.values().stream().allMatch(Json.Members.class::isInstance);
  }

  /** With a column for each name that one of the objects has. */
  private static List<String> table(Json.Items items) {
    Set<String> names = new LinkedHashSet<>();
    items.values().forEach(item -> names.addAll(((Json.Members) item).values().keySet()));
    Columns columns = new Columns().add(names.stream().map(Listing::words).toList());
    for (Json item : items.values()) {
      columns.add(
          names.stream().map(name -> PlainText.of(((Json.Members) item).get(name))).toList());
    }
    return columns.lines();
  }
}
