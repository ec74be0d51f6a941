package dev.weir.backtest;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a line of JSON says about a request. */
public enum LogField {
  /** When it was; ISO 8601, or the number of seconds, milliseconds or microseconds since 1970. */
  TIME,
  /** Its path, or all of its target. */
  PATH,
  /** Its method. */
  METHOD,
  /** The client's address. */
  IP,
  /** The client's user. */
  USER,
  /** The id of the client's API key. */
  KEY,
  /** The client's tier. */
  TIER,
  /** What it costs. */
  COST,
  /** The status of its answer. */
  STATUS,
  /** Method, target and protocol in one. */
  REQUEST,
  /** What became of it. */
  DECISION,
  /** Why. */
  REASON,
  /** By which rule. */
  RULE;

  /** Those that a user may give. */
  private static final List<LogField> OPEN =
      List.of(TIME, PATH, METHOD, IP, USER, KEY, TIER, COST, STATUS, REQUEST);

  /**
   * The field of that name.
   *
   * @throws IllegalArgumentException if there is none that can be given
   */
  static LogField parse(String name) {
    return OPEN.stream()
        .filter(each -> each.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\"%s\" is no field; write one of %s".formatted(name, names())));
  }

  private static String names() {
    return OPEN.stream().map(LogField::toString).collect(Collectors.joining(", "));
  }

  static List<LogField> all() {
    return Arrays.asList(values());
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
