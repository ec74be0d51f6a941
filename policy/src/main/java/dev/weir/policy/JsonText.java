package dev.weir.policy;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object, member by member, without asking for a library. */
public final class JsonText {
  /** Enough for the answer to a check. */
  private static final int USUAL_LENGTH = 768;

  private final StringBuilder text = new StringBuilder(USUAL_LENGTH).append('{');

  /** Adds a member with a string. */
  public JsonText put(String name, String value) {
    appendName(name);
    appendString(value);
    return this;
  }

  /** Adds a member with a whole number. */
  public JsonText put(String name, long value) {
    appendName(name);
    text.append(value);
    return this;
  }

  /** Adds a member with true or false. */
  public JsonText put(String name, boolean value) {
    return putRaw(name, Boolean.toString(value));
  }

  /** Adds a member with a value that is JSON already. */
  public JsonText putRaw(String name, String json) {
    appendName(name);
    text.append(json);
    return this;
  }

  /** Adds a member with an array of strings. */
  public JsonText put(String name, List<String> values) {
    appendName(name);
    text.append('[');
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : ", ");
      appendString(values.get(i));
    }
    text.append(']');
    return this;
  }

  /** Adds a member with an object, whose members {@code write} adds. */
  public JsonText putObject(String name, Consumer<JsonText> write) {
    appendName(name);
    text.append('{');
    write.accept(this);
    text.append('}');
    return this;
  }

  /** Adds a member with an array of objects, one for each value. */
  public <T> JsonText putObjects(
      String name, Iterable<? extends T> values, BiConsumer<JsonText, ? super T> write) {
    appendName(name);
    text.append('[');
    for (T value : values) {
      text.append(last() == '[' ? "{" : ", {");
      write.accept(this, value);
      text.append('}');
    }
    text.append(']');
    return this;
  }

  private char last() {
    return text.charAt(text.length() - 1);
  }

  private void appendName(String name) {
    if (last() != '{') {
      text.append(", ");
    }
    appendString(name);
    text.append(": ");
  }

  private void appendString(String value) {
    append(text, value);
  }

  /** Writes all members of a document: strings, numbers, booleans, lists and maps of such. */
  public JsonText putAll(Map<String, ?> document) {
    document.forEach((name, value) -> putRaw(name, valueOf(value)));
    return this;
  }

  private static String valueOf(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      JsonText object = new JsonText();
      map.forEach((name, inside) -> object.putRaw(String.valueOf(name), valueOf(inside)));
      return object.toString();
    }
    if (value instanceof List<?> list) {
      return list.stream().map(JsonText::valueOf).collect(Collectors.joining(", ", "[", "]"));
    }
    return value instanceof String string ? quoted(string) : String.valueOf(value);
  }

  /** A string. */
  public static String quoted(String value) {
    StringBuilder quoted = new StringBuilder();
    append(quoted, value);
    return quoted.toString();
  }

  private static void append(StringBuilder text, String value) {
    text.append('"');
    if (isPlain(value)) {
      text.append(value);
    } else {
      appendEscaped(text, value);
    }
    text.append('"');
  }

  /** Whether all of it can be written as it is; that is the common case. */
  private static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  private static void appendEscaped(StringBuilder text, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (needsCode(value, i)) {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
  }

  /** Besides what is invisible, halves of a pair are written by their code: UTF-8 has none. */
  private static boolean needsCode(String value, int index) {
    char c = value.charAt(index);
    if (Character.isSurrogate(c)) {
      boolean isFirst =
          Character.isHighSurrogate(c)
              && index + 1 < value.length()
              && Character.isLowSurrogate(value.charAt(index + 1));
      boolean isSecond =
          Character.isLowSurrogate(c)
              && index > 0
              && Character.isHighSurrogate(value.charAt(index - 1));
      if (!isFirst && !isSecond) {
        return true;
      }
    }
    return VisibleText.isInvisible(value, index);
  }

  /** The whole object. */
  @Override
  public String toString() {
    return text + "}";
  }
}
