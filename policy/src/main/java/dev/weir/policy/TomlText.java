package dev.weir.policy;

import java.util.Collection;

/** Writes TOML, as much of it as policies need. */
public final class TomlText {
  private final StringBuilder text = new StringBuilder();

  /** Starts a table: {@code [name]}. */
  public TomlText table(String name) {
    text.append(text.length() == 0 ? "" : "\n").append('[').append(name).append("]\n");
    return this;
  }

  /** Starts the next table of an array: {@code [[name]]}. */
  public TomlText element(String name) {
    text.append(text.length() == 0 ? "" : "\n").append("[[").append(name).append("]]\n");
    return this;
  }

  /** Writes a key with a string. */
  public TomlText put(String key, String value) {
    return putRaw(key, quoted(value));
  }

  /** Writes a key with a whole number. */
  public TomlText put(String key, long value) {
    return putRaw(key, Long.toString(value));
  }

  /** Writes a key with true or false. */
  public TomlText put(String key, boolean value) {
    return putRaw(key, Boolean.toString(value));
  }

  /** Writes a key with an array of strings. */
  public TomlText put(String key, Collection<String> values) {
    return putRaw(key, array(values));
  }

  /** Writes a key with a value that is TOML already. */
  public TomlText putRaw(String key, String value) {
    text.append(key).append(" = ").append(value).append('\n');
    return this;
  }

  /** An array of strings. */
  public static String array(Collection<String> values) {
    StringBuilder array = new StringBuilder("[");
    for (String value : values) {
      array.append(array.length() == 1 ? "" : ", ").append(quoted(value));
    }
    return array.append(']').toString();
  }

  /** A basic string. */
  public static String quoted(String value) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
