package dev.weir.testkit;

import static java.time.DayOfWeek.MONDAY;
import static java.time.temporal.TemporalAdjusters.previousOrSame;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Period;
import java.time.LocalDate;
import java.time.ZoneId;

/** A stretch of time in microseconds since the epoch, without its end. */
record Window(long start, long end) {

  /** The window that {@code now} falls in; one that starts with a request starts now. */
  static Window of(FixedWindow limit, long now) {
    if (limit.period() instanceof Period.Calendar calendar) {
      return calendar(calendar, now);
    }
    long length = ((Period.Span) limit.period()).micros();
    return limit.align() == FixedWindow.Align.FIRST_REQUEST
        ? new Window(now, now + length)
        : aligned(length, now);
  }

  /** The window of that length, counted from the epoch. */
  static Window aligned(long length, long now) {
    long start = Math.floorDiv(now, length) * length;
    return new Window(start, start + length);
  }

  /** How long the limit's period is at that time. */
  static long periodMicros(Limit limit, long now) {
    if (limit.period() instanceof Period.Calendar calendar) {
      Window window = calendar(calendar, now);
      return window.end - window.start;
    }
    return ((Period.Span) limit.period()).micros();
  }

  /**
   * A unit of the calendar lasts from its first instant to the first instant of the next. Where
   * clocks are put back shortly after midnight, the evening that comes again belongs to the new
   * day.
   */
  private static Window calendar(Period.Calendar calendar, long now) {
    LocalDate today = LocalDate.ofInstant(EpochMicros.toInstant(now), calendar.zone());
    LocalDate date = firstDay(calendar.unit(), today);
    LocalDate next = firstDayAfter(calendar.unit(), date);
    while (firstInstant(next, calendar.zone()) <= now) {
      date = next;
      next = firstDayAfter(calendar.unit(), date);
    }
    return new Window(firstInstant(date, calendar.zone()), firstInstant(next, calendar.zone()));
  }

  private static LocalDate firstDay(Period.CalendarUnit unit, LocalDate date) {
    return switch (unit) {
      case DAY -> date;
      case WEEK -> date.with(previousOrSame(MONDAY));
      case MONTH -> date.withDayOfMonth(1);
    };
  }

  private static LocalDate firstDayAfter(Period.CalendarUnit unit, LocalDate first) {
    return switch (unit) {
      case DAY -> first.plusDays(1);
      case WEEK -> first.plusWeeks(1);
      case MONTH -> first.plusMonths(1);
    };
  }

  private static long firstInstant(LocalDate date, ZoneId zone) {
    return EpochMicros.of(date.atStartOfDay(zone).toInstant());
  }
}
