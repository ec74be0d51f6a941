package dev.weir.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows in columns: the first is set left, all others, which have figures, right. */
final class Sheet {
  private final List<List<String>> rows = new ArrayList<>();

  Sheet add(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String blanks = " ".repeat(width(i) - width(row.get(i)));
        line.append(i == 0 ? row.get(i) + blanks : "  " + blanks + row.get(i));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> width(row.get(column))).max().orElse(0);
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
