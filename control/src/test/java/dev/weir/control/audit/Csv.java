package dev.weir.control.audit;

import java.util.ArrayList;
import java.util.List;

/** Reads RFC 4180 by the letter. */
final class Csv {
  private Csv() {}

  static List<List<String>> parse(String text) {
    List<List<String>> rows = new ArrayList<>();
    List<String> row = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      StringBuilder cell = new StringBuilder();
      if (text.charAt(at) == '"') {
        at++;
        while (text.charAt(at) != '"' || text.startsWith("\"\"", at)) {
          cell.append(text.charAt(at));
          at += text.startsWith("\"\"", at) ? 2 : 1;
        }
        at++;
      } else {
        while (text.charAt(at) != ',' && text.charAt(at) != '\r') {
          if (text.charAt(at) == '"' || text.charAt(at) == '\n') {
            throw new IllegalArgumentException("a cell must be quoted, at " + at);
          }
          cell.append(text.charAt(at++));
        }
      }
      row.add(cell.toString());
      if (text.charAt(at) == ',') {
        at++;
      } else if (text.startsWith("\r\n", at)) {
        at += 2;
        rows.add(row);
        row = new ArrayList<>();
      } else {
        throw new IllegalArgumentException("a cell must end, at " + at);
      }
    }
    return rows;
  }
}
