package dev.weir.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests that come all at once, on top of the steady ones.
 *
 * @param atMicros when, from the start
 * @param size how many, at least 1
 */
record Burst(long atMicros, long size) {

  private static final Pattern TEXT = Pattern.compile("([^=]+)=([0-9]{1,15})");

  /** Reads {@code 2s=50}: two seconds from the start, 50 at once. */
  static Burst parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(2)) == 0) {
      throw new IllegalArgumentException(
          "\"%s\" is no burst; write a time and a number, for example 2s=50".formatted(text));
    }
    return new Burst(TimeText.parseMicros(matcher.group(1)), Long.parseLong(matcher.group(2)));
  }
}
