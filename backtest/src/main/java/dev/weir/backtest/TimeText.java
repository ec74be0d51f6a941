package dev.weir.backtest;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/**
 * Times as JSON has them: ISO 8601 with a zone, the time of an access log, or a number since 1970,
 * of seconds, milliseconds, microseconds or nanoseconds by its size.
 */
final class TimeText {
  private static final String SHAPE = "dddd-dd-dd?dd:dd:dd";
  private static final int MOST_DIGITS = 40;

  /** Numbers below these are seconds, milliseconds and microseconds. */
  private static final BigDecimal SECONDS_END = new BigDecimal("1e11");

  private static final BigDecimal MILLIS_END = new BigDecimal("1e14");
  private static final BigDecimal MICROS_END = new BigDecimal("1e17");

  private TimeText() {}

  /** Microseconds since the epoch. */
  static long read(String text) throws BadLine {
    long micros;
    if (isIso(text)) {
      micros = iso(text);
    } else if (text.length() == AccessTime.LENGTH && text.charAt(2) == '/') {
      return new AccessTime()
          .read(text.getBytes(StandardCharsets.ISO_8859_1), 0, AccessTime.LENGTH);
    } else {
      micros = number(text);
    }
    if (micros < 0 || micros >= LoggedRequest.END_MICROS) {
      throw new BadLine(
          "time must be ISO 8601 with a zone, or a number since 1970, got \"%s\""
              .formatted(BadLine.shown(text)));
    }
    return micros;
  }

  private static boolean isIso(String text) {
    if (text.length() <= SHAPE.length()) {
      return false;
    }
    for (int i = 0; i < SHAPE.length(); i++) {
      char shape = SHAPE.charAt(i);
      char c = text.charAt(i);
      boolean fits =
          switch (shape) {
            case 'd' -> isDigit(c);
            case '?' -> c == 'T' || c == ' ' || c == 't';
            default -> c == shape;
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static long iso(String text) {
    int at = SHAPE.length();
    long fraction = 0;
    char mark = text.charAt(at);
    if (mark == '.' || mark == ',') {
      at++;
      for (int unit = 100_000; at < text.length() && isDigit(text.charAt(at)); unit /= 10, at++) {
        fraction += (text.charAt(at) - '0') * (long) unit;
      }
    }
    int offset = offset(text, at);
    if (offset == Integer.MIN_VALUE) {
      return -1;
    }
    long micros =
        CivilTime.micros(
            digits(text, 0, 4),
            digits(text, 5, 2),
            digits(text, 8, 2),
            digits(text, 11, 2),
            digits(text, 14, 2),
            digits(text, 17, 2),
            offset);
    return micros < 0 ? -1 : micros + fraction;
  }

  /** Seconds ahead of UTC of {@code Z}, {@code +01:00}, {@code +0100} or {@code +01}. */
  private static int offset(String text, int at) {
    int left = text.length() - at;
    if (left == 1) {
      return text.charAt(at) == 'Z' || text.charAt(at) == 'z' ? 0 : Integer.MIN_VALUE;
    }
    boolean hasColon = left == 6 && text.charAt(at + 3) == ':';
    if (!hasColon && left != 5 && left != 3) {
      return Integer.MIN_VALUE;
    }
    int sign = text.charAt(at) == '+' ? 1 : text.charAt(at) == '-' ? -1 : 0;
    int hours = digits(text, at + 1, 2);
    int minutes = left == 3 ? 0 : digits(text, at + (hasColon ? 4 : 3), 2);
    boolean isRight = sign != 0 && hours >= 0 && hours <= 18 && minutes >= 0 && minutes < 60;
    return isRight ? sign * (hours * 3_600 + minutes * 60) : Integer.MIN_VALUE;
  }

  private static int digits(String text, int at, int number) {
    int value = 0;
    for (int i = at; i < at + number; i++) {
      if (!isDigit(text.charAt(i))) {
        return -1;
      }
      value = 10 * value + text.charAt(i) - '0';
    }
    return value;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static long number(String text) {
    if (text.isEmpty() || text.length() > MOST_DIGITS || !isDigit(text.charAt(0))) {
      return -1;
    }
    try {
      BigDecimal number = new BigDecimal(text);
      // A large exponent would make a large number of digits of it.
      if (number.precision() - number.scale() > MOST_DIGITS || number.scale() > MOST_DIGITS) {
        return -1;
      }
      int shift =
          number.compareTo(SECONDS_END) < 0
              ? 6
              : number.compareTo(MILLIS_END) < 0 ? 3 : number.compareTo(MICROS_END) < 0 ? 0 : -3;
      BigDecimal micros = number.movePointRight(shift).setScale(0, RoundingMode.DOWN);
      return micros.precision() > 18 ? -1 : micros.longValueExact();
    } catch (NumberFormatException wrong) {
      return -1;
    }
  }
}
