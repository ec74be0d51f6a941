package dev.weir.policy.config;

import java.time.Duration;

/** Durations as configurations write them: {@code 250ms}, {@code 60s}, {@code 10m}, {@code 60}. */
public final class Durations {
  /** Longer than any that makes sense, and short enough to be counted in microseconds. */
  private static final Duration LONGEST = Duration.ofDays(36_600);

  private Durations() {}

  /** The duration; a bare number is seconds. */
  public static Duration parse(String text) {
    int digits = 0;
    while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
      digits++;
    }
    boolean isNumber = digits > 0 && digits <= 12;
    long amount = isNumber ? Long.parseLong(text.substring(0, digits)) : 0;
    Duration unit =
        switch (text.substring(digits)) {
          case "ms" -> Duration.ofMillis(1);
          case "", "s" -> Duration.ofSeconds(1);
          case "m" -> Duration.ofMinutes(1);
          case "h" -> Duration.ofHours(1);
          case "d" -> Duration.ofDays(1);
          default -> Duration.ZERO;
        };
    if (!isNumber || unit.isZero()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no duration; write a number and ms, s, m, h or d, for example 60s");
    }
    Duration duration = unit.multipliedBy(amount);
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is too long; write at most " + print(LONGEST));
    }
    return duration;
  }

  /** The duration in the largest unit that gives a whole number. */
  static String print(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    if (seconds % 3_600 != 0) {
      return seconds / 60 + "m";
    }
    return seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds / 3_600 + "h";
  }
}
