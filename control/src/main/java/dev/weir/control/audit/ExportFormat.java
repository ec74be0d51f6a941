package dev.weir.control.audit;

import dev.weir.policy.VisibleText;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How decisions are written to a file. */
public enum ExportFormat {
  /**
   * RFC 4180, with a line of names first. A text that a spreadsheet would take for a formula has an
   * apostrophe before it. Characters that cannot be seen are written as {@code \\u202e}.
   */
  CSV {
    @Override
    String head() {
      return Stream.concat(Stream.of("log_id"), AuditColumn.ALL.stream().map(Object::toString))
              .collect(Collectors.joining(","))
          + "\r\n";
    }

    @Override
    String line(AuditEntry entry) {
      StringBuilder line = new StringBuilder(256).append(entry.logId());
      for (AuditColumn each : AuditColumn.ALL) {
        line.append(',');
        String text = entry.text(each);
        appendCell(
            line, VisibleText.escape(each.type().isText() && isFormula(text) ? "'" + text : text));
      }
      return line.append("\r\n").toString();
    }
  },

  /** An object a line, as in a page. */
  JSON_LINES {
    @Override
    String head() {
      return "";
    }

    @Override
    String line(AuditEntry entry) {
      return entry.toJson() + "\n";
    }
  };

  abstract String head();

  abstract String line(AuditEntry entry);

  /** What comes behind the dot in the name of a file. */
  public String extension() {
    return this == CSV ? "csv" : "jsonl";
  }

  /** The type of the content. */
  public String mediaType() {
    return this == CSV ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson";
  }

  /** Signs that begin a formula, also their wide forms, and white space that is passed over. */
  private static boolean isFormula(String text) {
    return !text.isEmpty() && "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20".indexOf(text.charAt(0)) >= 0;
  }

  private static void appendCell(StringBuilder line, String text) {
    boolean isPlain = true;
    for (int i = 0; i < text.length() && isPlain; i++) {
      char c = text.charAt(i);
      isPlain = c != ',' && c != '"' && c != '\r' && c != '\n';
    }
    if (isPlain) {
      line.append(text);
    } else {
      line.append('"').append(text.replace("\"", "\"\"")).append('"');
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
