package dev.weir.backtest.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0 %",
    "0, 10, 0 %",
    "10, 10, 100 %",
    "1, 2, 50 %",
    "1, 30, 3.3 %",
    "1, 300, 0.33 %",
    "1, 3000, 0.033 %",
    "1, 1000000, < 0.001 %",
    "999, 1000, 99.90 %",
    "999999, 1000000, > 99.99 %"
  })
  void tellsSmallSharesFromNothing(long part, long whole, String shown) {
    assertThat(Figures.percent(part, whole)).isEqualTo(shown);
  }

  @Test
  void marksTimesAsExactlyAsALineOfThatLengthNeeds() {
    Instant at = Instant.parse("2026-03-01T12:34:56Z");
    assertThat(Figures.mark(at, Duration.ofMinutes(10))).isEqualTo("12:34:56");
    assertThat(Figures.mark(at, Duration.ofHours(10))).isEqualTo("12:34");
    assertThat(Figures.mark(at, Duration.ofDays(3))).isEqualTo("03-01 12:34");
    assertThat(Figures.mark(at, Duration.ofDays(30))).isEqualTo("2026-03-01");
    assertThat(Figures.time(at)).isEqualTo("2026-03-01 12:34:56 UTC");
  }

  @Test
  void countsOneAndMany() {
    assertThat(Figures.count(1, "client")).isEqualTo("1 client");
    assertThat(Figures.count(0, "client")).isEqualTo("0 clients");
    assertThat(Figures.count(12_345, "client")).isEqualTo("12,345 clients");
  }

  @ParameterizedTest
  @CsvSource({"PT1S, 1 s", "PT90S, 1 min 30 s", "PT2H, 2 h", "PT26H, 1 d 2 h"})
  void writesLengths(Duration length, String shown) {
    assertThat(Figures.length(length)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1",
    "1, 1, 1",
    "4, 4, 1",
    "5, 6, 2",
    "19, 20, 5",
    "21, 30, 10",
    "999, 1000, 500"
  })
  void aScaleEndsWithARoundNumber(long largest, long top, long step) {
    assertThat(Scale.upTo(largest)).isEqualTo(new Scale(top, step));
  }

  @Test
  void aScaleHasFewMarks() {
    assertThat(Scale.upTo(19).marks()).containsExactly(0L, 5L, 10L, 15L, 20L);
    for (long largest = 0; largest < 10_000; largest++) {
      Scale scale = Scale.upTo(largest);
      assertThat(scale.top()).isGreaterThanOrEqualTo(largest);
      assertThat(scale.marks()).hasSizeBetween(2, 5);
    }
  }
}
