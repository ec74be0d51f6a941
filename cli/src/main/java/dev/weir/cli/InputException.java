package dev.weir.cli;

import java.util.function.Function;

/** What the user gave is wrong; the message says what and shows a right one. Exit code 1. */
final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1;

  InputException(String message) {
    super(message);
  }

  /** Reads an option's value; a wrong one is reported under the option's name. */
  static <T> T readOption(String name, String text, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException wrong) {
      throw new InputException(name + ": " + wrong.getMessage());
    }
  }
}
