package dev.weir.backtest;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a log is written. */
public enum LogFormat {
  /** Common Log Format. */
  COMMON,
  /** The same with referrer and browser behind it; read alike. */
  COMBINED,
  /** A JSON object a line, with the names that nginx has for its variables. */
  NGINX,
  /** A JSON object a line, as Caddy writes its access log. */
  CADDY,
  /** A JSON object a line, of which only the fields are known that are given. */
  JSON,
  /** The events of Weir. */
  WEIR,
  /** A file of Weir's archive. */
  PARQUET;

  /**
   * The format of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static LogFormat parse(String name) {
    for (LogFormat each : values()) {
      if (each.toString().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "must be one of %s, got \"%s\""
            .formatted(
                Arrays.stream(values()).map(LogFormat::toString).collect(Collectors.joining(", ")),
                name));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
