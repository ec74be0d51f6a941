package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Outcome.Slice;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BarChartTest {

  private static final Terminal PLAIN = new Terminal(40, false, true);

  @Test
  void stacksRefusedOnAllowed() {
    Outcome outcome =
        outcome(
            new Slice(0, 3, 0, 8),
            new Slice(1_000_000, 2, 1, 4),
            new Slice(2_000_000, 0, 2, 0),
            new Slice(3_000_000, 0, 0, 1));
    assertThat(new BarChart(outcome, PLAIN).lines(8))
        .containsExactly(
            "     3 ┤████▒▒▒▒",
            "       │████▒▒▒▒",
            "       │████▒▒▒▒",
            "       │████▒▒▒▒",
            "     2 ┤████████▒▒▒▒",
            "       │████████▒▒▒▒",
            "       │████████▒▒▒▒",
            "       │████████▒▒▒▒",
            "     1 ┤████████▒▒▒▒",
            "       │████████▒▒▒▒",
            "       │████████▒▒▒▒",
            "       │████████▒▒▒▒",
            "     0 └┬───────────────",
            "        0s",
            "  left  ████▄▄▄▄····▁▁▁▁ of 8");
  }

  @Test
  void drawsPartsOfARowAndKeepsSmallPartsInSight() {
    Outcome outcome =
        outcome(
            new Slice(0, 120, 0, 0),
            new Slice(1_000_000, 35, 0, 0),
            new Slice(2_000_000, 1, 0, 0),
            new Slice(3_000_000, 1, 50, 0),
            new Slice(4_000_000, 50, 1, 0),
            new Slice(5_000_000, 0, 1, 0));
    assertThat(new BarChart(outcome, new Terminal(15, false, true)).lines(10))
        .containsExactly(
            "   120 ┤█",
            "       │█",
            "   100 ┤█",
            "       │█",
            "    80 ┤█",
            "       │█",
            "    60 ┤█   ▒",
            "       │█  ▒█",
            "    40 ┤█▄ ▒█",
            "       │██ ▒█",
            "    20 ┤██ ▒█",
            "       │██▁▁█▒",
            "     0 └┬─────",
            "        0s",
            "  left  ······");
  }

  @Test
  void drawsInAscii() {
    Outcome outcome = outcome(new Slice(0, 1, 0, 8), new Slice(1_000_000, 0, 1, 0));
    assertThat(new BarChart(outcome, new Terminal(11, false, false)).lines(8))
        .containsExactly(
            "     1 +#x",
            "       |#x",
            "       |#x",
            "       |#x",
            "     0 ++-",
            "        0s",
            "  left  @_");
  }

  @Test
  void paintsWhereColoursAreTaken() {
    Outcome outcome = outcome(new Slice(0, 1, 0, 8), new Slice(1_000_000, 0, 1, 0));
    assertThat(new BarChart(outcome, new Terminal(11, true, true)).lines(8).get(0))
        .isEqualTo("\u001b[2m     1 ┤\u001b[0m\u001b[32m█\u001b[0m\u001b[31m▒\u001b[0m");
  }

  private static Outcome outcome(Slice... slices) {
    List<Slice> timeline = List.of(slices);
    return new Outcome(
        timeline.stream().mapToLong(Slice::allowed).sum(),
        timeline.stream().mapToLong(Slice::refused).sum(),
        Optional.empty(),
        1_000_000,
        timeline);
  }
}
