package dev.weir.cli;

import java.util.Arrays;

/** Values as one line of small bars, the newest at the right. */
final class Sparkline {
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final String ASCII_BARS = "_.:-=+*#";
  private static final char NOTHING = ' ';

  private Sparkline() {}

  /**
   * The last of the values, at most as many as the width.
   *
   * @param isUnicode whether more than ASCII can be shown
   */
  static String of(long[] values, int width, boolean isUnicode) {
    long[] shown = last(values, width);
    String bars = isUnicode ? BARS : ASCII_BARS;
    long most = Arrays.stream(shown).max().orElse(0);
    StringBuilder line = new StringBuilder(shown.length);
    for (long value : shown) {
      line.append(value <= 0 ? NOTHING : bars.charAt(level(value, most, bars.length())));
    }
    return line.toString();
  }

  /** What is not nothing has at least the smallest bar; only the most has the full one. */
  private static int level(long value, long most, int levels) {
    return (int) ((double) value / most * (levels - 1));
  }

  static long[] last(long[] values, int count) {
    return Arrays.copyOfRange(
        values, Math.max(0, values.length - Math.max(0, count)), values.length);
  }
}
