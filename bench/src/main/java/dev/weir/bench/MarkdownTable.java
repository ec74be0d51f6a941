package dev.weir.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A Markdown table whose columns line up in plain text too; all but the first are set right. */
final class MarkdownTable {

  private final List<List<String>> rows = new ArrayList<>();

  MarkdownTable(String... header) {
    rows.add(List.of(header));
  }

  void row(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          "cells must be %d, got %s".formatted(rows.get(0).size(), Arrays.toString(cells)));
    }
    rows.add(List.of(cells));
  }

  @Override
  public String toString() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(line(row, widths));
    }
    lines.add(1, rule(widths));
    return String.join("\n", lines) + "\n";
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String pad = " ".repeat(widths[i] - cell.length());
      line.append(' ').append(i == 0 ? cell + pad : pad + cell).append(" |");
    }
    return line.toString();
  }

  private static String rule(int[] widths) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < widths.length; i++) {
      line.append("-".repeat(widths[i] + 1)).append(i == 0 ? "-|" : ":|");
    }
    return line.toString();
  }
}
