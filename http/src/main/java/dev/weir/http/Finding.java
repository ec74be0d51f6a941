package dev.weir.http;

/** What came of checking a token, and how long that holds. */
sealed interface Finding {

  /** Until when it holds, in microseconds since the epoch. */
  long untilMicros();

  /** The token speaks for its holder. */
  record Verified(Tokens.Holder holder, long untilMicros) implements Finding {}

  /**
   * The token says nothing.
   *
   * @param lacksKey whether there was no key to check it with
   */
  record Refused(boolean lacksKey, long untilMicros) implements Finding {}
}
