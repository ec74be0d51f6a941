package dev.weir.conformance;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The units of limits. A month has 30 days and a year 365; windows start at whole multiples of
 * their unit since 1970.
 */
enum Unit {
  /** No unit at all, which only a wrong request has. */
  UNKNOWN(0, 1),
  SECOND(1, 1),
  MINUTE(2, 60),
  HOUR(3, 3_600),
  DAY(4, 86_400),
  MONTH(5, 30 * 86_400),
  YEAR(6, 365 * 86_400),
  WEEK(7, 7 * 86_400);

  private final int number;
  private final long seconds;

  Unit(int number, long seconds) {
    this.number = number;
    this.seconds = seconds;
  }

  /** Its number in Envoy's messages. */
  int number() {
    return number;
  }

  long seconds() {
    return seconds;
  }

  /** How long its window still lasts. */
  long untilReset(long nowSeconds) {
    return seconds - nowSeconds % seconds;
  }

  /** The unit of a number. */
  static Unit of(int number) {
    for (Unit unit : values()) {
      if (unit.number == number) {
        return unit;
      }
    }
    return UNKNOWN;
  }

  /** The unit of that many seconds. */
  static Unit lasting(long seconds) {
    for (Unit unit : values()) {
      if (unit.seconds == seconds && unit != UNKNOWN) {
        return unit;
      }
    }
    throw new IllegalArgumentException("no unit lasts " + seconds + " s");
  }

  static Unit parse(String text) {
    for (Unit unit : values()) {
      if (unit.name().equals(text)) {
        return unit;
      }
    }
    String known = Arrays.stream(values()).map(Unit::name).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("unit must be one of " + known + ", got \"" + text + "\"");
  }
}
