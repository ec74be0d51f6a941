package dev.weir;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Objects;

/** The stretch of time that a limit's permits are for: a fixed span, or a unit of the calendar. */
public sealed interface Period {

  /** The shortest span a limit may have. */
  Duration SHORTEST = Duration.ofMillis(1);

  /** The longest span a limit may have. */
  Duration LONGEST = Duration.ofDays(366);

  /**
   * A fixed number of units, from 1 ms to 366 days. Two spans are equal when they last equally
   * long, however they were written: {@code 60s} equals {@code m}.
   *
   * @param amount how many units, at least 1
   * @param unit the unit it is written in
   */
  record Span(long amount, Unit unit) implements Period {
    public Span {
      Objects.requireNonNull(unit, "unit");
      if (amount < 1 || amount > LONGEST.toMillis() * 1_000 / unit.micros) {
        throw new IllegalArgumentException(
            "period must be between 1ms and 366d, got " + amount + unit.symbol);
      }
    }

    /** The span of that length, written in the largest unit that divides it. */
    public static Span of(Duration length) {
      if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException("period must be between 1ms and 366d, got " + length);
      }
      if (!length.truncatedTo(ChronoUnit.MILLIS).equals(length)) {
        throw new IllegalArgumentException(
            "period must be a whole number of milliseconds, got " + length);
      }
      long micros = length.toMillis() * 1_000;
      Unit largest = Unit.MILLISECOND;
      for (Unit unit : Unit.values()) {
        if (unit != Unit.WEEK && micros % unit.micros == 0) {
          largest = unit;
        }
      }
      return new Span(micros / largest.micros, largest);
    }

    /** The length in microseconds. */
    public long micros() {
      return amount * unit.micros;
    }

    /** The length as a duration. */
    public Duration toDuration() {
      return Duration.ofMillis(micros() / 1_000);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Span that && micros() == that.micros();
    }

    @Override
    public int hashCode() {
      return Long.hashCode(micros());
    }

    /** As in a limit text: {@code s}, {@code 60s}, {@code week}. */
    @Override
    public String toString() {
      return amount == 1 && unit != Unit.MILLISECOND ? unit.symbol : amount + unit.symbol;
    }
  }

  /**
   * Each day, ISO week (from Monday) or month of a time zone's calendar, however long it is.
   *
   * @param unit which unit of the calendar
   * @param zone whose midnight it starts at; zones that are always UTC are held as UTC
   */
  record Calendar(CalendarUnit unit, ZoneId zone) implements Period {
    public Calendar {
      Objects.requireNonNull(unit, "unit");
      zone = zone.normalized();
    }

    /** That unit of the UTC calendar. */
    public static Calendar utc(CalendarUnit unit) {
      return new Calendar(unit, ZoneOffset.UTC);
    }

    /** When the unit that the instant falls in starts, both in microseconds since the epoch. */
    public long startMicros(long atMicros) {
      return startOf(dateAt(atMicros));
    }

    /** When the unit that the instant falls in ends, both in microseconds since the epoch. */
    public long endMicros(long atMicros) {
      return startOf(after(dateAt(atMicros)));
    }

    /** The first date of the unit that the instant falls in. */
    private LocalDate dateAt(long atMicros) {
      LocalDate date = Micros.toInstant(atMicros).atZone(zone).toLocalDate();
      LocalDate first =
          switch (unit) {
            case DAY -> date;
            case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTH -> date.withDayOfMonth(1);
          };
      // Where clocks go back across midnight, a date comes twice: its unit starts the first time.
      return startOf(after(first)) > atMicros ? first : after(first);
    }

    private LocalDate after(LocalDate first) {
      return switch (unit) {
        case DAY -> first.plusDays(1);
        case WEEK -> first.plusWeeks(1);
        case MONTH -> first.plusMonths(1);
      };
    }

    private long startOf(LocalDate date) {
      return Micros.of(date.atStartOfDay(zone).toInstant());
    }

    /** As in a limit text, without the zone: {@code d}, {@code week}, {@code month}. */
    @Override
    public String toString() {
      return unit.text;
    }
  }

  /** A unit that a span is written in. */
  enum Unit {
    MILLISECOND("ms", 1_000L),
    SECOND("s", 1_000_000L),
    MINUTE("m", 60_000_000L),
    HOUR("h", 3_600_000_000L),
    DAY("d", 86_400_000_000L),
    WEEK("week", 604_800_000_000L);

    final String symbol;
    final long micros;

    Unit(String symbol, long micros) {
      this.symbol = symbol;
      this.micros = micros;
    }
  }

  /** A unit of the calendar that windows can follow. */
  enum CalendarUnit {
    DAY("d"),
    WEEK("week"),
    MONTH("month");

    final String text;

    CalendarUnit(String text) {
      this.text = text;
    }
  }
}
