package dev.weir.backtest.suggest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowanceTest {

  @ParameterizedTest
  @CsvSource({
    "0.1, 1000, 0.1",
    "0, 0, 0",
    "100, 1000000, 100",
    "00.5000, 5000, 0.5",
    "0.0001, 1, 0.0001"
  })
  void readsPercentages(String text, long perMillion, String shown) {
    Allowance allowance = Allowance.parse(text);
    assertThat(allowance.perMillion()).isEqualTo(perMillion);
    assertThat(allowance).hasToString(shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "101", "100.0001", "0.00001", "1e2", "0,1", ".5", "5%"})
  void saysWhatAPercentageIs(String text) {
    assertThatThrownBy(() -> Allowance.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "must be a percentage from 0 to 100 with at most 4 decimals, for example 0.1, got \""
                + text
                + "\"");
  }

  @Test
  void permitsExactlyItsShare() {
    assertThat(Allowance.USUAL.permits(new Share(1, 1_000))).isTrue();
    assertThat(Allowance.USUAL.permits(new Share(1, 999))).isFalse();
    assertThat(new Allowance(0).permits(new Share(0, 5))).isTrue();
    assertThat(new Allowance(0).permits(new Share(1, Integer.MAX_VALUE))).isFalse();
  }

  @Test
  void holdsItsBounds() {
    assertThatThrownBy(() -> new Allowance(1_000_001))
        .hasMessage("perMillion must be between 0 and 1000000, got 1000001");
    assertThatThrownBy(() -> new Share(3, 2)).hasMessage("part must be between 0 and 2, got 3");
  }
}
