package dev.weir.policy.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/** A table of a text that {@link PartsReader} knows only the name of: somebody else reads it. */
public final class OtherTable {
  private final Section section;
  private final Map<String, Object> values;

  OtherTable(Section section) {
    this.section = section;
    this.values = map(section.table());
  }

  /**
   * What it says: strings, whole numbers ({@code Long}), fractions ({@code Double}), true or false,
   * lists and maps of those. Dates and times are strings.
   */
  public Map<String, Object> values() {
    return values;
  }

  /** Reports that something is wrong, with its place. */
  public void report(String key, String problem) {
    section.report(key, problem);
  }

  /** Reports every key that is not one of those. */
  public void requireOnly(Set<String> keys) {
    keys.forEach(section::has);
    section.finish();
  }

  private static Map<String, Object> map(TomlTable table) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (String key : table.keySet()) {
      map.put(key, plain(table.get(List.of(key))));
    }
    return map;
  }

  private static Object plain(Object value) {
    if (value instanceof TomlTable table) {
      return map(table);
    }
    if (value instanceof TomlArray array) {
      List<Object> list = new ArrayList<>();
      array.toList().forEach(element -> list.add(plain(element)));
      return list;
    }
    boolean isPlain =
        value instanceof String
            || value instanceof Long
            || value instanceof Double
            || value instanceof Boolean;
    return isPlain ? value : String.valueOf(value);
  }
}
