package dev.weir.bench;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Replays a short and a long log in turn, each in a JVM of its own on one core, in one heap. */
final class BacktestRounds {
  /** The same for both logs. */
  static final String HEAP = "-Xmx192m";

  private static final Path LARGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

  private BacktestRounds() {}

  /** Runs all rounds; the logs are removed at the end. */
  static void run(boolean quick, RunFiles files, Path folder)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path policy = Files.writeString(folder.resolve("policy.toml"), BacktestLog.policy());
    long[] sizes = quick ? new long[] {20_000, 200_000} : new long[] {1_000_000, 20_000_000};
    List<BacktestRun> runs = new ArrayList<>();
    Path log = folder.resolve("access.log");
    try {
      for (long lines : sizes) {
        System.err.printf("writing a log of %,d lines%n", lines);
        BacktestLog.write(log, lines);
        for (int round = 1; round <= (quick ? 1 : 3); round++) {
          for (BacktestRun.Part part : BacktestRun.Part.values()) {
            System.err.printf("round %d: %,d lines, %s%n", round, lines, part.title);
            runs.add(replay(policy, log, part));
            files.write(BacktestReport.SUITE, runs);
          }
        }
      }
    } finally {
      Files.deleteIfExists(log);
    }
  }

  private static BacktestRun replay(Path policy, Path log, BacktestRun.Part part)
      throws IOException, InterruptedException {
    ProcessBuilder child = ChildJvm.command(options(), BacktestLoad.class, policy, log, part);
    child.command().addAll(0, oneCore());
    Process process = child.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("the replay ended with status " + process.exitValue());
    }
    return new Gson().fromJson(printed, BacktestRun.class);
  }

  /** As in {@code weir backtest}, but for the heap. */
  private static List<String> options() throws IOException {
    List<String> options = new ArrayList<>(List.of(HEAP, "-XX:+UseSerialGC"));
    if (Files.isReadable(LARGE_PAGES) && !Files.readString(LARGE_PAGES).contains("[never]")) {
      options.add("-XX:+UseTransparentHugePages");
    }
    return options;
  }

  /** Elsewhere the JVM's own threads have other cores; what replays is one thread anyway. */
  private static List<String> oneCore() {
    Path taskset = Path.of("/usr/bin/taskset");
    return Files.isExecutable(taskset) ? List.of(taskset.toString(), "-c", "0") : List.of();
  }
}
