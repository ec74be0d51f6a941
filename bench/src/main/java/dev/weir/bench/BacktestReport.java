package dev.weir.bench;

import dev.weir.bench.BacktestRun.Part;
import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Turns the results about backtests into Markdown: the targets first, then all figures. */
final class BacktestReport {
  static final String SUITE = "backtest";

  private static final double WANTED_LINES = 500_000;
  private static final double WANTED_GROWTH = 1.1;

  private final List<BacktestRun> runs;

  private BacktestReport(List<BacktestRun> runs) {
    this.runs = runs;
  }

  static String of(RunFiles files) throws IOException {
    BacktestReport report = new BacktestReport(files.backtest());
    Page page = Page.of(files, SUITE);
    page.add(
        "Combined format, %d rules, 200,000 clients by Zipf's law, one core, `%s`"
            .formatted(BacktestLog.RULES, BacktestRounds.HEAP));
    page.targets(report.targets());
    page.add("### One by one");
    page.add(report.table());
    page.add("### All together");
    page.add(report.rates());
    return page.toString();
  }

  static List<Target> targets(List<BacktestRun> runs) {
    return new BacktestReport(runs).targets();
  }

  private List<Target> targets() {
    Figure most = figure(Part.REPLAY, longest(), BacktestRun::heapMegabytes);
    Figure least = figure(Part.REPLAY, shortest(), BacktestRun::heapMegabytes);
    return List.of(
        Target.atLeast(
            "lines a second, log of %s lines".formatted(Page.grouped(longest())),
            figure(Part.REPLAY, longest(), BacktestRun::linesPerSecond),
            WANTED_LINES),
        Target.atMost(
            "heap at the end, %s lines / %s lines"
                .formatted(Page.grouped(longest()), Page.grouped(shortest())),
            most.ratioTo(least),
            WANTED_GROWTH));
  }

  private MarkdownTable table() {
    MarkdownTable table =
        new MarkdownTable(
            "each line",
            "lines",
            "refused",
            "seconds",
            "CPU seconds",
            "lines a second",
            "heap at the end, MB");
    for (BacktestRun run : runs) {
      table.row(
          run.part().title,
          Page.grouped(run.lines()),
          Page.grouped(run.refused()),
          Page.decimals(1, run.seconds()),
          Page.decimals(1, run.cpuSeconds()),
          Page.grouped(Math.round(run.linesPerSecond())),
          Page.decimals(1, run.heapMegabytes()));
    }
    return table;
  }

  private MarkdownTable rates() {
    MarkdownTable table = new MarkdownTable("each line", "lines a second", "CPU µs a line");
    for (Part part : Part.values()) {
      table.row(
          part.title,
          figure(part, longest(), BacktestRun::linesPerSecond).show(0),
          figure(part, longest(), BacktestRun::cpuMicros).show(2));
    }
    return table;
  }

  private long longest() {
    return runs.stream().mapToLong(BacktestRun::lines).max().orElseThrow();
  }

  private long shortest() {
    return runs.stream().mapToLong(BacktestRun::lines).min().orElseThrow();
  }

  private Figure figure(Part part, long lines, ToDoubleFunction<BacktestRun> value) {
    return new Figure(
        runs.stream()
            .filter(run -> run.part() == part && run.lines() == lines)
            .map(run -> value.applyAsDouble(run))
            .toList());
  }
}
