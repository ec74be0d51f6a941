package dev.weir.cli;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write and read them. */
final class TimeText {
  private TimeText() {}

  private static final long SECOND = 1_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private static final long LONGEST_DAYS = 3_660;
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d|)");
  private static final Map<String, Long> UNITS =
      Map.of("ms", 1_000L, "s", SECOND, "", SECOND, "m", MINUTE, "h", HOUR, "d", DAY);

  /** Reads {@code 250ms}, {@code 60s}, {@code 10m}, {@code 1h}, {@code 90d} or bare seconds. */
  static long parseMicros(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no duration; write a number and ms, s, m, h or d, for example 60s"
              .formatted(text));
    }
    long amount = Long.parseLong(matcher.group(1));
    long unit = UNITS.getOrDefault(matcher.group(2), SECOND);
    if (amount > LONGEST_DAYS * DAY / unit) {
      throw new IllegalArgumentException(
          "\"%s\" is too long; write at most %dd".formatted(text, LONGEST_DAYS));
    }
    return amount * unit;
  }

  /** In the largest unit that gives a whole number, as {@link #parseMicros} reads it. */
  static String exact(long micros) {
    if (micros % DAY == 0) {
      return micros / DAY + "d";
    }
    if (micros % HOUR == 0) {
      return micros / HOUR + "h";
    }
    if (micros % MINUTE == 0) {
      return micros / MINUTE + "m";
    }
    return micros % SECOND == 0 ? micros / SECOND + "s" : micros / 1_000 + "ms";
  }

  /** The one or two largest units: {@code 1.28s}, {@code 40ms}, {@code 2m30s}, {@code 1d12h}. */
  static String format(long micros) {
    if (micros < 1_000) {
      return micros == 0 ? "0s" : micros + "us";
    }
    if (micros < SECOND) {
      return decimal(micros, 1_000, "ms");
    }
    if (micros < MINUTE) {
      return decimal(micros / 1_000 * 1_000, SECOND, "s");
    }
    if (micros < HOUR) {
      return two(micros, MINUTE, "m", SECOND, "s");
    }
    return micros < DAY ? two(micros, HOUR, "h", MINUTE, "m") : two(micros, DAY, "d", HOUR, "h");
  }

  private static String decimal(long micros, long unit, String name) {
    return BigDecimal.valueOf(micros)
            .divide(BigDecimal.valueOf(unit))
            .stripTrailingZeros()
            .toPlainString()
        + name;
  }

  private static String two(
      long micros, long large, String largeName, long small, String smallName) {
    long rest = micros % large / small;
    return micros / large + largeName + (rest == 0 ? "" : rest + smallName);
  }
}
