package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowsTest {

  private static Windows windows(String limit) {
    return Windows.of((FixedWindow) Limit.parse(limit));
  }

  private static long micros(String instant) {
    return Micros.of(Instant.parse(instant));
  }

  @ParameterizedTest
  @CsvSource({
    // limit, now, start, end
    "1/d fixed_window zone Europe/Berlin, 2026-03-28T23:00:00Z, 2026-03-28T23:00:00Z,"
        + " 2026-03-29T22:00:00Z",
    "1/d fixed_window zone Europe/Berlin, 2026-03-29T21:59:59.999999Z, 2026-03-28T23:00:00Z,"
        + " 2026-03-29T22:00:00Z",
    "1/d fixed_window zone Europe/Berlin, 2026-10-25T12:00:00Z, 2026-10-24T22:00:00Z,"
        + " 2026-10-25T23:00:00Z",
    "1/d fixed_window zone Australia/Lord_Howe, 2026-04-04T20:00:00Z, 2026-04-04T13:00:00Z,"
        + " 2026-04-05T13:30:00Z",
    // Midnight came twice: at 00:01 the clocks went back to 23:01 of the day before.
    "1/d fixed_window zone America/St_Johns, 2010-11-07T02:29:59Z, 2010-11-06T02:30:00Z,"
        + " 2010-11-07T02:30:00Z",
    "1/d fixed_window zone America/St_Johns, 2010-11-07T02:30:30Z, 2010-11-07T02:30:00Z,"
        + " 2010-11-08T03:30:00Z",
    "1/d fixed_window zone America/St_Johns, 2010-11-07T02:45:00Z, 2010-11-07T02:30:00Z,"
        + " 2010-11-08T03:30:00Z",
    "1/d fixed_window zone America/St_Johns, 2010-11-07T03:45:00Z, 2010-11-07T02:30:00Z,"
        + " 2010-11-08T03:30:00Z",
    // Apia had no 30 December 2011.
    "1/d fixed_window zone Pacific/Apia, 2011-12-30T09:59:59Z, 2011-12-29T10:00:00Z,"
        + " 2011-12-30T10:00:00Z",
    "1/d fixed_window zone Pacific/Apia, 2011-12-30T10:00:00Z, 2011-12-30T10:00:00Z,"
        + " 2011-12-31T10:00:00Z",
    "1/week fixed_window, 2026-03-01T12:00:00Z, 2026-02-23T00:00:00Z, 2026-03-02T00:00:00Z",
    "1/week fixed_window, 2026-03-02T00:00:00Z, 2026-03-02T00:00:00Z, 2026-03-09T00:00:00Z",
    "1/week fixed_window zone Europe/Berlin, 2026-03-29T12:00:00Z, 2026-03-22T23:00:00Z,"
        + " 2026-03-29T22:00:00Z",
    "1/month fixed_window, 2028-02-29T12:00:00Z, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
    "1/month fixed_window, 2026-01-31T23:59:59.999999Z, 2026-01-01T00:00:00Z,"
        + " 2026-02-01T00:00:00Z",
    "1/month fixed_window zone Asia/Tokyo, 2026-12-31T15:00:00Z, 2026-12-31T15:00:00Z,"
        + " 2027-01-31T15:00:00Z",
  })
  void calendarWindowsFollowTheZone(String limit, String now, String start, String end) {
    Windows windows = windows(limit);

    assertThat(Micros.toInstant(windows.start(micros(now)))).isEqualTo(start);
    assertThat(Micros.toInstant(windows.latestStart(micros(now)))).isEqualTo(start);
    assertThat(Micros.toInstant(windows.end(micros(start), micros(now)))).isEqualTo(end);
  }

  @Test
  void calendarWindowsJoinWithoutGaps() {
    Windows windows = windows("1/d fixed_window zone America/St_Johns");
    long now = micros("2010-11-01T00:00:00Z");
    long end = windows.end(windows.start(now), now);
    for (int day = 0; day < 30; day++) {
      assertThat(windows.start(end)).isEqualTo(end);
      assertThat(windows.start(end - 1)).isLessThan(end);
      assertThat(windows.end(0, end - 1)).isEqualTo(end);
      end = windows.end(end, end);
    }
  }

  @Test
  void aRememberedWindowIsLeftOnBothSides() {
    Windows windows = windows("1/month fixed_window");
    long march = micros("2026-03-01T00:00:00Z");
    long april = micros("2026-04-01T00:00:00Z");

    assertThat(windows.start(march + 5)).isEqualTo(march);
    assertThat(windows.start(april - 1)).isEqualTo(march);
    assertThat(windows.start(april)).isEqualTo(april);
    assertThat(windows.start(april - 1)).isEqualTo(march);
    assertThat(windows.start(march)).isEqualTo(march);
    assertThat(windows.start(march - 1)).isEqualTo(micros("2026-02-01T00:00:00Z"));
  }

  @Test
  void aCalendarWindowEndsWithItsUnit() {
    Windows windows = windows("1/month fixed_window");
    long march = micros("2026-03-01T00:00:00Z");

    assertThat(windows.hasEnded(march, micros("2026-03-31T23:59:59.999999Z"))).isFalse();
    assertThat(windows.hasEnded(march, micros("2026-04-01T00:00:00Z"))).isTrue();
    assertThat(windows.hasEnded(march, micros("2026-02-01T00:00:00Z"))).isFalse();
  }

  @Test
  void windowsOfTheEpochAreMultiplesOfTheirLength() {
    Windows windows = windows("1/60s fixed_window");
    long minute = micros("2026-03-01T10:20:00Z");

    assertThat(windows.start(minute)).isEqualTo(minute);
    assertThat(windows.start(minute + 59_999_999)).isEqualTo(minute);
    assertThat(windows.latestStart(minute + 59_999_999)).isEqualTo(minute);
    assertThat(windows.end(minute, minute + 7)).isEqualTo(minute + 60_000_000);
    assertThat(windows.hasEnded(minute, minute + 59_999_999)).isFalse();
    assertThat(windows.hasEnded(minute, minute + 60_000_000)).isTrue();
  }

  @Test
  void windowsOfARequestStartWithIt() {
    Windows windows = windows("1/60s fixed_window align first_request");
    long now = micros("2026-03-01T10:20:07Z");

    assertThat(windows.start(now)).isEqualTo(now);
    assertThat(windows.latestStart(now)).isEqualTo(now);
    assertThat(windows.end(now - 5, now)).isEqualTo(now + 59_999_995);
    assertThat(windows.hasEnded(now, now + 59_999_999)).isFalse();
    assertThat(windows.hasEnded(now, now + 60_000_000)).isTrue();
  }

  @Test
  void windowsAreEqualIfTheyStartAndEndTogether() {
    assertThat(windows("1/m fixed_window")).isEqualTo(windows("2/60s fixed_window"));
    assertThat(windows("1/m fixed_window")).isNotEqualTo(windows("1/61s fixed_window"));
    assertThat(windows("1/m fixed_window"))
        .isNotEqualTo(windows("1/m fixed_window align first_request"));
    assertThat(windows("1/month fixed_window"))
        .isEqualTo(windows("2/month fixed_window"))
        .hasSameHashCodeAs(windows("2/month fixed_window"))
        .isNotEqualTo(windows("1/week fixed_window"))
        .isNotEqualTo(windows("1/month fixed_window zone Asia/Tokyo"));
    assertThat(windows("1/month fixed_window").hashCode())
        .isNotEqualTo(windows("1/month fixed_window zone Asia/Tokyo").hashCode());
  }
}
