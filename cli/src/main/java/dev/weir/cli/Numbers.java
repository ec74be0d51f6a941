package dev.weir.cli;

/** Whole numbers that users give. */
final class Numbers {
  private Numbers() {}

  /** Any that is not out of all bounds. */
  static long parse(String text) {
    if (!text.matches("-?[0-9]{1,18}")) {
      throw new IllegalArgumentException("must be a whole number, got \"%s\"".formatted(text));
    }
    return Long.parseLong(text);
  }

  static long parse(String text, long least, long most) {
    long number = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "must be a number from %d to %d, got \"%s\"".formatted(least, most, text));
    }
    return number;
  }
}
