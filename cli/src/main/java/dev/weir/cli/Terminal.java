package dev.weir.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * What the place we write to can show.
 *
 * @param columns its width
 * @param color whether it takes colours
 * @param unicode whether it shows more than ASCII
 */
record Terminal(int columns, boolean color, boolean unicode) {

  static final int DEFAULT_COLUMNS = 80;

  /** Set to {@code true} by the launcher when standard output is a terminal. */
  static final String TERMINAL_PROPERTY = "weir.terminal";

  /** Set by the launcher to the width of that terminal. */
  static final String COLUMNS_PROPERTY = "weir.columns";

  // System.console() would not do: since JDK 22 it is there without a terminal, too.
  static Terminal of(Map<String, String> environment, Properties properties) {
    boolean terminal = Boolean.parseBoolean(properties.getProperty(TERMINAL_PROPERTY));
    boolean color =
        terminal
            && environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !environment.getOrDefault("TERM", "").equals("dumb");
    return new Terminal(
        columns(properties.getProperty(COLUMNS_PROPERTY, "")), color, unicode(environment));
  }

  private static int columns(String text) {
    return text.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(text) : DEFAULT_COLUMNS;
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
    return new Terminal(columns, false, unicode);
  }

  Terminal withColumns(int columns) {
    return new Terminal(columns, color, unicode);
  }

  /** The text in that colour, or as it is. */
  String paint(Color paint, String text) {
    return color && !text.isEmpty() ? "\u001b[" + paint.code + "m" + text + "\u001b[0m" : text;
  }

  /** What colours are used for. */
  enum Color {
    ALLOWED("32"),
    REFUSED("31"),
    REMAINING("36"),
    FAINT("2"),
    STRONG("1");

    private final String code;

    Color(String code) {
      this.code = code;
    }
  }
}
