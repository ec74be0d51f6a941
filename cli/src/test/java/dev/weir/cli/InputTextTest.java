package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How durations, rates and bursts are read and written. */
class InputTextTest {

  @ParameterizedTest
  @CsvSource({
    "250ms, 250000",
    "60s, 60000000",
    "60, 60000000",
    "10m, 600000000",
    "1h, 3600000000",
    "90d, 7776000000000",
    "0, 0"
  })
  void readsDurations(String text, long micros) {
    assertThat(TimeText.parseMicros(text)).isEqualTo(micros);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "60x", "-1s", "1.5s", "1 s", "٣s", "9999999999999s"})
  void refusesOtherDurations(String text) {
    assertThatThrownBy(() -> TimeText.parseMicros(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"%s\" is no duration; write a number and ms, s, m, h or d, for example 60s"
                .formatted(text));
  }

  @Test
  void refusesDurationsOfMoreThanTenYears() {
    assertThat(TimeText.parseMicros("3660d")).isEqualTo(316_224_000_000_000L);
    assertThatThrownBy(() -> TimeText.parseMicros("3661d"))
        .hasMessage("\"3661d\" is too long; write at most 3660d");
    assertThatThrownBy(() -> TimeText.parseMicros("999999999999d"))
        .hasMessage("\"999999999999d\" is too long; write at most 3660d");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "7, 7us",
    "1000, 1ms",
    "10010, 10.01ms",
    "40000, 40ms",
    "1280000, 1.28s",
    "4545454, 4.545s",
    "60000000, 1m",
    "150000000, 2m30s",
    "3600000000, 1h",
    "5400000000, 1h30m",
    "129600000000, 1d12h"
  })
  void writesTheLargestUnits(long micros, String text) {
    assertThat(TimeText.format(micros)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"250ms", "90s", "61m", "25h", "300d"})
  void writesExactDurationsAsTheyAreRead(String text) {
    assertThat(TimeText.exact(TimeText.parseMicros(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "25/s, 25, 1000000",
    "0/m, 0, 60000000",
    "7/250ms, 7, 250000",
    "1/week, 1, 604800000000",
    "3/10, 3, 10000000"
  })
  void readsRates(String text, long count, long periodMicros) {
    ArrivalRate rate = ArrivalRate.parse(text);
    assertThat(rate.count()).isEqualTo(count);
    assertThat(rate.periodMicros()).isEqualTo(periodMicros);
    assertThat(rate).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "25", "25/", "/s", "25/x", "25/0s", "-1/s", "2.5/s", "25/s/s"})
  void refusesOtherRates(String text) {
    assertThatThrownBy(() -> ArrivalRate.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"%s\" is no rate; write a number and a period, for example 25/s".formatted(text));
  }

  @Test
  void expressesCountsInTheRatesOwnPeriod() {
    ArrivalRate perSecond = ArrivalRate.parse("25/s");
    assertThat(perSecond.express(69, 5_000_000)).isEqualTo("13.8/s");
    assertThat(perSecond.express(50, 5_000_000)).isEqualTo("10/s");
    assertThat(perSecond.express(0, 5_000_000)).isEqualTo("0/s");
    assertThat(ArrivalRate.parse("1/m").express(1_000, 60_000_000)).isEqualTo("1000/m");
  }

  @Test
  void readsBursts() {
    assertThat(Burst.parse("2s=50")).isEqualTo(new Burst(2_000_000, 50));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2s", "2s=", "=50", "2s=0", "2s=-1", "2s=5=5"})
  void refusesOtherBursts(String text) {
    assertThatThrownBy(() -> Burst.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"%s\" is no burst; write a time and a number, for example 2s=50".formatted(text));
  }
}
