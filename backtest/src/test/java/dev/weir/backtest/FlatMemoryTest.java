package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import dev.weir.testkit.TestLevel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A log that is ten times as long needs no more memory. */
class FlatMemoryTest {
  private static final String HEAP = "-Xmx64m";
  private static final String POLICY =
      """
      [counters]
      max_keys = %d
      [default]
      limit = 100
      window = "10s"
      """;

  @Test
  void aLongLogFitsIntoTheHeapOfAShortOne() throws IOException, InterruptedException {
    long lines = TestLevel.amount("weir.backtest.lines", 400_000L, 20_000_000L);
    // A quarter of the lines is of new clients: already the short log fills the table.
    long maxKeys = Math.min(50_000, lines / 40);
    long shortKilobytes = kilobytesAfter(lines / 10, maxKeys);
    long longKilobytes = kilobytesAfter(lines, maxKeys);
    assertThat(longKilobytes - shortKilobytes)
        .as("%d kB, then %d kB", shortKilobytes, longKilobytes)
        .isLessThan(4_000);
  }

  private static long kilobytesAfter(long lines, long maxKeys)
      throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                Long.toString(lines),
                Long.toString(maxKeys))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as("exit status over %d lines", lines).isZero();
    return Long.parseLong(printed.strip());
  }

  /** Replays a log that it makes, and prints the heap that is in use at its end. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      long lines = Long.parseLong(args[0]);
      String policy = POLICY.formatted(Long.parseLong(args[1]));
      Config config = ConfigReader.parse(policy, "test.toml", Map.of());
      Backtest backtest = Backtest.of(config, config, 10);
      try (RequestLog log =
          LogFiles.open(List.of("-"), new GeneratedLog(lines), LogOptions.usual(64))) {
        for (LoggedRequest next = log.next(); next != null; next = log.next()) {
          backtest.accept(next);
        }
        BacktestReport report = backtest.report(log.counts());
        if (report.totals().after().requests() != lines) {
          throw new AssertionError("requests must be " + lines + ", got " + report.totals());
        }
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        System.out.println((runtime.totalMemory() - runtime.freeMemory()) / 1_000);
        // Reachable until here, so that it counts.
        backtest.report(log.counts());
      }
    }
  }
}
