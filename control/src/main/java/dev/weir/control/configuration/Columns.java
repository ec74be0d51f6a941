package dev.weir.control.configuration;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How entries of one kind are rows. The values of columns are strings, {@code Long}s, booleans,
 * lists of strings, instants, or null.
 */
interface Columns {

  /**
   * The columns of an entry.
   *
   * @param meaning what its document says
   */
  Map<String, @Nullable Object> of(Object meaning, Map<String, Object> document);

  /**
   * The document of a row.
   *
   * @throws UnreadableColumn if one of its columns has no meaning
   */
  Map<String, Object> document(Map<String, @Nullable Object> row);

  /** A column whose value has no meaning. */
  final class UnreadableColumn extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String column;

    UnreadableColumn(String column, IllegalArgumentException wrong) {
      super(wrong.getMessage(), wrong);
      this.column = column;
    }

    String column() {
      return column;
    }
  }

  /** The object in a column, its members in the order of their names. */
  static Map<String, Object> object(Map<String, @Nullable Object> row, String column) {
    try {
      return sorted(JsonReader.read(String.valueOf(row.get(column))));
    } catch (IllegalArgumentException wrong) {
      throw new UnreadableColumn(column, wrong);
    }
  }

  private static Map<String, Object> sorted(Map<?, ?> object) {
    Map<String, Object> sorted = new TreeMap<>();
    object.forEach(
        (key, value) ->
            sorted.put(
                String.valueOf(key),
                value instanceof Map<?, ?> inside
                    ? sorted(inside)
                    : value == null ? "null" : (Object) value));
    return sorted;
  }

  /** The texts in a column. */
  static List<Object> texts(Map<String, @Nullable Object> row, String column) {
    return row.get(column) instanceof Collection<?> texts ? new ArrayList<>(texts) : List.of();
  }

  /** Puts what is in a column under a key, unless it is null. */
  static void putIfThere(Map<String, Object> document, String key, @Nullable Object value) {
    if (value != null) {
      document.put(key, value);
    }
  }

  /** Puts what is in a column under a key; only for columns that are never null. */
  static void put(
      Map<String, Object> document, String key, Map<String, @Nullable Object> row, String column) {
    putIfThere(document, key, row.get(column));
  }
}
