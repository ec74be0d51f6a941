package dev.weir.cli;

import dev.weir.backtest.BacktestReport.Step;
import dev.weir.backtest.BacktestReport.Timeline;
import dev.weir.cli.Terminal.Color;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws a time line from top to bottom: a bar for each step, what passed and what did not. */
final class TimelineChart {
  private static final int MOST_ROWS = 24;
  private static final int LEAST_BAR = 10;
  private static final int MOST_BAR = 50;

  private final Terminal terminal;
  private final List<Row> rows;
  private final long rowMicros;
  private final DateTimeFormatter format;

  /** One or more steps as one. */
  private record Row(long atMicros, long allowed, long refused) {
    long offered() {
      return allowed + refused;
    }
  }

  TimelineChart(Timeline timeline, Terminal terminal) {
    this.terminal = terminal;
    List<Step> steps = timeline.steps();
    int together = Math.max(1, (steps.size() + MOST_ROWS - 1) / MOST_ROWS);
    this.rowMicros = timeline.stepMicros() * together;
    this.rows = rows(steps, together);
    boolean isShort = rowMicros * rows.size() < 86_400_000_000L;
    this.format =
        DateTimeFormatter.ofPattern(isShort ? "HH:mm:ss" : "MM-dd HH:mm", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
  }

  private static List<Row> rows(List<Step> steps, int together) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < steps.size(); i += together) {
      long allowed = 0;
      long refused = 0;
      for (Step step : steps.subList(i, Math.min(steps.size(), i + together))) {
        allowed += step.comparison().after().allowed();
        refused += step.comparison().after().refused();
      }
      rows.add(new Row(steps.get(i).atMicros(), allowed, refused));
    }
    return rows;
  }

  List<String> lines() {
    String full = terminal.unicode() ? "█" : "#";
    String other = terminal.unicode() ? "▒" : "x";
    long most = rows.stream().mapToLong(Row::offered).max().orElse(0);
    int figures = String.format(Locale.ROOT, "%,d", most).length();
    int room = terminal.columns() - 2 * figures - 28;
    int bar = Math.max(LEAST_BAR, Math.min(MOST_BAR, room));
    List<String> lines = new ArrayList<>();
    lines.add(
        terminal.paint(Color.STRONG, "over time")
            + ", each "
            + TimeText.format(rowMicros)
            + "   "
            + terminal.paint(Color.ALLOWED, full)
            + " allowed   "
            + terminal.paint(Color.REFUSED, other)
            + " refused");
    for (Row row : rows) {
      // What is not 0 is seen, however little it is.
      int allowed = Math.min(cells(row.allowed(), most, bar), row.refused() > 0 ? bar - 1 : bar);
      int refused = Math.min(cells(row.refused(), most, bar), bar - allowed);
      String blanks = " ".repeat(Math.max(0, bar - allowed - refused));
      String time = format.format(Instant.EPOCH.plus(row.atMicros(), ChronoUnit.MICROS));
      String counts =
          String.format(
              Locale.ROOT, "%," + figures + "d  %," + figures + "d", row.allowed(), row.refused());
      lines.add(
          "  "
              + time
              + "  "
              + terminal.paint(Color.ALLOWED, full.repeat(allowed))
              + terminal.paint(Color.REFUSED, other.repeat(refused))
              + blanks
              + "  "
              + counts);
    }
    return lines;
  }

  /** The length of a part of a bar. */
  private static int cells(long count, long most, int bar) {
    return count == 0 ? 0 : (int) Math.max(1, Math.round((double) count * bar / most));
  }
}
