package dev.weir.backtest;

/** What is wrong with a line. Has no stack trace, since a log may be full of them. */
final class BadLine extends Exception {
  private static final long serialVersionUID = 1;

  BadLine(String problem) {
    super(problem, null, false, false);
  }

  /** As much of a text as a message needs, without what steers terminals. */
  static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), 60); i++) {
      char c = text.charAt(i);
      shown.append(c < ' ' || c >= 0x7f ? '?' : c);
    }
    return text.length() > 60 ? shown + "…" : shown.toString();
  }
}
