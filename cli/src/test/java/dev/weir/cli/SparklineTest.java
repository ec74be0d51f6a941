package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SparklineTest {

  @Test
  void theMostIsFullAndNothingIsBlank() {
    assertThat(Sparkline.of(new long[] {0, 1, 50, 100}, 10, true)).isEqualTo(" ▁▄█");
    assertThat(Sparkline.of(new long[] {0, 1, 50, 100}, 10, false)).isEqualTo(" _-#");
  }

  @Test
  void theNewestAreShownWhereThereIsNoRoomForAll() {
    assertThat(Sparkline.of(new long[] {9, 9, 0, 1}, 2, true)).isEqualTo(" █");
    assertThat(Sparkline.of(new long[] {9, 9}, 0, true)).isEmpty();
  }

  @Test
  void ofNothingAtAllNothingIsDrawn() {
    assertThat(Sparkline.of(new long[] {0, 0, 0}, 5, true)).isEqualTo("   ");
    assertThat(Sparkline.of(new long[] {}, 5, true)).isEmpty();
  }

  @Test
  void largeCountsDoNotOverflow() {
    assertThat(Sparkline.of(new long[] {Long.MAX_VALUE, 1, Long.MAX_VALUE}, 5, true))
        .isEqualTo("█▁█");
  }
}
