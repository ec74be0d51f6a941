package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.ManualTime;
import dev.weir.Period;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calendar windows. The instants were worked out with another time zone library than Java's. */
abstract class CalendarScenarios extends StoreScenarios {

  CalendarScenarios(Function<ManualTime, CounterStore> stores) {
    super(stores);
  }

  @ParameterizedTest(name = "{0} in {1} at {2}")
  @DisplayName("ends a calendar window with the first instant of the next (T45)")
  @CsvSource({
    // Days of 23 and 25 hours, and the weeks and months they lie in.
    "DAY,   Europe/Berlin,       2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
    "DAY,   Europe/Berlin,       2026-03-29T21:59:59Z, 2026-03-29T22:00:00Z",
    "DAY,   Europe/Berlin,       2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
    "DAY,   Europe/Berlin,       2026-10-25T22:30:00Z, 2026-10-25T23:00:00Z",
    "WEEK,  Europe/Berlin,       2026-03-29T12:00:00Z, 2026-03-29T22:00:00Z",
    "WEEK,  Europe/Berlin,       2026-10-25T12:00:00Z, 2026-10-25T23:00:00Z",
    "MONTH, Europe/Berlin,       2026-03-15T12:00:00Z, 2026-03-31T22:00:00Z",
    "MONTH, Europe/Berlin,       2026-10-15T12:00:00Z, 2026-10-31T23:00:00Z",
    "DAY,   America/New_York,    2026-03-08T05:00:00Z, 2026-03-09T04:00:00Z",
    // Summer time of half an hour.
    "DAY,   Australia/Lord_Howe, 2026-04-04T13:00:00Z, 2026-04-05T13:30:00Z",
    "DAY,   Australia/Lord_Howe, 2026-10-03T13:30:00Z, 2026-10-04T13:00:00Z",
    "WEEK,  Australia/Lord_Howe, 2026-04-05T13:00:00Z, 2026-04-05T13:30:00Z",
    "MONTH, Australia/Lord_Howe, 2026-04-15T00:00:00Z, 2026-04-30T13:30:00Z",
    "MONTH, Australia/Lord_Howe, 2026-10-15T00:00:00Z, 2026-10-31T13:00:00Z",
    // 30 December 2011 was left out.
    "DAY,   Pacific/Apia,        2011-12-30T09:59:59Z, 2011-12-30T10:00:00Z",
    "DAY,   Pacific/Apia,        2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z",
    "WEEK,  Pacific/Apia,        2011-12-29T12:00:00Z, 2012-01-01T10:00:00Z",
    "MONTH, Pacific/Apia,        2011-12-15T12:00:00Z, 2011-12-31T10:00:00Z",
    // A day without midnight.
    "DAY,   America/Sao_Paulo,   2017-10-15T02:59:59Z, 2017-10-15T03:00:00Z",
    "DAY,   America/Sao_Paulo,   2017-10-15T12:00:00Z, 2017-10-16T02:00:00Z",
    // A minute after midnight the clock went back to the evening before: the day goes on.
    "DAY,   America/St_Johns,    2010-11-07T02:30:00Z, 2010-11-08T03:30:00Z",
    "DAY,   America/St_Johns,    2010-11-07T02:31:00Z, 2010-11-08T03:30:00Z",
    "DAY,   America/St_Johns,    2010-11-07T02:45:00Z, 2010-11-08T03:30:00Z",
    "MONTH, America/St_Johns,    2009-11-01T02:45:00Z, 2009-12-01T03:30:00Z",
    // Offsets that are no whole hours, leap years and ends of months.
    "DAY,   Asia/Kathmandu,      2026-01-01T18:14:59Z, 2026-01-01T18:15:00Z",
    "DAY,   UTC,                 2024-02-28T12:00:00Z, 2024-02-29T00:00:00Z",
    "WEEK,  UTC,                 2026-01-01T00:00:00Z, 2026-01-05T00:00:00Z",
    "MONTH, Europe/Berlin,       2024-02-29T12:00:00Z, 2024-02-29T23:00:00Z",
    "MONTH, Europe/Berlin,       2023-02-28T22:59:59Z, 2023-02-28T23:00:00Z",
    "MONTH, Europe/Berlin,       2023-02-28T23:00:00Z, 2023-03-31T22:00:00Z",
    "MONTH, UTC,                 2024-02-01T00:00:00Z, 2024-03-01T00:00:00Z",
    "MONTH, UTC,                 2100-02-28T23:59:59Z, 2100-03-01T00:00:00Z",
    "MONTH, UTC,                 2026-12-31T23:59:59Z, 2027-01-01T00:00:00Z"
  })
  void endsACalendarWindowWithTheFirstInstantOfTheNext(
      Period.CalendarUnit unit, String zone, String now, Instant end) {
    FixedWindow limit =
        new FixedWindow(2, new Period.Calendar(unit, ZoneId.of(zone)), FixedWindow.Align.EPOCH);
    Subject store = subjectAt(now);
    assertThat(store.acquire(limit, 2).resetAt()).isEqualTo(end);
    Decision refused = store.acquire(limit, 1);
    assertThat(refused.retryAfterMicros()).isEqualTo(EpochMicros.of(end) - store.nowMicros());
    store.advanceMicros(refused.retryAfterMicros() - 1);
    assertThat(store.acquire(limit, 1).allowed()).as("a microsecond before the end").isFalse();
    store.advanceMicros(1);
    assertThat(store.acquire(limit, 1).allowed()).as("at the end").isTrue();
  }
}
