package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-10-10T13:55:36Z | 2026-10-10T13:55:36Z",
        "2026-10-10 13:55:36.5Z | 2026-10-10T13:55:36.5Z",
        "2026-10-10T13:55:36,123456789+02:00 | 2026-10-10T11:55:36.123456Z",
        "2026-10-10T13:55:36-0530 | 2026-10-10T19:25:36Z",
        "2026-10-10T13:55:36+01 | 2026-10-10T12:55:36Z",
        "1791640536 | 2026-10-10T13:55:36Z",
        "1791640536.75 | 2026-10-10T13:55:36.75Z",
        "1.791640536E9 | 2026-10-10T13:55:36Z",
        "1791640536123 | 2026-10-10T13:55:36.123Z",
        "1791640536123456 | 2026-10-10T13:55:36.123456Z",
        "1791640536123456789 | 2026-10-10T13:55:36.123456Z",
        "10/Oct/2026:13:55:36 +0000 | 2026-10-10T13:55:36Z",
        "0 | 1970-01-01T00:00:00Z"
      })
  void readsTimes(String text, Instant expected) throws BadLine {
    assertThat(Instant.EPOCH.plus(TimeText.read(text), ChronoUnit.MICROS)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "-1",
        "1e99999999",
        "1e-99999999",
        "NaN",
        "2026-10-10",
        "2026-10-10T13:55:36",
        "2026-13-10T13:55:36Z",
        "2026-02-29T13:55:36Z",
        "2026-10-10T24:00:00Z",
        "2026-10-10T13:55:36+1:00",
        "2026-10-10T13:55:36+99:00",
        "1969-12-31T23:59:59Z",
        "2400-01-01T00:00:00Z",
        "99999999999999999999"
      })
  void refusesWhatIsNoTime(String text) {
    assertThatThrownBy(() -> TimeText.read(text))
        .isInstanceOf(BadLine.class)
        .hasMessage(
            "time must be ISO 8601 with a zone, or a number since 1970, got \"" + text + "\"");
  }

  @Test
  void agreesWithTheJdkOnEveryDay() throws BadLine {
    Random random = new Random(7);
    DateTimeFormatter access =
        DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.ENGLISH);
    for (long day = 0; day < 157_000; day++) {
      Instant instant = Instant.ofEpochSecond(day * 86_400 + random.nextInt(86_400));
      ZoneOffset zone = ZoneOffset.ofTotalSeconds((random.nextInt(73) - 36) * 900);
      Instant read =
          Instant.EPOCH.plus(
              TimeText.read(access.format(instant.plusSeconds(86_400).atOffset(zone))),
              ChronoUnit.MICROS);
      assertThat(read).isEqualTo(instant.plusSeconds(86_400));
    }
  }
}
