package dev.weir.control.configuration;

import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.ChangeRefused.Flaw;
import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.policy.JsonText;
import dev.weir.policy.TomlText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Documents: maps of strings, whole numbers, booleans, lists and maps, as JSON and TOML have them.
 */
final class Documents {
  /** A rule needs four: itself, {@code match}, {@code header}, and a list of values. */
  private static final int DEEPEST = 8;

  private Documents() {}

  /** A copy that nobody can change. */
  static Map<String, Object> copyOf(Map<String, Object> document) {
    Map<String, Object> copy = new LinkedHashMap<>();
    document.forEach((key, value) -> copy.put(key, copyOf(value)));
    return Collections.unmodifiableMap(copy);
  }

  private static Object copyOf(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> copy = new LinkedHashMap<>();
      map.forEach((key, inside) -> copy.put(String.valueOf(key), copyOf(inside)));
      return Collections.unmodifiableMap(copy);
    }
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(copyOf(element)));
      return Collections.unmodifiableList(copy);
    }
    return value instanceof Integer number ? (Object) number.longValue() : value;
  }

  /**
   * Refuses what can be in no document: null, texts that no database takes, and what is nested
   * deeper than anything that has a meaning.
   */
  static void require(Map<?, ?> document) {
    List<Flaw> flaws = flaws(document);
    if (!flaws.isEmpty()) {
      throw new ChangeRefused(Kind.INVALID, flaws);
    }
  }

  /** What {@link #require} refuses. */
  static List<Flaw> flaws(Map<?, ?> document) {
    List<Flaw> flaws = new ArrayList<>();
    find(flaws, "", document, 1);
    return flaws;
  }

  private static void find(List<Flaw> flaws, String path, @Nullable Object value, int depth) {
    if (value instanceof String text) {
      requireText(flaws, path, text);
    } else if (value instanceof Map<?, ?> || value instanceof List<?>) {
      if (depth > DEEPEST) {
        flaws.add(new Flaw(path, "must not be nested that deep"));
        return;
      }
      if (value instanceof List<?> list) {
        for (int i = 0; i < list.size(); i++) {
          find(flaws, path + "[" + i + "]", list.get(i), depth + 1);
        }
      } else if (value instanceof Map<?, ?> map) {
        map.forEach(
            (key, inside) -> {
              String name = path.isEmpty() ? String.valueOf(key) : path + "." + key;
              requireText(flaws, name, String.valueOf(key));
              find(flaws, name, inside, depth + 1);
            });
      }
    } else if (value == null) {
      flaws.add(new Flaw(path, "must have a value; leave the key out to give none"));
    } else if (!isScalar(value)) {
      flaws.add(new Flaw(path, "must be a string, a whole number, true or false, got " + value));
    }
  }

  private static boolean isScalar(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Boolean
        || (value instanceof Double number && !number.isNaN() && !number.isInfinite());
  }

  private static void requireText(List<Flaw> flaws, String path, String text) {
    boolean isWhole =
        text.codePoints()
            .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    if (text.indexOf('\0') >= 0 || !isWhole) {
      flaws.add(new Flaw(path.replace('\0', '?'), "must be text without NUL or half a character"));
    }
  }

  /** As a table of an array of tables. */
  static void printToml(TomlText toml, String table, Map<String, Object> document) {
    toml.element(table);
    document.forEach((key, value) -> toml.putRaw(tomlKey(key), toml(value)));
  }

  private static String tomlKey(String key) {
    return key.matches("[A-Za-z0-9_-]+") ? key : TomlText.quoted(key);
  }

  private static String toml(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      StringJoiner members = new StringJoiner(", ", "{ ", " }");
      map.forEach(
          (key, inside) -> members.add(tomlKey(String.valueOf(key)) + " = " + toml(inside)));
      return map.isEmpty() ? "{}" : members.toString();
    }
    if (value instanceof List<?> list) {
      StringJoiner elements = new StringJoiner(", ", "[", "]");
      list.forEach(element -> elements.add(toml(element)));
      return elements.toString();
    }
    return value instanceof String text ? TomlText.quoted(text) : String.valueOf(value);
  }

  /** As JSON. */
  static String json(Map<String, ?> document) {
    return new JsonText().putAll(document).toString();
  }
}
