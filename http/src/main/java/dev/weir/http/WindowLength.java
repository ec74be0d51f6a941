package dev.weir.http;

import dev.weir.Limit;
import dev.weir.Period;
import dev.weir.TokenBucket;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * How long a limit's window is: the time in which a bucket fills, the period of the others, and of
 * a calendar's day, week or month the length of the one that runs.
 */
final class WindowLength {
  private WindowLength() {}

  static long micros(Limit limit, long nowMicros) {
    if (limit instanceof TokenBucket bucket) {
      return fillMicros(bucket);
    }
    if (limit.period() instanceof Period.Calendar calendar) {
      return micros(calendar, Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS));
    }
    return ((Period.Span) limit.period()).micros();
  }

  /** Rounded up: burst × period / permits, which is below 36,600 days. */
  private static long fillMicros(TokenBucket bucket) {
    long period = bucket.period().micros();
    if (bucket.burst() == bucket.permits()) {
      return period;
    }
    BigInteger[] quotient =
        BigInteger.valueOf(bucket.burst())
            .multiply(BigInteger.valueOf(period))
            .divideAndRemainder(BigInteger.valueOf(bucket.permits()));
    return quotient[0].longValueExact() + quotient[1].signum();
  }

  private static long micros(Period.Calendar calendar, Instant now) {
    ZoneId zone = calendar.zone();
    LocalDate date = now.atZone(zone).toLocalDate();
    LocalDate first =
        switch (calendar.unit()) {
          case DAY -> date;
          case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
          case MONTH -> date.withDayOfMonth(1);
        };
    LocalDate next = after(calendar.unit(), first);
    // Where clocks go back across midnight, a date comes twice: its window starts the first time.
    if (!start(next, zone).isAfter(now)) {
      first = next;
      next = after(calendar.unit(), first);
    }
    return Duration.between(start(first, zone), start(next, zone)).toMillis() * 1_000;
  }

  private static LocalDate after(Period.CalendarUnit unit, LocalDate first) {
    return switch (unit) {
      case DAY -> first.plusDays(1);
      case WEEK -> first.plusWeeks(1);
      case MONTH -> first.plusMonths(1);
    };
  }

  private static Instant start(LocalDate date, ZoneId zone) {
    return date.atStartOfDay(zone).toInstant();
  }
}
