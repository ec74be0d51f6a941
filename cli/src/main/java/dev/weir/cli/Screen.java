package dev.weir.cli;

import java.io.PrintWriter;
import java.util.List;

/**
 * A screen that is drawn over again and again, and gives back what was there before when it is
 * closed. By the control sequences of ECMA-48 and xterm, which all terminals of today understand.
 * Safe for use by several threads: whoever closes it has the last word.
 */
final class Screen implements AutoCloseable {
  private static final char ESCAPE = '\u001b';
  // The other buffer; no cursor; lines that are too long are cut and not broken.
  private static final String OPEN = "\u001b[?1049h\u001b[?25l\u001b[?7l";
  private static final String CLOSE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String CLEAR_LINE = "\u001b[K";
  private static final String CLEAR_BELOW = "\u001b[J";
  private static final String PLAIN = "\u001b[0m";

  private final PrintWriter out;
  private boolean isClosed;

  Screen(PrintWriter out) {
    this.out = out;
    out.print(OPEN);
    out.flush();
  }

  /** Draws lines in place of those before; what has no room is left out. */
  synchronized void draw(List<String> lines, Terminal size) {
    if (isClosed) {
      return;
    }
    StringBuilder frame = new StringBuilder(HOME);
    int shown = Math.min(lines.size(), size.rows());
    for (int i = 0; i < shown; i++) {
      frame.append(i == 0 ? "" : "\r\n").append(cut(lines.get(i), size.columns()));
      frame.append(CLEAR_LINE);
    }
    out.print(frame.append(CLEAR_BELOW));
    out.flush();
  }

  /** The start of a line that has room; colours take none. */
  static String cut(String line, int columns) {
    int room = columns;
    int at = 0;
    boolean isPainted = false;
    while (at < line.length()) {
      if (line.charAt(at) == ESCAPE) {
        at = line.indexOf('m', at) + 1;
        isPainted = true;
      } else if (room == 0) {
        return line.substring(0, at) + (isPainted ? PLAIN : "");
      } else {
        at += Character.charCount(line.codePointAt(at));
        room--;
      }
    }
    return line;
  }

  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      out.print(CLOSE);
      out.flush();
    }
  }
}
