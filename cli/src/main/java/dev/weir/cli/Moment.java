package dev.weir.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Moments, as users give them. */
final class Moment {
  private Moment() {}

  /** Reads a time such as {@code 2030-01-31T12:00:00Z}, or a date, which begins in UTC. */
  static Instant parse(String text) {
    try {
      return instant(text.strip());
    } catch (DateTimeException wrong) {
      throw new IllegalArgumentException(
          ("\"%s\" is no time; write a date or a time with its zone, for example 2030-01-31 or"
                  + " 2030-01-31T12:00:00Z")
              .formatted(text));
    }
  }

  /** As {@link #parse(String)}, of a time to come. */
  static Instant parse(String text, Instant now) {
    Instant moment = parse(text);
    if (!moment.isAfter(now)) {
      throw new IllegalArgumentException("\"%s\" is over".formatted(text));
    }
    return moment;
  }

  private static Instant instant(String text) {
    return text.length() <= "2030-01-31".length()
        ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
        : OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
  }

  /** Reads a duration that begins now. */
  static Instant parseDuration(String text, Instant now) {
    long micros = TimeText.parseMicros(text);
    if (micros == 0) {
      throw new IllegalArgumentException("must be longer than nothing, got \"" + text + "\"");
    }
    return now.plus(micros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.MILLIS);
  }

  /** Reads either. */
  static Instant parseEither(String text, Instant now) {
    return text.indexOf('-') >= 0 ? parse(text, now) : parseDuration(text, now);
  }
}
