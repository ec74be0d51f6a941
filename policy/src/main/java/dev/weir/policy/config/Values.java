package dev.weir.policy.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/** Makes something of the values of TOML and of variables, which are texts. */
final class Values {
  private Values() {}

  /** True or false for those words, in whatever case; other texts as they are. */
  static Object booleanOrText(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> text;
    };
  }

  static Object longOrText(String text) {
    return text.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(text) : text;
  }

  static Object doubleOrText(String text) {
    return text.matches("[0-9]{1,9}([.][0-9]{1,9})?") ? (Object) Double.valueOf(text) : text;
  }

  /** The elements of a list in a variable: {@code a, b}, also in brackets and in quotes. */
  static List<String> elements(String variable) {
    String text = variable.strip();
    boolean isInBrackets = text.startsWith("[") && text.endsWith("]");
    String inside = isInBrackets ? text.substring(1, text.length() - 1) : text;
    return Arrays.stream(inside.split(",", -1))
        .map(part -> unquoted(part.strip()))
        .filter(part -> !part.isEmpty())
        .toList();
  }

  private static String unquoted(String text) {
    boolean isQuoted =
        text.length() > 1
            && (text.charAt(0) == '"' || text.charAt(0) == '\'')
            && text.charAt(0) == text.charAt(text.length() - 1);
    return isQuoted ? text.substring(1, text.length() - 1).strip() : text;
  }

  /** The strings of an array; null if it has something else in it. */
  static @Nullable List<String> strings(TomlArray array) {
    List<String> strings = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      if (!(array.get(i) instanceof String string)) {
        return null;
      }
      strings.add(string);
    }
    return strings;
  }

  /** The whole numbers of an array, or of a list in a variable; null if it has others in it. */
  static @Nullable List<Integer> integers(@Nullable Object value) {
    List<Object> elements = new ArrayList<>();
    if (value instanceof TomlArray array) {
      elements.addAll(array.toList());
    } else if (value instanceof String variable) {
      elements(variable).forEach(element -> elements.add(longOrText(element)));
    } else {
      return null;
    }
    List<Integer> integers = new ArrayList<>();
    for (Object element : elements) {
      if (!(element instanceof Long number) || number != number.intValue()) {
        return null;
      }
      integers.add(number.intValue());
    }
    return integers;
  }

  /** As it is shown in mistakes. */
  static String shown(@Nullable Object value) {
    if (value instanceof String text) {
      return "\"" + text + "\"";
    }
    if (value instanceof TomlArray array) {
      return array.toList().stream().map(Values::shown).collect(Collectors.joining(", ", "[", "]"));
    }
    return value instanceof TomlTable ? "a table" : String.valueOf(value);
  }
}
