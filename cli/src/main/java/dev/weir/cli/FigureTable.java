package dev.weir.cli;

import java.util.ArrayList;
import java.util.List;

/** A table with a name in its first column, and figures behind it that end in one line. */
final class FigureTable {
  private static final int INDENT = 2;
  private static final int GAP = 2;

  private final List<String> heads;
  private final List<List<String>> rows = new ArrayList<>();

  FigureTable(String... heads) {
    this.heads = List.of(heads);
  }

  void add(List<String> row) {
    rows.add(List.copyOf(row));
  }

  /**
   * The lines, the names of the columns first.
   *
   * @param most how many rows at most
   */
  List<String> lines(Terminal terminal, int most) {
    List<List<String>> shown = rows.subList(0, Math.min(most, rows.size()));
    int[] widths = new int[heads.size()];
    int figures = 0;
    for (int i = 1; i < widths.length; i++) {
      widths[i] = heads.get(i).length();
      for (List<String> row : shown) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
      figures += widths[i] + GAP;
    }
    widths[0] = nameWidth(shown, terminal.columns() - INDENT - figures);
    List<String> lines = new ArrayList<>();
    lines.add(terminal.paint(Terminal.Color.FAINT, line(heads, widths, terminal)));
    if (shown.isEmpty()) {
      lines.add(" ".repeat(INDENT) + PlainText.NOTHING);
    }
    shown.forEach(row -> lines.add(line(row, widths, terminal)));
    return lines;
  }

  private int nameWidth(List<List<String>> shown, int room) {
    int widest = width(heads.get(0));
    for (List<String> row : shown) {
      widest = Math.max(widest, width(row.get(0)));
    }
    return Math.max(1, Math.min(widest, room));
  }

  private static String line(List<String> cells, int[] widths, Terminal terminal) {
    String name = cut(cells.get(0), widths[0], terminal.unicode());
    StringBuilder line = new StringBuilder(" ".repeat(INDENT)).append(name);
    line.append(" ".repeat(widths[0] - width(name)));
    for (int i = 1; i < widths.length; i++) {
      String cell = cells.get(i);
      line.append(" ".repeat(GAP + widths[i] - cell.length())).append(cell);
    }
    return line.toString();
  }

  /** With a mark where something was left out. */
  static String cut(String text, int width, boolean isUnicode) {
    if (width(text) <= width) {
      return text;
    }
    int end = text.offsetByCodePoints(0, Math.max(0, width - 1));
    return text.substring(0, end) + (isUnicode ? "…" : "~");
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
