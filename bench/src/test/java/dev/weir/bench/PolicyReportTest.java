package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyReportTest {

  /** JMH's JSON of one benchmark with one round. */
  private static String entry(
      String benchmark, String params, int threads, double time, double bytes) {
    return """
        {"benchmark": "dev.weir.bench.%s", "threads": %d, %s
         "primaryMetric": {"rawData": [[%s]]},
         "secondaryMetrics": {"gc.alloc.rate.norm": {"rawData": [[%s]]}}}
        """
        .formatted(
            benchmark,
            threads,
            params.isEmpty() ? "" : "\"params\": {" + params + "},",
            time,
            bytes);
  }

  /** A check takes {@code factor} times as long as the bare counting. */
  private static String results(double factor, double bytes, double compileMillis) {
    List<String> entries = new ArrayList<>();
    for (int rules : new int[] {10, 100, 10_000}) {
      double time = rules == 10_000 ? 100 * factor : 100;
      entries.add(entry("MatchBenchmark.match", "\"rules\": \"" + rules + "\"", 1, time, 0));
    }
    for (int threads = 1; threads <= 2; threads++) {
      for (int users : new int[] {1_000, 1_000_000}) {
        for (int limits : new int[] {1, 3}) {
          String params = "\"limits\": \"%d\", \"users\": \"%d\"".formatted(limits, users);
          entries.add(entry("GateBenchmark.check", params, threads, 200 * factor, bytes));
          entries.add(entry("GateBenchmark.bareAcquire", params, threads, 200, 232));
        }
      }
    }
    entries.add(entry("CompileBenchmark.compile", "", 1, compileMillis, 1));
    entries.add(entry("CompileBenchmark.read", "", 1, 1_234, 1));
    return "[" + String.join(",", entries) + "]";
  }

  @Test
  void holdsMatchingChecksAndCompilingToTheirTargets() {
    assertThat(PolicyReport.targets(JmhResults.parse(results(2.5, 264, 400))))
        .hasSize(10)
        .allMatch(Target::met)
        .extracting(Target::what, Target::measured, Target::wanted)
        .contains(
            tuple("matching with 10,000 rules / with 10", "2.50 (2.50..2.50)", "at most 3"),
            tuple(
                "Gate.check / bare acquire, 1,000,000 users, 2 threads",
                "2.50 (2.50..2.50)",
                "at most 3"),
            tuple("compiling 10,000 rules, ms", "400.00 (400.00..400.00)", "at most 500"));
  }

  @Test
  void noticesWhatIsTooSlowOrTooMuch() {
    assertThat(PolicyReport.targets(JmhResults.parse(results(3.1, 301, 501))))
        .hasSize(10)
        .noneMatch(Target::met);
  }

  @Test
  void writesEveryFigureDown(@TempDir Path folder) throws IOException {
    RunFiles files = new RunFiles(folder, 17);
    files.writeJson(PolicyReport.SUITE, results(2, 264, 400));

    assertThat(PolicyReport.of(files).replaceAll(" +", " "))
        .contains("| 10,000 | 200 (200..200) | 2.00 (2.00..2.00) | 0 |")
        .contains(
            "| 3 limits | 1,000 | 400 (400..400) | 200 (200..200) | 2.00 (2.00..2.00) | 264 |")
        .contains("| read a weir.toml | 1234 (1234..1234) |");
    assertThat(RunFiles.all(folder, PolicyReport.SUITE)).containsExactly(files);
    assertThat(RunFiles.all(folder, CoreReport.SUITE)).isEmpty();
  }
}
