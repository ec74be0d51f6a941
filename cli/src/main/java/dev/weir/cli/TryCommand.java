package dev.weir.cli;

import dev.weir.Limit;
import dev.weir.Period;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir try}: replays requests against a limit on a virtual clock and draws what passes. */
@Command(
    name = "try",
    sortOptions = false,
    description = "Replay requests against a limit on a virtual clock and draw what passes.",
    footer = {
      "",
      "A limit is <permits>/<period> [burst <n>] [<algorithm>]. For example:",
      "  weir try \"10/s burst 20\" --rate 25/s --for 5s",
      "  weir try \"100/m sliding_window\" --burst-at 30s=80,90s=80",
      "  weir try \"5/h sliding_log\" --json"
    })
final class TryCommand implements Callable<Integer> {

  private static final int LEAST_WIDTH = 40;
  private static final int MOST_WIDTH = 400;

  @Parameters(
      arity = "1..*",
      paramLabel = "<limit>",
      description = "The limit, for example \"10/s burst 20\".")
  private List<String> limitWords = List.of();

  @Option(
      names = "--rate",
      paramLabel = "<n>/<period>",
      description = "Steady requests, evenly spaced; default: 2.5 times the limit's own rate.")
  private @Nullable String rateText;

  @Option(
      names = "--for",
      paramLabel = "<duration>",
      description = "How long; default: ten of the limit's periods.")
  private @Nullable String lengthText;

  @Option(
      names = "--burst-at",
      paramLabel = "<time>=<n>",
      split = ",",
      description = "That many more at once, for example 2s=50; may be given several times.")
  private List<String> burstTexts = List.of();

  @Option(
      names = "--cost",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "What each request costs; default: 1.")
  private String costText = "1";

  @Option(names = "--json", description = "Print one JSON object instead.")
  private boolean json;

  @Option(names = "--no-color", description = "Draw without colours.")
  private boolean noColor;

  @Option(
      names = "--width",
      paramLabel = "<columns>",
      description = "How wide to draw; default: as the terminal, up to 80.")
  private @Nullable String widthText;

  private final Terminal terminal;
  private final PrintWriter out;

  TryCommand(Terminal terminal, PrintWriter out) {
    this.terminal = terminal;
    this.out = out;
  }

  @Override
  public Integer call() {
    Trial trial = trial();
    int width = width();
    // The counts on the axis are known only afterwards; none is wider than the count of all.
    Outcome outcome =
        trial.run(width - BarChart.MARGIN - BarChart.labelWidth(trial.arrivals().count()));
    if (json) {
      out.println(JsonReport.of(trial, outcome));
      return 0;
    }
    Terminal drawn = terminal.withColumns(width);
    new Report(trial, outcome, noColor ? drawn.withoutColor() : drawn)
        .lines()
        .forEach(out::println);
    return 0;
  }

  private Trial trial() {
    Limit limit = limit();
    ArrivalRate rate =
        rateText == null
            ? defaultRate(limit)
            : InputException.readOption("--rate", rateText, ArrivalRate::parse);
    long lengthMicros =
        lengthText == null
            ? 10 * nominalMicros(limit.period())
            : InputException.readOption("--for", lengthText, TimeText::parseMicros);
    List<Burst> bursts =
        burstTexts.stream()
            .map(text -> InputException.readOption("--burst-at", text, Burst::parse))
            .toList();
    long cost =
        InputException.readOption("--cost", costText, text -> number(text, 1, Limit.MAX_PERMITS));
    return new Trial(limit, new Arrivals(rate, lengthMicros, bursts), cost);
  }

  private Limit limit() {
    try {
      return Limit.parse(String.join(" ", limitWords));
    } catch (IllegalArgumentException wrong) {
      throw new InputException(String.valueOf(wrong.getMessage()));
    }
  }

  /** In JSON the same slices everywhere, unless told otherwise. */
  private int width() {
    if (widthText != null) {
      return (int)
          (long)
              InputException.readOption(
                  "--width", widthText, text -> number(text, LEAST_WIDTH, MOST_WIDTH));
    }
    int columns = json ? Terminal.DEFAULT_COLUMNS : terminal.columns();
    return Math.max(LEAST_WIDTH, Math.min(columns, Terminal.DEFAULT_COLUMNS));
  }

  private static ArrivalRate defaultRate(Limit limit) {
    long count = Slicing.ceilDiv(limit.permits() * 5, 2);
    String period =
        limit.period() instanceof Period.Span span
            ? span.toString()
            : TimeText.format(nominalMicros(limit.period()));
    return new ArrivalRate(count, nominalMicros(limit.period()), period);
  }

  private static long nominalMicros(Period period) {
    if (period instanceof Period.Span span) {
      return span.micros();
    }
    Period.Calendar calendar = (Period.Calendar) period;
    return TimeText.parseMicros(
        switch (calendar.unit()) {
          case DAY -> "1d";
          case WEEK -> "7d";
          case MONTH -> "30d";
        });
  }

  private static long number(String text, long least, long most) {
    if (!text.matches("[0-9]{1,15}")
        || Long.parseLong(text) < least
        || Long.parseLong(text) > most) {
      throw new IllegalArgumentException(
          "must be a number between %d and %d, got \"%s\"".formatted(least, most, text));
    }
    return Long.parseLong(text);
  }
}
