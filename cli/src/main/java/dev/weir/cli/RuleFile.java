package dev.weir.cli;

import dev.weir.policy.JsonText;
import dev.weir.policy.config.Mistake;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * A file with one rule: as {@code [[rule]]} as in weir.toml, or its keys alone. Whether the rule is
 * right is for the server to say.
 */
final class RuleFile {
  private static final String RULE = "rule";

  private RuleFile() {}

  /** The rule as the server takes it. */
  static String json(Path file) {
    TomlParseResult toml = Toml.parse(InputFile.read(file));
    if (toml.hasErrors()) {
      throw new MistakesException(
          toml.errors().stream().map(error -> mistake(file, error)).toList());
    }
    return json(rule(file, toml));
  }

  private static Mistake mistake(Path file, TomlParseError error) {
    String place = "%s:%d:%d".formatted(file, error.position().line(), error.position().column());
    return new Mistake(
        place, "", String.valueOf(error.getMessage()).lines().findFirst().orElse("is no TOML"));
  }

  private static TomlTable rule(Path file, TomlTable toml) {
    Object rules = toml.get(List.of(RULE));
    if (rules == null) {
      return toml;
    }
    if (toml.size() > 1) {
      throw new InputException(
          file + " must hold nothing but one [[rule]]; weir import takes whole configurations");
    }
    if (rules instanceof TomlTable rule) {
      return rule;
    }
    if (rules instanceof TomlArray array
        && array.size() == 1
        && array.get(0) instanceof TomlTable rule) {
      return rule;
    }
    throw new InputException(
        file + " must hold one [[rule]]; weir import takes whole configurations");
  }

  private static String json(TomlTable table) {
    JsonText text = new JsonText();
    for (String key : table.keySet()) {
      text.putRaw(key, json(Objects.requireNonNull(table.get(List.of(key)), key)));
    }
    return text.toString();
  }

  private static String json(@Nullable Object value) {
    if (value instanceof TomlTable table) {
      return json(table);
    }
    if (value instanceof TomlArray array) {
      StringJoiner items = new StringJoiner(", ", "[", "]");
      array.toList().forEach(item -> items.add(json(item)));
      return items.toString();
    }
    boolean isLiteral =
        value instanceof Long
            || value instanceof Boolean
            || (value instanceof Double number && Double.isFinite(number));
    // Times are strings in JSON.
    return isLiteral ? String.valueOf(value) : JsonReport.quote(String.valueOf(value));
  }
}
