package dev.weir.backtest;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The time of an access log, {@code 10/Oct/2026:13:55:36 +0000}. Lines of one second follow each
 * other, so the last one is remembered.
 */
final class AccessTime {
  static final int LENGTH = "10/Oct/2026:13:55:36 +0000".length();

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  private final byte[] last = new byte[LENGTH];
  private long lastMicros = -1;

  /** Microseconds since the epoch. */
  long read(byte[] bytes, int from, int to) throws BadLine {
    if (lastMicros >= 0 && Arrays.equals(last, 0, LENGTH, bytes, from, to)) {
      return lastMicros;
    }
    long micros = to - from == LENGTH ? parse(bytes, from) : -1;
    if (micros < 0) {
      throw new BadLine(
          "time must be such as 10/Oct/2026:13:55:36 +0000, got \"%s\""
              .formatted(
                  BadLine.shown(new String(bytes, from, to - from, StandardCharsets.UTF_8))));
    }
    System.arraycopy(bytes, from, last, 0, LENGTH);
    lastMicros = micros;
    return micros;
  }

  private static long parse(byte[] bytes, int from) {
    int sign = bytes[from + 21] == '+' ? 1 : bytes[from + 21] == '-' ? -1 : 0;
    boolean isShaped =
        bytes[from + 2] == '/'
            && bytes[from + 6] == '/'
            && bytes[from + 11] == ':'
            && bytes[from + 14] == ':'
            && bytes[from + 17] == ':'
            && bytes[from + 20] == ' '
            && sign != 0;
    int zoneHours = number(bytes, from + 22, 2);
    int zoneMinutes = number(bytes, from + 24, 2);
    if (!isShaped || zoneHours < 0 || zoneMinutes < 0 || zoneHours > 18 || zoneMinutes > 59) {
      return -1;
    }
    return CivilTime.micros(
        number(bytes, from + 7, 4),
        month(bytes, from + 3),
        number(bytes, from, 2),
        number(bytes, from + 12, 2),
        number(bytes, from + 15, 2),
        number(bytes, from + 18, 2),
        sign * (zoneHours * 3_600 + zoneMinutes * 60));
  }

  private static int month(byte[] bytes, int at) {
    for (int i = 0; i < MONTHS.length(); i += 3) {
      if (bytes[at] == MONTHS.charAt(i)
          && bytes[at + 1] == MONTHS.charAt(i + 1)
          && bytes[at + 2] == MONTHS.charAt(i + 2)) {
        return i / 3 + 1;
      }
    }
    return -1;
  }

  /** Digits; -1 if they are none. */
  private static int number(byte[] bytes, int at, int digits) {
    int number = 0;
    for (int i = at; i < at + digits; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }
}
