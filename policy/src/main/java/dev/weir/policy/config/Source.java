package dev.weir.policy.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlPosition;

/** What a configuration is read from, and the mistakes that were found in it so far. */
final class Source {
  static final String PREFIX = "RATE_LIMIT_";

  private final String file;
  private final Map<String, String> environment;
  private final Set<String> asked = new HashSet<>();
  private final List<Found> found = new ArrayList<>();
  private final List<Mistake> warnings = new ArrayList<>();

  /** A mistake and where it is, to bring them into the order of the text. */
  private record Found(int line, int column, Mistake mistake) {}

  Source(String file, Map<String, String> environment) {
    this.file = file;
    this.environment = environment;
  }

  /** The value of a variable; null if it is not set. */
  @Nullable String variable(String name) {
    asked.add(name);
    return environment.get(name);
  }

  /** The variable that stands for a key, for example {@code RATE_LIMIT_SERVER_LISTEN}. */
  static String variableOf(String... path) {
    return PREFIX + String.join("_", path).toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  void report(@Nullable TomlPosition position, String key, String problem) {
    int line = position == null ? 0 : position.line();
    int column = position == null ? 0 : position.column();
    found.add(new Found(line, column, new Mistake(place(position), key, problem)));
  }

  void reportVariable(String name, String problem) {
    found.add(new Found(Integer.MAX_VALUE, 0, new Mistake(name, "", problem)));
  }

  void warn(@Nullable TomlPosition position, String key, String advice) {
    warnings.add(new Mistake(place(position), key, advice));
  }

  private String place(@Nullable TomlPosition position) {
    return position == null ? file : file + ":" + position.line() + ":" + position.column();
  }

  List<String> warnings() {
    return warnings.stream().map(Mistake::toString).toList();
  }

  List<Mistake> warningsWithPlaces() {
    return warnings;
  }

  /** Reports variables that nothing asks for. */
  void finish() {
    for (String name : environment.keySet().stream().sorted().toList()) {
      if (name.startsWith(PREFIX) && !asked.contains(name)) {
        reportVariable(name, "is unknown" + Suggestion.of(name, asked.stream().sorted().toList()));
      }
    }
  }

  void throwIfWrong() {
    if (!found.isEmpty()) {
      found.sort(Comparator.comparingInt(Found::line).thenComparingInt(Found::column));
      throw new ConfigException(found.stream().map(Found::mistake).toList());
    }
  }
}
