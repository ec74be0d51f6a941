package dev.weir.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * What the place we write to can show.
 *
 * @param columns its width
 * @param rows its height
 * @param color whether it takes colours
 * @param unicode whether it shows more than ASCII
 * @param isScreen whether what was written can be written over
 */
record Terminal(int columns, int rows, boolean color, boolean unicode, boolean isScreen) {

  static final int DEFAULT_COLUMNS = 80;
  static final int DEFAULT_ROWS = 24;

  /** Set to {@code true} by the launcher when standard output is a terminal. */
  static final String TERMINAL_PROPERTY = "weir.terminal";

  /** Set by the launcher to the width of that terminal. */
  static final String COLUMNS_PROPERTY = "weir.columns";

  /** Set by the launcher to the height of that terminal. */
  static final String ROWS_PROPERTY = "weir.rows";

  /** One that is no screen. */
  Terminal(int columns, boolean color, boolean unicode) {
    this(columns, DEFAULT_ROWS, color, unicode, false);
  }

  // System.console() would not do: since JDK 22 it is there without a terminal, too.
  static Terminal of(Map<String, String> environment, Properties properties) {
    boolean terminal = Boolean.parseBoolean(properties.getProperty(TERMINAL_PROPERTY));
    boolean isScreen = terminal && !environment.getOrDefault("TERM", "").equals("dumb");
    boolean color = isScreen && environment.getOrDefault("NO_COLOR", "").isEmpty();
    return new Terminal(
        size(properties.getProperty(COLUMNS_PROPERTY, ""), DEFAULT_COLUMNS),
        size(properties.getProperty(ROWS_PROPERTY, ""), DEFAULT_ROWS),
        color,
        unicode(environment),
        isScreen);
  }

  private static int size(String text, int standard) {
    return text.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(text) : standard;
  }

  /** As POSIX looks up a locale. Where none is set, as in most containers, UTF-8 is the rule. */
  private static boolean unicode(Map<String, String> environment) {
    for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      String locale = environment.getOrDefault(name, "");
      if (!locale.isEmpty()) {
        String upper = locale.toUpperCase(Locale.ROOT);
        return upper.contains("UTF-8") || upper.contains("UTF8");
      }
    }
    return true;
  }

  Terminal withoutColor() {
    return new Terminal(columns, rows, false, unicode, isScreen);
  }

  Terminal withColumns(int columns) {
    return new Terminal(columns, rows, color, unicode, isScreen);
  }

  /** Of that size: that of a window may change. */
  Terminal withSize(int columns, int rows) {
    return new Terminal(columns, rows, color, unicode, isScreen);
  }

  /** The text in that colour, or as it is. */
  String paint(Color paint, String text) {
    return color && !text.isEmpty() ? "\u001b[" + paint.code + "m" + text + "\u001b[0m" : text;
  }

  /** What colours are used for. */
  enum Color {
    ALLOWED("32"),
    REFUSED("31"),
    BLOCKED("35"),
    REMAINING("36"),
    WARNING("33"),
    FAINT("2"),
    STRONG("1");

    private final String code;

    Color(String code) {
      this.code = code;
    }
  }
}
