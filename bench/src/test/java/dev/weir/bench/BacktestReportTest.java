package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.BacktestRun.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BacktestReportTest {

  @Test
  void comparesLogsOfBothLengths() {
    List<Target> targets =
        BacktestReport.targets(
            List.of(
                new BacktestRun(Part.READ, 20_000_000, 0, 1.0, 1.0, 1.0),
                new BacktestRun(Part.REPLAY, 1_000_000, 10, 2.0, 3.0, 40.0),
                new BacktestRun(Part.REPLAY, 1_000_000, 10, 2.0, 3.0, 50.0),
                new BacktestRun(Part.REPLAY, 20_000_000, 10, 20.0, 21.0, 42.0),
                new BacktestRun(Part.REPLAY, 20_000_000, 10, 50.0, 51.0, 60.0)));

    assertThat(targets)
        .containsExactly(
            new Target(
                "lines a second, log of 20,000,000 lines",
                "700000.00 (400000.00..1000000.00)",
                "at least 500000",
                true),
            new Target(
                "heap at the end, 20,000,000 lines / 1,000,000 lines",
                "1.13 (1.05..1.20)",
                "at most 1.1",
                false));
  }

  @Test
  void writesEveryFigureDown(@TempDir Path folder) throws IOException {
    RunFiles files = new RunFiles(folder, 17);
    files.write(
        BacktestReport.SUITE,
        List.of(
            new BacktestRun(Part.READ, 2_000_000, 0, 1.0, 1.2, 1.0),
            new BacktestRun(Part.REPLAY, 2_000_000, 30, 4.0, 4.2, 40.0)));

    assertThat(BacktestReport.of(files).replaceAll(" +", " "))
        .contains("| read, decided and added up | 2,000,000 | 30 | 4.0 | 4.2 | 500,000 | 40.0 |")
        .contains("| read only | 2000000 (2000000..2000000) | 0.60 (0.60..0.60) |");
  }

  @Test
  void theLogHasTheFormatAndThePolicyTheRules() {
    assertThat(BacktestLog.policy().split("\\[\\[rule]]", -1)).hasSize(BacktestLog.RULES + 1);
  }
}
