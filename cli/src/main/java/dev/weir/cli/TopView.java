package dev.weir.cli;

import dev.weir.cli.Terminal.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Draws {@link TopFigures} for a terminal. Nothing that clients have chosen can steer it. */
final class TopView {
  /** Columns left of the bars. */
  private static final int MARGIN = 32;

  private static final int LEAST_SECONDS = 10;
  private static final int MOST_SECONDS = 300;
  private static final int ROWS_WITHOUT_END = 10;
  private static final int TABLES = 3;

  private final Terminal terminal;
  private final int seconds;

  TopView(Terminal terminal) {
    this.terminal = terminal;
    this.seconds = seconds(terminal);
  }

  /** How many seconds there is room for. */
  static int seconds(Terminal terminal) {
    return Math.max(LEAST_SECONDS, Math.min(MOST_SECONDS, terminal.columns() - MARGIN));
  }

  /**
   * The lines; on a screen no more than it has.
   *
   * @param source where the figures are from
   */
  List<String> lines(TopFigures figures, String source) {
    List<String> lines = new ArrayList<>();
    lines.add(head(figures, source));
    figures.problems().forEach(problem -> lines.add(terminal.paint(Color.WARNING, "  " + problem)));
    lines.add("");
    lines.addAll(series(figures));
    int rows = ROWS_WITHOUT_END;
    if (terminal.isScreen()) {
      // Each table has a line above it and one with names.
      rows = Math.max(1, (terminal.rows() - lines.size() - 2 * TABLES) / TABLES);
    }
    for (FigureTable table : List.of(endpoints(figures), clients(figures), rules(figures))) {
      lines.add("");
      lines.addAll(table.lines(terminal, rows));
    }
    return lines;
  }

  private String head(TopFigures figures, String source) {
    String state = figures.now("state");
    Color color =
        switch (state) {
          case "ready" -> Color.ALLOWED;
          case "degraded" -> Color.WARNING;
          default -> Color.REFUSED;
        };
    return terminal.paint(Color.STRONG, source)
        + "  "
        + terminal.paint(color, state)
        + "  counters "
        + figures.now("backend")
        + "  keys "
        + figures.now("active_keys")
        + "  policy "
        + figures.now("policy");
  }

  private List<String> series(TopFigures figures) {
    List<String> lines = new ArrayList<>();
    lines.add(
        terminal.paint(
            Color.FAINT, "  %-10s %8s %8s  last %d s".formatted("", "now", "mean", seconds)));
    for (Outcomes outcome : Outcomes.values()) {
      long[] values = figures.column(outcome.name);
      lines.add(line(outcome.name + "/s", values, Long::toString, outcome.color));
    }
    for (String name : List.of("p50", "p99")) {
      long[] micros = figures.column(name + "_micros");
      lines.add(line(name, micros, TopView::time, Color.REMAINING));
    }
    long[] degraded = Sparkline.last(figures.column("degraded"), seconds);
    String now = degraded.length > 0 && degraded[degraded.length - 1] > 0 ? "yes" : "no";
    String sum = Arrays.stream(degraded).sum() + " s";
    lines.add(line("degraded", now, sum, degraded, Color.WARNING));
    return lines;
  }

  /** The decisions, in the order in which they are shown. */
  private enum Outcomes {
    ALLOWED("allowed", Color.ALLOWED),
    THROTTLED("throttled", Color.REFUSED),
    BLOCKED("blocked", Color.BLOCKED);

    final String name;
    final Color color;

    Outcomes(String name, Color color) {
      this.name = name;
      this.color = color;
    }
  }

  /** The mean is that of the seconds shown; of times, that of seconds in which there was one. */
  private String line(String name, long[] all, LongFunction<String> text, Color color) {
    long[] values = Sparkline.last(all, seconds);
    boolean isTime = !name.endsWith("/s");
    double mean = Arrays.stream(values).filter(value -> !isTime || value > 0).average().orElse(0);
    String now = values.length == 0 ? PlainText.NOTHING : text.apply(values[values.length - 1]);
    return line(
        name,
        now,
        isTime ? text.apply(Math.round(mean)) : String.format(Locale.ROOT, "%.1f", mean),
        values,
        color);
  }

  private String line(String name, String now, String mean, long[] values, Color color) {
    String bars = Sparkline.of(values, seconds, terminal.unicode());
    return ("  %-11s%8s %8s  ".formatted(name, now, mean) + terminal.paint(color, bars))
        .stripTrailing();
  }

  private static String time(long micros) {
    if (micros == 0) {
      return PlainText.NOTHING;
    }
    return micros < 10_000 ? micros + "us" : micros / 1_000 + "ms";
  }

  private static FigureTable endpoints(TopFigures figures) {
    FigureTable table = new FigureTable("busiest endpoints", "allowed", "throttled", "blocked");
    fill(table, figures.stats(), "endpoints", "endpoint", "allowed", "throttled", "blocked");
    return table;
  }

  private static FigureTable clients(TopFigures figures) {
    FigureTable table = new FigureTable("most refused clients", "refused");
    fill(table, figures.stats(), "refused_clients", "client", "refused");
    return table;
  }

  private static FigureTable rules(TopFigures figures) {
    FigureTable table = new FigureTable("rules", "matched", "throttled", "shadow refused");
    ToLongFunction<Json.Members> refused =
        row -> row.number("throttled") + row.number("shadow_refused");
    TopFigures.rows(figures.rules(), "rules").stream()
        .sorted((one, other) -> Long.compare(refused.applyAsLong(other), refused.applyAsLong(one)))
        .forEach(row -> table.add(cells(row, "rule", "matched", "throttled", "shadow_refused")));
    return table;
  }

  private static void fill(FigureTable table, AdminAnswer answer, String list, String... members) {
    TopFigures.rows(answer, list).forEach(row -> table.add(cells(row, members)));
  }

  private static List<String> cells(Json.Members row, String... members) {
    return Stream.of(members).map(member -> PlainText.of(row.get(member))).toList();
  }
}
