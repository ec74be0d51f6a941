package dev.weir.conformance;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command that runs the suite on a server. Exit codes: 0 all that were tried passed, 1 one
 * failed or the server cannot be reached, 2 wrong usage.
 */
@Command(
    name = "conformance/run",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = "Drive an Envoy rate limit service through a table of cases.")
public final class Conformance implements Callable<Integer> {
  private static final String REAL = "real";

  @Option(names = "--target", paramLabel = "HOST:PORT", description = "Where its gRPC listens.")
  private @Nullable String target;

  @Option(
      names = "--config-dir",
      paramLabel = "DIR",
      description = "The folder from which it reads its configuration; files are written there.")
  private @Nullable Path configDir;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "The settings it runs with, such as shadow_mode; default: ${DEFAULT-VALUE}.")
  private String profile = Case.DEFAULT_PROFILE;

  @Option(
      names = "--clock",
      paramLabel = "real|FILE",
      description = "The file in which it finds the time; real: it has this machine's clock.")
  private String clock = REAL;

  @Option(
      names = "--only",
      paramLabel = "PATTERN",
      description = "Only cases of such names, or themes and names; * stands for anything.")
  private String only = "*";

  @Option(
      names = "--without",
      paramLabel = "FEATURE",
      split = ",",
      description = "Skip cases that need this, such as negative_hits.")
  private List<String> without = List.of();

  @Option(
      names = "--stats",
      paramLabel = "URL",
      description = "Where it shows its counters, in Prometheus' text form.")
  private @Nullable URI stats;

  @Option(
      names = "--settle",
      paramLabel = "SECONDS",
      description = "How long to wait before wrong files count as rejected.")
  private int settleSeconds = 2;

  @Option(
      names = "--table",
      paramLabel = "DIR",
      description = "The folder of the table; default: ${DEFAULT-VALUE}.")
  private Path table = Path.of("docs/conformance/envoy-rls");

  @Option(names = "--profiles", description = "List the profiles with their number of cases.")
  private boolean isListing;

  @Spec private CommandSpec spec = CommandSpec.create();

  private Conformance() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, args));
  }

  static int run(PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(new Conformance())
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler(
            (problem, line, result) -> {
              err.println("conformance: " + problem.getMessage());
              return 1;
            })
        .execute(args);
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Suite suite = Suite.read(table);
    if (isListing) {
      suite.profiles().forEach((name, count) -> out.printf("%4d  %s%n", count, name));
      return 0;
    }
    if (target == null || configDir == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--target and --config-dir are needed");
    }
    Run run =
        Run.on(target, configDir)
            .profile(profile)
            .clock(clock.equals(REAL) ? Clock.real() : Clock.file(Path.of(clock)))
            .only(only)
            .settle(Duration.ofSeconds(settleSeconds))
            .listener(out::println);
    without.forEach(run::without);
    if (stats != null) {
      run.stats(Stats.prometheus(stats));
    }
    Report report = suite.run(run);
    out.println(report.summary());
    return report.failures().isEmpty() ? 0 : 1;
  }
}
