package dev.weir.cli;

import dev.weir.cli.Outcome.Slice;
import dev.weir.cli.Terminal.Color;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws a timeline: for every slice a bar of what passed with what was refused on top, an axis of
 * counts, one of times, and a line of what remained.
 */
final class BarChart {

  /** Columns left of the bars, apart from the counts. */
  static final int MARGIN = 5;

  private static final int MOST_ROWS = 12;
  private static final int MOST_BAR_WIDTH = 4;
  private static final int EIGHTHS = 8;

  private final Terminal terminal;
  private final Glyphs glyphs;
  private final List<Slice> timeline;
  private final long sliceMicros;
  private final int barWidth;
  private final int labelWidth;
  private final Scale scale;

  BarChart(Outcome outcome, Terminal terminal) {
    this.terminal = terminal;
    this.glyphs = terminal.unicode() ? Glyphs.UNICODE : Glyphs.ASCII;
    this.timeline = outcome.timeline();
    this.sliceMicros = outcome.sliceMicros();
    this.scale = Scale.upTo(outcome.mostOffered());
    this.labelWidth = labelWidth(outcome.mostOffered());
    int room = terminal.columns() - labelWidth - MARGIN;
    this.barWidth = Math.max(1, Math.min(MOST_BAR_WIDTH, room / timeline.size()));
  }

  /** The columns that the counts at the left take. */
  static int labelWidth(long mostOffered) {
    return Math.max("left".length(), Long.toString(Scale.upTo(mostOffered).top()).length());
  }

  List<String> lines(long capacity) {
    List<String> lines = new ArrayList<>();
    for (int row = scale.rows() - 1; row >= 0; row--) {
      lines.add(barRow(row));
    }
    lines.addAll(timeAxis());
    lines.add(remainingLine(capacity));
    return lines;
  }

  private String barRow(int row) {
    StringBuilder cells = new StringBuilder();
    for (Slice slice : timeline) {
      cells.append(String.valueOf(cell(slice, row)).repeat(barWidth));
    }
    String label = scale.label(row);
    char axis = label.isEmpty() ? glyphs.axis : glyphs.axisMark;
    return left(label, axis) + paintBars(cells.toString().stripTrailing());
  }

  /**
   * The part of a slice's bar in that row, measured in eighths of a row. A row that both parts
   * share goes to the larger one, unless the smaller one would then not be seen at all.
   */
  private char cell(Slice slice, int row) {
    long allowed = scale.eighths(slice.allowed());
    long total = Math.max(scale.eighths(slice.offered()), allowed + Math.min(1, slice.refused()));
    long bottom = (long) row * EIGHTHS;
    long allowedHere = Math.max(0, Math.min(EIGHTHS, allowed - bottom));
    long refusedHere = Math.max(0, Math.min(EIGHTHS, total - bottom)) - allowedHere;
    if (refusedHere == 0) {
      return glyphs.levels.charAt((int) allowedHere);
    }
    boolean lastOfAllowed = allowedHere > 0 && row == 0;
    boolean lastOfRefused = total <= bottom + EIGHTHS && total - allowed == refusedHere;
    if (allowedHere == 0) {
      return refusedHere >= EIGHTHS / 2 || lastOfRefused ? glyphs.refused : ' ';
    }
    if (lastOfRefused != lastOfAllowed) {
      return lastOfRefused ? glyphs.refused : glyphs.levels.charAt((int) allowedHere);
    }
    return allowedHere >= refusedHere ? glyphs.full() : glyphs.refused;
  }

  private String paintBars(String cells) {
    StringBuilder painted = new StringBuilder();
    int from = 0;
    for (int i = 1; i <= cells.length(); i++) {
      if (i == cells.length() || color(cells.charAt(i)) != color(cells.charAt(from))) {
        painted.append(terminal.paint(color(cells.charAt(from)), cells.substring(from, i)));
        from = i;
      }
    }
    return painted.toString();
  }

  private Color color(char cell) {
    return cell == glyphs.refused ? Color.REFUSED : Color.ALLOWED;
  }

  private List<String> timeAxis() {
    int width = timeline.size() * barWidth;
    long leastSlices = Slicing.ceilDiv(9, barWidth);
    long tick = Slicing.tickMicros(sliceMicros, leastSlices);
    StringBuilder marks = new StringBuilder(String.valueOf(glyphs.line).repeat(width));
    StringBuilder times = new StringBuilder();
    for (long at = 0; at / sliceMicros * barWidth <= width; at += tick) {
      int column = (int) (at / sliceMicros * barWidth);
      String time = TimeText.format(at);
      if (column < width) {
        marks.setCharAt(column, glyphs.mark);
      }
      times.append(" ".repeat(Math.max(0, column - times.length()))).append(time);
    }
    return List.of(
        left("0", glyphs.corner) + terminal.paint(Color.FAINT, marks.toString()),
        " ".repeat(labelWidth + MARGIN - 1) + terminal.paint(Color.FAINT, times.toString()));
  }

  private String remainingLine(long capacity) {
    StringBuilder line = new StringBuilder();
    for (Slice slice : timeline) {
      long level = Math.round((double) slice.remaining() * EIGHTHS / capacity);
      int shown = slice.remaining() == 0 ? 0 : (int) Math.max(1, level);
      line.append(String.valueOf(glyphs.remaining.charAt(shown)).repeat(barWidth));
    }
    String of = " of " + capacity;
    return left("left", ' ')
        + terminal.paint(Color.REMAINING, line.toString())
        + (width() + of.length() <= terminal.columns() ? terminal.paint(Color.FAINT, of) : "");
  }

  private String left(String label, char axis) {
    return terminal.paint(
        Color.FAINT, "  " + " ".repeat(labelWidth - label.length()) + label + " " + axis);
  }

  /** What the legend above the chart shows. */
  String legend() {
    return terminal.paint(Color.ALLOWED, String.valueOf(glyphs.full()))
        + " allowed   "
        + terminal.paint(Color.REFUSED, String.valueOf(glyphs.refused))
        + " refused";
  }

  /** The columns from the left edge to the right end of the bars. */
  private int width() {
    return labelWidth + MARGIN - 1 + timeline.size() * barWidth;
  }

  /**
   * How counts become rows: {@code step} counts to a row, or, for small counts, {@code
   * rowsPerCount} rows to a count.
   */
  private record Scale(int rows, long step, int rowsPerCount) {

    static Scale upTo(long most) {
      if (most <= MOST_ROWS) {
        int counts = (int) Math.max(1, most);
        int rowsPerCount = Math.min(4, MOST_ROWS / counts);
        return new Scale(counts * rowsPerCount, 1, rowsPerCount);
      }
      long step = 1;
      for (int i = 0; Slicing.ceilDiv(most, step) > MOST_ROWS; i++) {
        // 1, 2, 5, 10, 20, 50 …
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
      }
      return new Scale((int) Slicing.ceilDiv(most, step), step, 1);
    }

    long top() {
      return rows * step / rowsPerCount;
    }

    /** The height of a count, at least one eighth for one that is not 0. */
    long eighths(long count) {
      long height = Math.round((double) count * rowsPerCount * EIGHTHS / step);
      return count == 0 ? 0 : Math.max(1, height);
    }

    /** The count at the top of a row, where it is whole and there is room. */
    String label(int row) {
      int above = row + 1;
      if (above % rowsPerCount != 0 || (rowsPerCount == 1 && rows > 5 && (rows - above) % 2 != 0)) {
        return "";
      }
      return Long.toString(above * step / rowsPerCount);
    }
  }

  /** The characters to draw with: {@code levels} and {@code remaining} grow from empty to full. */
  private enum Glyphs {
    UNICODE(" ▁▂▃▄▅▆▇█", '▒', "·▁▂▃▄▅▆▇█", '│', '┤', '└', '─', '┬'),
    ASCII(" ...:::##", 'x', "_.:-=+*#@", '|', '+', '+', '-', '+');

    final String levels;
    final char refused;
    final String remaining;
    final char axis;
    final char axisMark;
    final char corner;
    final char line;
    final char mark;

    Glyphs(
        String levels,
        char refused,
        String remaining,
        char axis,
        char axisMark,
        char corner,
        char line,
        char mark) {
      this.levels = levels;
      this.refused = refused;
      this.remaining = remaining;
      this.axis = axis;
      this.axisMark = axisMark;
      this.corner = corner;
      this.line = line;
      this.mark = mark;
    }

    char full() {
      return levels.charAt(EIGHTHS);
    }
  }
}
