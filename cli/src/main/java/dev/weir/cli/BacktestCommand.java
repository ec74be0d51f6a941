package dev.weir.cli;

import dev.weir.backtest.Backtest;
import dev.weir.backtest.BacktestReport;
import dev.weir.backtest.FieldMapping;
import dev.weir.backtest.LogFiles;
import dev.weir.backtest.LogFormat;
import dev.weir.backtest.LogOptions;
import dev.weir.backtest.LoggedRequest;
import dev.weir.backtest.RequestLog;
import dev.weir.backtest.html.BacktestPage;
import dev.weir.backtest.suggest.Allowance;
import dev.weir.backtest.suggest.Suggester;
import dev.weir.backtest.suggest.Suggestions;
import dev.weir.policy.GateListener;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir backtest}: replays logs through a policy and says what it would change. */
@Command(
    name = "backtest",
    sortOptions = false,
    description = "Replay access logs through a policy and say what it would refuse.",
    footer = {
      "",
      "A log is a file, packed by gzip or not, a folder of the archive, or - for standard input.",
      "For example:",
      "  weir backtest --policy new.toml access.log access.log.1.gz",
      "  weir backtest --policy new.toml --against weir.toml events.log",
      "  weir backtest --policy new.toml --field time=at --field path=req.url app.json",
      "  weir backtest --policy new.toml --suggest --html report.html access.log"
    })
final class BacktestCommand implements Callable<Integer> {
  private static final int MOST_TOP = 1_000;

  @Parameters(arity = "1..*", paramLabel = "<log>", description = "The logs; merged by time.")
  private List<String> logs = List.of();

  @Option(
      names = "--policy",
      required = true,
      paramLabel = "<file>",
      description = "The policy to try.")
  private Path policyFile = Path.of("weir.toml");

  @Option(
      names = "--against",
      paramLabel = "<file>",
      description = "The policy to compare it with; default: what the log says was decided.")
  private @Nullable Path againstFile;

  @Option(
      names = "--format",
      paramLabel = "<format>",
      description =
          "common, combined, nginx, caddy, json, weir or parquet; default: as each log looks.")
  private @Nullable String formatText;

  @Option(
      names = "--field",
      paramLabel = "<field>=<name>",
      description =
          "Where JSON has time, path, method, ip, user, key, tier, cost, status or request;"
              + " may be given several times.")
  private Map<String, String> fields = Map.of();

  @Option(
      names = "--refused-status",
      paramLabel = "<status>",
      split = ",",
      description = "The status of refusals in an access log, for example 429; default: none.")
  private List<String> refusedStatuses = List.of();

  @Option(
      names = "--reorder",
      paramLabel = "<duration>",
      description = "How far out of order lines are sorted; default: 5s.")
  private @Nullable String reorderText;

  @Option(names = "--from", paramLabel = "<time>", description = "Leave out what is earlier.")
  private @Nullable String fromText;

  @Option(names = "--to", paramLabel = "<time>", description = "Leave out this and what is later.")
  private @Nullable String toText;

  @Option(names = "--strict", description = "End with the first line that cannot be read.")
  private boolean isStrict;

  @Option(
      names = "--top",
      paramLabel = "<n>",
      description = "How many clients, rules and endpoints to list; default: 10.")
  private @Nullable String topText;

  @Option(names = "--json", description = "Print one JSON object instead.")
  private boolean isJson;

  @Option(
      names = "--html",
      paramLabel = "<file>",
      description = "Write the report as one page for a browser, too.")
  private @Nullable Path htmlFile;

  @Option(
      names = "--suggest",
      arity = "0..1",
      paramLabel = "<percent>",
      preprocessor = OptionalPercentage.class,
      description =
          "Suggest limits that refuse at most that share of requests, or of clients; default: 0.1.")
  private @Nullable String suggestText;

  @Option(names = "--no-progress", description = "Show no progress.")
  private boolean isQuiet;

  private final Terminal terminal;
  private final Shell shell;

  BacktestCommand(Terminal terminal, Shell shell) {
    this.terminal = terminal;
    this.shell = shell;
  }

  @Override
  public Integer call() {
    int top = top();
    Config config = config(policyFile);
    Suggester suggester = suggestText == null ? null : new Suggester(allowance(suggestText));
    GateListener[] told = suggester == null ? new GateListener[0] : new GateListener[] {suggester};
    Backtest backtest =
        againstFile == null
            ? Backtest.of(config, top, told)
            : Backtest.of(config, config(againstFile), top, told);
    BacktestReport report = run(backtest, options(config));
    print(report, suggester == null ? null : suggester.suggestions(), top);
    return 0;
  }

  private static Allowance allowance(String text) {
    return text.equals(OptionalPercentage.USUAL)
        ? Allowance.USUAL
        : InputException.readOption("--suggest", text, Allowance::parse);
  }

  private void print(BacktestReport report, @Nullable Suggestions suggestions, int top) {
    if (htmlFile != null) {
      OutputFile.write(htmlFile, BacktestPage.of(report, suggestions));
    }
    if (isJson) {
      shell.data().println(suggestions == null ? report.toJson() : report.toJson(suggestions));
      return;
    }
    new BacktestText(report, terminal, top).lines().forEach(shell.out()::println);
    if (suggestions != null) {
      new SuggestionsText(suggestions, terminal, top).lines().forEach(shell.out()::println);
    }
    if (htmlFile != null) {
      shell.out().println();
      shell.out().println("the page is in " + PlainText.of(htmlFile.toString()));
    }
  }

  private BacktestReport run(Backtest backtest, LogOptions options) {
    try (RequestLog log = LogFiles.open(logs, System.in, options);
        Progress progress = progress(log)) {
      for (LoggedRequest next = log.next(); next != null; next = log.next()) {
        backtest.accept(next);
        progress.tick();
      }
      return backtest.report(log.counts());
    } catch (IOException unreadable) {
      throw new InputException(String.valueOf(unreadable.getMessage()));
    }
  }

  private Progress progress(RequestLog log) {
    return isQuiet ? Progress.none() : Progress.of(log, terminal, shell.err());
  }

  private static Config config(Path file) {
    try {
      return ConfigReader.read(file, Map.of());
    } catch (ConfigException wrong) {
      throw new MistakesException(wrong.mistakes());
    }
  }

  private int top() {
    return topText == null
        ? Backtest.USUAL_TOP
        : InputException.readOption(
            "--top", topText, text -> (int) Numbers.parse(text, 1, MOST_TOP));
  }

  private LogOptions options(Config config) {
    LogOptions options =
        LogOptions.usual(config.client().ipv6Prefix())
            .withFields(InputException.readOption("--field", "", any -> FieldMapping.parse(fields)))
            .withRefusedStatuses(statuses());
    if (formatText != null) {
      options =
          options.withFormat(InputException.readOption("--format", formatText, LogFormat::parse));
    }
    if (reorderText != null) {
      LogOptions before = options;
      options =
          InputException.readOption(
              "--reorder", reorderText, text -> before.withReorder(duration(text)));
    }
    Instant from =
        fromText == null
            ? options.from()
            : InputException.readOption("--from", fromText, Moment::parse);
    Instant to =
        toText == null ? options.to() : InputException.readOption("--to", toText, Moment::parse);
    if (!from.isBefore(to)) {
      throw new InputException("--from must be before --to, got %s and %s".formatted(from, to));
    }
    options = options.between(from, to);
    return isStrict ? options.strict() : options;
  }

  private static Duration duration(String text) {
    return Duration.ofNanos(TimeText.parseMicros(text) * 1_000);
  }

  private Set<Integer> statuses() {
    return refusedStatuses.stream()
        .map(
            text ->
                InputException.readOption(
                    "--refused-status", text, each -> (int) Numbers.parse(each, 100, 599)))
        .collect(Collectors.toSet());
  }
}
