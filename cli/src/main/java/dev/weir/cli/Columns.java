package dev.weir.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows in columns that are as wide as what is in them: nothing is cut. */
final class Columns {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** With names of the columns as their first row. */
  static Columns named(String... names) {
    return new Columns().add(names);
  }

  Columns add(String... cells) {
    return add(List.of(cells));
  }

  Columns add(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  /** Without blanks at the ends. */
  List<String> lines() {
    List<Integer> widths = widths();
    List<String> lines = new ArrayList<>(rows.size());
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i));
        if (i + 1 < row.size()) {
          line.append(" ".repeat(widths.get(i) - width(row.get(i)))).append(GAP);
        }
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private List<Integer> widths() {
    List<Integer> widths = new ArrayList<>();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        if (i == widths.size()) {
          widths.add(0);
        }
        widths.set(i, Math.max(widths.get(i), width(row.get(i))));
      }
    }
    return widths;
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
