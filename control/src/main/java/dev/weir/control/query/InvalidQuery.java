package dev.weir.control.query;

import java.io.Serial;

/** Somebody asked for what cannot be; the message says what is wrong, and with which field. */
public final class InvalidQuery extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final String field;

  /**
   * A refusal.
   *
   * @param field such as {@code cursor}
   * @param problem what was expected and what came
   */
  public InvalidQuery(String field, String problem) {
    super(field + " " + problem);
    this.field = field;
  }

  /** What is wrong. */
  public String field() {
    return field;
  }

  /** Refuses a number that is out of bounds. */
  public static void requireBetween(String field, long value, long least, long most) {
    if (value < least || value > most) {
      throw new InvalidQuery(
          field, "must be between %d and %d, got %d".formatted(least, most, value));
    }
  }
}
