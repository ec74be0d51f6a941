package dev.weir.policy.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * One table of a configuration. Whoever reads a key gets its value, from the environment if it is
 * set there, or the standard one: when it is absent, and when it is wrong, which is reported. What
 * nobody has asked for is reported at the end.
 */
final class Section {
  private static final TomlTable NO_TABLE = Toml.parse("");

  private final Source source;
  private final TomlTable table;
  private final String path;

  /** What the names of its variables start with; null if it has none. */
  private final @Nullable String variables;

  private final Set<String> known = new LinkedHashSet<>();
  private final Set<String> wrong = new HashSet<>();

  /** Where it starts; null if it is absent or the whole text. */
  private final @Nullable TomlPosition start;

  private Section(
      Source source,
      TomlTable table,
      String path,
      @Nullable String variables,
      @Nullable TomlPosition start) {
    this.source = source;
    this.table = table;
    this.path = path;
    this.variables = variables;
    this.start = start;
  }

  static Section root(Source source, TomlTable table) {
    return new Section(source, table, "", Source.PREFIX, null);
  }

  /** What the file says. */
  TomlTable table() {
    return table;
  }

  /** Whether the file or the environment gives the key. */
  boolean has(String key) {
    known.add(key);
    return raw(key) != null || variable(key) != null;
  }

  String string(String key, String standard) {
    String variable = variable(key);
    if (variable != null) {
      return variable;
    }
    Object value = raw(key);
    if (value == null || value instanceof String) {
      return value == null ? standard : (String) value;
    }
    report(key, "must be a string, got " + Values.shown(value));
    return standard;
  }

  /** A string that is or may hold a secret, and so is not repeated if it is wrong. */
  String secret(String key, String standard) {
    if (variable(key) == null && raw(key) != null && !(raw(key) instanceof String)) {
      report(key, "must be a string");
      return standard;
    }
    return string(key, standard);
  }

  boolean bool(String key, boolean standard) {
    String variable = variable(key);
    Object value = variable == null ? raw(key) : Values.booleanOrText(variable);
    if (value == null || value instanceof Boolean) {
      return value == null ? standard : (Boolean) value;
    }
    report(key, "must be true or false, got " + Values.shown(value));
    return standard;
  }

  long integer(String key, long standard, long least, long most) {
    String variable = variable(key);
    Object value = variable == null ? raw(key) : Values.longOrText(variable);
    if (value == null) {
      return standard;
    }
    if (value instanceof Long number && number >= least && number <= most) {
      return number;
    }
    report(key, "must be between " + least + " and " + most + ", got " + Values.shown(value));
    return standard;
  }

  double fraction(String key, double standard) {
    String variable = variable(key);
    Object value = variable == null ? raw(key) : Values.doubleOrText(variable);
    if (value instanceof Long whole) {
      value = whole.doubleValue();
    }
    if (value == null || (value instanceof Double number && number >= 0 && number <= 1)) {
      return value == null ? standard : (Double) value;
    }
    report(key, "must be between 0.0 and 1.0, got " + Values.shown(value));
    return standard;
  }

  /** A duration, also as a bare number of seconds. */
  Duration duration(String key, Duration standard) {
    String text = text(key);
    return text == null ? standard : parsed(key, text, Durations::parse, standard);
  }

  /** A string, or a whole number as its digits; null if it is absent or wrong. */
  @Nullable String text(String key) {
    String variable = variable(key);
    Object value = variable == null ? raw(key) : variable;
    if (value == null || value instanceof String || value instanceof Long) {
      return value == null ? null : value.toString();
    }
    report(key, "must be a string or a whole number, got " + Values.shown(value));
    return null;
  }

  /** Whether the file gives the key, with an array that has nothing in it. */
  boolean isEmptyArray(String key) {
    return raw(key) instanceof TomlArray array && array.isEmpty();
  }

  /** Whether the environment gives the key. */
  boolean isVariable(String key) {
    return variable(key) != null;
  }

  /** The text that the file gives, whatever the environment says; null if it gives none. */
  @Nullable String textOfFile(String key) {
    return raw(key) instanceof String text ? text : null;
  }

  /** One of several words. */
  <E extends Enum<E>> E choice(String key, E standard, E[] choices) {
    String word = string(key, standard.toString());
    for (E choice : choices) {
      if (choice.toString().equals(word)) {
        return choice;
      }
    }
    List<String> words = Arrays.stream(choices).map(Object::toString).toList();
    report(
        key,
        "must be "
            + String.join(" or ", words)
            + ", got \""
            + word
            + "\""
            + Suggestion.of(word, words));
    return standard;
  }

  /** An array of strings; one string stands for an array of one. */
  List<String> strings(String key, List<String> standard) {
    String variable = variable(key);
    if (variable != null) {
      return Values.elements(variable);
    }
    Object value = raw(key);
    if (value == null) {
      return standard;
    }
    if (value instanceof String one) {
      return List.of(one);
    }
    List<String> strings = value instanceof TomlArray array ? Values.strings(array) : null;
    if (strings == null) {
      report(key, "must be an array of strings, got " + Values.shown(value));
      return standard;
    }
    return strings;
  }

  /** Strings, each made into something else; those that cannot be are reported. */
  <T> List<T> parsedStrings(String key, List<String> standard, Function<String, T> parser) {
    List<T> values = new ArrayList<>();
    for (String text : strings(key, standard)) {
      try {
        values.add(parser.apply(text));
      } catch (IllegalArgumentException wrong) {
        report(key, Mistake.messageOf(wrong));
      }
    }
    return values;
  }

  /** What the parser makes of a text; its complaint is reported. */
  <T> T parsed(String key, String text, Function<String, T> parser, T standard) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException wrong) {
      report(key, Mistake.messageOf(wrong));
      return standard;
    }
  }

  /** Whole numbers. */
  List<Integer> integers(String key, List<Integer> standard) {
    String variable = variable(key);
    Object value = variable == null ? raw(key) : variable;
    if (value == null) {
      return standard;
    }
    boolean isWritten = variable != null || value instanceof TomlArray;
    List<Integer> integers = isWritten ? Values.integers(value) : null;
    if (integers == null) {
      report(
          key,
          variable == null
              ? "must be an array of whole numbers, for example [1, 2, 4], got "
                  + Values.shown(value)
              : "must be whole numbers with commas between, for example 1,2,4, got "
                  + Values.shown(value));
      return standard;
    }
    return integers;
  }

  /** A table inside this one; empty if it is absent or none. */
  Section section(String key) {
    known.add(key);
    Object value = raw(key);
    if (value != null && !(value instanceof TomlTable)) {
      report(key, "must be a table, got " + Values.shown(value));
    }
    return new Section(
        source,
        value instanceof TomlTable inside ? inside : NO_TABLE,
        pathOf(key),
        variables == null ? null : variables + key.toUpperCase(Locale.ROOT) + "_",
        position(key));
  }

  /** The tables of an array of tables. */
  List<Section> sections(String key) {
    known.add(key);
    Object value = raw(key);
    List<Section> sections = new ArrayList<>();
    if (value instanceof TomlArray array) {
      for (int i = 0; i < array.size(); i++) {
        if (array.get(i) instanceof TomlTable inside) {
          sections.add(
              new Section(
                  source, inside, pathOf(key) + "[" + i + "]", null, array.inputPositionOf(i)));
        } else {
          value = array.get(i);
        }
      }
    }
    if (value != null && !(value instanceof TomlArray)) {
      report(key, "must be tables, written as [[" + key + "]], got " + Values.shown(value));
    }
    return sections;
  }

  /** All keys, for tables whose keys are free; those with dots in them as they are. */
  Set<String> keys() {
    known.addAll(table.keySet());
    return table.keySet();
  }

  /** A name that must be there. */
  String name(String key) {
    if (raw(key) == null) {
      known.add(key);
      wrong.add(key);
      source.report(position(null), pathOf(key), "is missing; every " + kind() + " has one");
      return "";
    }
    return string(key, "");
  }

  /** What this is one of: {@code tier} for {@code tier[2]}. */
  private String kind() {
    return path.replaceAll("\\[.*", "");
  }

  /**
   * Reports the complaint of a constructor, which starts with the name of a key, unless something
   * was found wrong with that key before.
   */
  void reportConstructor(String complaint) {
    int space = complaint.indexOf(' ');
    String key = complaint.substring(0, space);
    if (!known.contains(key)) {
      report("name", complaint);
    } else if (!wrong.contains(key)) {
      report(key, complaint.substring(space + 1));
    }
  }

  boolean isWrong(String key) {
    return wrong.contains(key);
  }

  void report(String key, String problem) {
    wrong.add(key);
    String variable = variables == null ? null : variables + key.toUpperCase(Locale.ROOT);
    if (variable != null && source.variable(variable) != null) {
      source.reportVariable(variable, problem);
    } else {
      source.report(position(key), pathOf(key), problem);
    }
  }

  void warn(String key, String advice) {
    source.warn(position(key), pathOf(key), advice);
  }

  /** Reports the keys that nobody has asked for. */
  void finish() {
    for (String key : table.keySet()) {
      if (!known.contains(key)) {
        source.report(position(key), pathOf(key), "is unknown" + Suggestion.of(key, known));
      }
    }
  }

  private @Nullable TomlPosition position(@Nullable String key) {
    TomlPosition own = key == null ? null : table.inputPositionOf(List.of(key));
    return own == null ? start : own;
  }

  private String pathOf(String key) {
    String shown = key.matches("[A-Za-z0-9_-]+") ? key : "\"" + key + "\"";
    return path.isEmpty() ? shown : path + "." + shown;
  }

  private @Nullable Object raw(String key) {
    return table.get(List.of(key));
  }

  private @Nullable String variable(String key) {
    known.add(key);
    return variables == null ? null : source.variable(variables + key.toUpperCase(Locale.ROOT));
  }
}
