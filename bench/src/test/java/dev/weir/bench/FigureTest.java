package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {

  @Test
  void showsTheMiddleRoundAndTheSpread() {
    assertThat(new Figure(List.of(30.0, 10.0, 20.06)).show(1)).isEqualTo("20.1 (10.0..30.0)");
  }

  @Test
  void takesTheMeanOfTheTwoMiddleRounds() {
    assertThat(new Figure(List.of(4.0, 1.0, 2.0, 9.0)).median()).isEqualTo(3.0);
  }

  @Test
  void comparesRoundByRound() {
    Figure one = new Figure(List.of(62.0, 40.0, 55.0));
    Figure other = new Figure(List.of(31.0, 40.0, 50.0));

    assertThat(one.ratioTo(other).rounds()).containsExactly(2.0, 1.0, 1.1);
    assertThat(one.minus(other).rounds()).containsExactly(31.0, 0.0, 5.0);
  }

  @Test
  void comparesTheRoundsThatBothHave() {
    Figure one = new Figure(List.of(6.0));
    Figure other = new Figure(List.of(3.0, 2.0));

    assertThat(one.ratioTo(other).rounds()).containsExactly(2.0);
    assertThat(one.minus(other).rounds()).containsExactly(3.0);
  }

  @Test
  void wantsAtLeastOneRound() {
    assertThatThrownBy(() -> new Figure(List.of())).hasMessage("rounds must not be empty");
  }
}
