package dev.weir.conformance;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = "Send random requests instead, and write a table with the responses.")
  private @Nullable Path record;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of what is recorded; default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Option(
      names = "--cases",
      paramLabel = "N",
      description = "How many cases to record; default: ${DEFAULT-VALUE}.")
  private int recordedCases = 12;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "How many requests each case has; default: ${DEFAULT-VALUE}.")
  private int recordedRequests = 50;

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
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (record != null) {
      Files.writeString(record, recording().record("random requests with recorded responses"));
      out.printf("%d requests recorded%n", recordedCases * recordedRequests);
      return 0;
    }
    Suite suite = Suite.read(table);
    if (isListing) {
      suite.profiles().forEach((name, count) -> out.printf("%4d  %s%n", count, name));
      return 0;
    }
    Run run = target().only(only).settle(Duration.ofSeconds(settleSeconds)).listener(out::println);
    without.forEach(run::without);
    if (stats != null) {
      run.stats(Stats.prometheus(stats));
    }
    Report report = suite.run(run);
    out.println(report.summary());
    return report.failures().isEmpty() ? 0 : 1;
  }

  private Run target() {
    if (target == null || configDir == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--target and --config-dir are needed");
    }
    return Run.on(target, configDir)
        .profile(profile)
        .clock(clock.equals(REAL) ? Clock.real() : Clock.file(Path.of(clock)));
  }

  private Recording recording() {
    if (clock.equals(REAL)) {
      throw new CommandLine.ParameterException(spec.commandLine(), "--record needs --clock FILE");
    }
    return new Recording(
        target(), new RandomCases(seed, profile).cases(recordedCases, recordedRequests));
  }
}
