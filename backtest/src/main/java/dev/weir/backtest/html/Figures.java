package dev.weir.backtest.html;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Numbers and times as people read them. */
final class Figures {
  private static final DateTimeFormatter TIME = formatter("uuuu-MM-dd HH:mm:ss 'UTC'");
  private static final DateTimeFormatter CLOCK_WITH_SECONDS = formatter("HH:mm:ss");
  private static final DateTimeFormatter CLOCK = formatter("HH:mm");
  private static final DateTimeFormatter DAY_AND_CLOCK = formatter("MM-dd HH:mm");
  private static final DateTimeFormatter DAY = formatter("uuuu-MM-dd");

  private static final Duration HOUR = Duration.ofHours(1);

  private Figures() {}

  private static DateTimeFormatter formatter(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** With what is counted behind it. */
  static String count(long number, String what) {
    return count(number) + " " + what + (number == 1 ? "" : "s");
  }

  /** With as many decimals as it takes to tell a small share from nothing, and from all. */
  static String percent(long part, long whole) {
    double percent = whole == 0 ? 0 : 100.0 * part / whole;
    boolean isPlain = part == 0 || part == whole || (percent >= 10 && percent <= 99.5);
    if (isPlain) {
      return String.format(Locale.ROOT, "%.0f %%", percent);
    }
    if (percent < 0.001) {
      return "< 0.001 %";
    }
    int decimals = percent > 99.5 ? 2 : percent < 0.1 ? 3 : percent < 1 ? 2 : 1;
    return percent > 99.99
        ? "> 99.99 %"
        : String.format(Locale.ROOT, "%." + decimals + "f %%", percent);
  }

  static String time(Instant instant) {
    return TIME.format(instant);
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** A mark on a time line of that length. */
  static String mark(Instant instant, Duration length) {
    if (length.compareTo(HOUR) < 0) {
      return CLOCK_WITH_SECONDS.format(instant);
    }
    if (length.compareTo(Duration.ofDays(1)) <= 0) {
      return CLOCK.format(instant);
    }
    return (length.compareTo(Duration.ofDays(7)) <= 0 ? DAY_AND_CLOCK : DAY).format(instant);
  }

  static String length(Duration length) {
    if (length.toDays() > 0) {
      return length.toDays() + " d" + rest(length.toHoursPart(), "h");
    }
    if (length.toHours() > 0) {
      return length.toHours() + " h" + rest(length.toMinutesPart(), "min");
    }
    if (length.toMinutes() > 0) {
      return length.toMinutes() + " min" + rest(length.toSecondsPart(), "s");
    }
    return length.toSeconds() + " s";
  }

  private static String rest(int number, String unit) {
    return number == 0 ? "" : " " + number + " " + unit;
  }

  /** A number for a drawing. */
  static String place(double number) {
    String text = String.format(Locale.ROOT, "%.1f", number);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
