package dev.weir.bench;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs a suite, writes its raw results beside those of earlier runs, and renews the report.
 *
 * <p>Arguments: the suite, the folder for results, the folder for logs, and {@code --quick} for a
 * run that only shows that everything works.
 */
final class Bench {
  /** From where bench/run starts us. */
  private static final Path SPRING_MODULES = Path.of("bench", "spring");

  private final boolean quick;
  private final RunFiles files;
  private final Path log;

  private Bench(boolean quick, RunFiles files, Path log) {
    this.quick = quick;
    this.files = files;
    this.log = log;
  }

  public static void main(String[] args) throws IOException, InterruptedException, RunnerException {
    List<String> arguments = List.of(args);
    RunFiles files = new RunFiles(Path.of(args[1]), Runtime.version().feature());
    Bench bench = new Bench(arguments.contains("--quick"), files, Path.of(args[2]));
    bench.run(args[0]);
    renew(files.folder(), CoreReport.SUITE, "Core: figures", CoreReport::of);
    renew(files.folder(), PolicyReport.SUITE, "Policy: figures", PolicyReport::of);
    renew(files.folder(), RedisReport.SUITE, "Redis: figures", RedisReport::of);
    renew(files.folder(), ServerReport.SUITE, "Service: figures", ServerReport::of);
    renew(files.folder(), ControlReport.SUITE, "Control plane: figures", ControlReport::of);
    renew(files.folder(), SpringReport.SUITE, "Spring: figures", SpringReport::of);
    renew(files.folder(), BacktestReport.SUITE, "Backtest: figures", BacktestReport::of);
  }

  /** Turns the results of one JDK into Markdown. */
  private interface Reporter {
    String of(RunFiles files) throws IOException;
  }

  private void run(String suite) throws IOException, InterruptedException, RunnerException {
    switch (suite) {
      case "core" -> {
        files.write("machine-core", Machine.here());
        files.writeJson(CoreReport.SUITE, new JmhRounds(quick, log).core());
        memory();
        flood();
      }
      case "policy" -> {
        files.write("machine-policy", Machine.here());
        files.writeJson(PolicyReport.SUITE, new JmhRounds(quick, log).policy());
      }
      case "redis" -> {
        files.write("machine-redis", Machine.here());
        files.write(RedisReport.SUITE, RedisRounds.run(quick));
      }
      case "server" -> {
        files.write("machine-server", Machine.here());
        ServerRounds.Pace pace = quick ? ServerRounds.Pace.QUICK : ServerRounds.Pace.FULL;
        files.write(ServerReport.SUITE, ServerRounds.run(pace, log.resolveSibling("server")));
      }
      case "control" -> {
        files.write("machine-control", Machine.here());
        ControlRounds.run(quick, files, log.resolveSibling("control"));
      }
      case "spring" -> {
        files.write("machine-spring", Machine.here());
        SpringRounds.Pace pace = quick ? SpringRounds.Pace.QUICK : SpringRounds.Pace.FULL;
        SpringRounds.run(pace, SPRING_MODULES, files, log.resolveSibling("spring"));
      }
      case "backtest" -> {
        files.write("machine-backtest", Machine.here());
        BacktestRounds.run(quick, files, log.resolveSibling("backtest"));
      }
      case "memory" -> memory();
      case "flood" -> flood();
      case "report" -> System.err.println("nothing is measured; the report is renewed");
      default ->
          throw new IllegalArgumentException(
              "suite must be core, policy, redis, server, control, spring, backtest, memory, flood"
                  + " or report, got "
                  + suite);
    }
  }

  private void memory() throws IOException, InterruptedException {
    List<MemoryPerKey.Result> results = new ArrayList<>();
    for (long keys : quick ? new long[] {100_000} : new long[] {1_000_000, 5_000_000}) {
      for (KeyedContender contender : KeyedContender.values()) {
        System.err.printf("memory of %,d keys: %s%n", keys, contender.title);
        String json = ChildJvm.run(List.of("-Xmx6g"), MemoryPerKey.class, contender, keys);
        results.add(new Gson().fromJson(json, MemoryPerKey.Result.class));
      }
    }
    files.write("memory", results);
  }

  private void flood() throws IOException, InterruptedException {
    long keys = quick ? 2_000_000 : 100_000_000;
    List<KeyFlood.Result> results = new ArrayList<>();
    for (KeyFlood.Kind kind : KeyFlood.Kind.values()) {
      System.err.printf("flood of %,d keys under %s%n", keys, kind.limit);
      String json = ChildJvm.run(List.of("-Xms512m", "-Xmx512m"), KeyFlood.class, kind, keys);
      results.add(new Gson().fromJson(json, KeyFlood.Result.class));
    }
    files.write("flood", results);
  }

  /** Writes the report of a suite anew, and prints it; all JDKs whose results are there. */
  private static void renew(Path folder, String suite, String title, Reporter reporter)
      throws IOException {
    List<RunFiles> jdks = RunFiles.all(folder, suite);
    if (jdks.isEmpty()) {
      return;
    }
    StringBuilder report =
        new StringBuilder("# " + title + "\n\n")
            .append("Written by `bench/run`; [how to read and repeat them](README.md).\n\n");
    for (RunFiles files : jdks) {
      report.append(reporter.of(files));
    }
    String text = report.toString().stripTrailing() + "\n";
    Files.writeString(folder.resolve(suite + ".md"), text);
    System.out.print(text);
  }
}
