package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeriodTest {

  @Test
  void spansAreEqualWhenTheyLastEquallyLong() {
    Period.Span seconds = new Period.Span(60, Period.Unit.SECOND);
    Period.Span minute = new Period.Span(1, Period.Unit.MINUTE);

    assertThat(seconds).isEqualTo(minute).hasSameHashCodeAs(minute);
    assertThat(seconds).isNotEqualTo(new Period.Span(61, Period.Unit.SECOND));
    assertThat(seconds.equals(null)).isFalse();
    assertThat(new Period.Span(61, Period.Unit.SECOND).hashCode()).isNotEqualTo(minute.hashCode());
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.001S, 1ms, 1000",
    "PT0.25S, 250ms, 250000",
    "PT1S, s, 1000000",
    "PT1.5S, 1500ms, 1500000",
    "PT60S, m, 60000000",
    "PT90S, 90s, 90000000",
    "PT1H, h, 3600000000",
    "PT24H, d, 86400000000",
    "P7D, 7d, 604800000000",
    "P366D, 366d, 31622400000000",
  })
  void aDurationIsWrittenInTheLargestUnit(Duration length, String text, long micros) {
    Period.Span span = Period.Span.of(length);

    assertThat(span).hasToString(text);
    assertThat(span.micros()).isEqualTo(micros);
    assertThat(span.toDuration()).isEqualTo(length);
  }

  @ParameterizedTest
  @CsvSource({
    "MILLISECOND, 31622400000, ms",
    "SECOND, 31622400, s",
    "MINUTE, 527040, m",
    "HOUR, 8784, h",
    "DAY, 366, d",
    "WEEK, 52, week",
  })
  void eachUnitGoesTo366Days(Period.Unit unit, long most, String symbol) {
    assertThat(new Period.Span(most, unit).amount()).isEqualTo(most);
    assertThatThrownBy(() -> new Period.Span(most + 1, unit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("period must be between 1ms and 366d, got " + (most + 1) + symbol);
    assertThatThrownBy(() -> new Period.Span(0, unit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("period must be between 1ms and 366d, got 0" + symbol);
  }

  @Test
  void refusesDurationsOutOfBounds() {
    assertThatThrownBy(() -> Period.Span.of(Duration.ofNanos(999_999)))
        .hasMessage("period must be between 1ms and 366d, got PT0.000999999S");
    assertThatThrownBy(() -> Period.Span.of(Duration.ofDays(366).plusMillis(1)))
        .hasMessage("period must be between 1ms and 366d, got PT8784H0.001S");
    assertThatThrownBy(() -> Period.Span.of(Duration.ofSeconds(-1)))
        .hasMessage("period must be between 1ms and 366d, got PT-1S");
  }

  @Test
  void refusesPartsOfAMillisecond() {
    assertThatThrownBy(() -> Period.Span.of(Duration.ofNanos(1_500_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("period must be a whole number of milliseconds, got PT0.0015S");
  }

  @Test
  void zonesThatAreAlwaysUtcAreUtc() {
    Period.Calendar day = new Period.Calendar(Period.CalendarUnit.DAY, ZoneId.of("Etc/UTC"));

    assertThat(day.zone()).isEqualTo(ZoneOffset.UTC);
    assertThat(day).isEqualTo(Period.Calendar.utc(Period.CalendarUnit.DAY));
    assertThat(new Period.Calendar(Period.CalendarUnit.DAY, ZoneId.of("Europe/London")).zone())
        .isEqualTo(ZoneId.of("Europe/London"));
  }

  @ParameterizedTest
  @CsvSource({"DAY, d", "WEEK, week", "MONTH, month"})
  void calendarsPrintTheirUnit(Period.CalendarUnit unit, String text) {
    assertThat(Period.Calendar.utc(unit)).hasToString(text);
  }

  @Test
  void everyPeriodCanBeReadBack() {
    for (Period.Unit unit : Period.Unit.values()) {
      for (long amount = 1; amount <= 3; amount++) {
        Period.Span span = new Period.Span(amount, unit);
        Limit bucket = new TokenBucket(10, span, 10);
        Limit window = new FixedWindow(10, span, FixedWindow.Align.EPOCH);

        assertThat(Limit.parse(bucket.toString())).isEqualTo(bucket).hasToString("10/" + span);
        assertThat(Limit.parse(window.toString())).isEqualTo(window);
      }
    }
  }
}
