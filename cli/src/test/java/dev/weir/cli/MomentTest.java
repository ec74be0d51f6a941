package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MomentTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123456Z");

  @ParameterizedTest
  @CsvSource({
    "2030-01-31, 2030-01-31T00:00:00Z",
    "2030-01-31T12:00:00Z, 2030-01-31T12:00:00Z",
    "2030-01-31 12:00:00Z, 2030-01-31T12:00:00Z",
    "2030-01-31T12:00+02:00, 2030-01-31T10:00:00Z",
    "90d, 2026-05-30T10:00:00.123Z",
    "30, 2026-03-01T10:00:30.123Z",
  })
  void readsTimesAndDurations(String text, Instant expected) {
    assertThat(Moment.parseEither(text, NOW)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tomorrow-ish", "2030-02-31", "2030-01-31T12:00:00", "-1d", "2030-1-1"})
  void saysHowTimesAreWritten(String text) {
    assertThatThrownBy(() -> Moment.parseEither(text, NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"%s\" is no time; write a date or a time with its zone, for example 2030-01-31 or"
                + " 2030-01-31T12:00:00Z",
            text);
  }

  @Test
  void refusesWhatIsOver() {
    assertThatThrownBy(() -> Moment.parse(NOW.toString(), NOW))
        .hasMessage("\"2026-03-01T10:00:00.123456Z\" is over");
    assertThat(Moment.parse(NOW.plusNanos(1).toString(), NOW)).isAfter(NOW);
    assertThatThrownBy(() -> Moment.parseDuration("0ms", NOW))
        .hasMessage("must be longer than nothing, got \"0ms\"");
  }
}
