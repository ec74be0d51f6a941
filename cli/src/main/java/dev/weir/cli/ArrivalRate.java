package dev.weir.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fast requests come: {@code count} in each period, evenly spaced.
 *
 * @param count requests per period; 0 for none at all
 * @param periodMicros the period, at least 1
 * @param periodText the period as it was written, for example {@code s} or {@code 10m}
 */
record ArrivalRate(long count, long periodMicros, String periodText) {

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,15})/(.+)");

  /** Reads {@code 25/s}, {@code 100/m}, {@code 7/250ms}. */
  static ArrivalRate parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw notARate(text);
    }
    return new ArrivalRate(
        Long.parseLong(matcher.group(1)), period(matcher.group(2), text), matcher.group(2));
  }

  private static long period(String period, String text) {
    try {
      boolean unitOnly = !Character.isDigit(period.charAt(0));
      long micros =
          period.equals("week")
              ? TimeText.parseMicros("7d")
              : TimeText.parseMicros(unitOnly ? "1" + period : period);
      if (micros > 0) {
        return micros;
      }
    } catch (IllegalArgumentException wrong) {
      // The whole text is reported, since the period alone would not say what was meant.
    }
    throw notARate(text);
  }

  private static IllegalArgumentException notARate(String text) {
    return new IllegalArgumentException(
        "\"%s\" is no rate; write a number and a period, for example 25/s".formatted(text));
  }

  /** Whether at least that many requests come in a stretch of that length, on average. */
  boolean isAtLeast(long requests, long lengthMicros) {
    return (double) count * lengthMicros >= (double) requests * periodMicros;
  }

  /** The time from one request to the next if that is whole, else 0. */
  long wholeDistanceMicros() {
    return count > 0 && periodMicros % count == 0 ? periodMicros / count : 0;
  }

  /** That many events in that time, at this rate's period: {@code 13.8/s}. */
  String express(long events, long lengthMicros) {
    double perPeriod = (double) events * periodMicros / lengthMicros;
    String number = String.format(Locale.ROOT, perPeriod < 100 ? "%.2f" : "%.0f", perPeriod);
    if (number.contains(".")) {
      number = number.replaceFirst("\\.?0+$", "");
    }
    return number + "/" + periodText;
  }

  @Override
  public String toString() {
    return count + "/" + periodText;
  }
}
