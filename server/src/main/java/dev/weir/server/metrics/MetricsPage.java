package dev.weir.server.metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Metrics as the text that Prometheus reads, in its format 0.0.4. The page has less than {@link
 * #MOST_SERIES} series, whatever is added to it: what goes beyond is left out and counted.
 */
final class MetricsPage {
  /** Says what {@link #toString} gives. */
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  static final int MOST_SERIES = 10_000;

  /** Beyond it not every whole number is a double. */
  private static final double LARGEST_EXACT = 1L << 53;

  private final StringBuilder text = new StringBuilder(16_384);
  private final Set<String> names = new HashSet<>();
  private int series;
  private int leftOut;

  /** Adds a metric with all its values, even if it has none yet. */
  void add(Metric metric) {
    if (!names.add(metric.name())) {
      // Prometheus takes nothing of a page on which a metric is there twice.
      leftOut += metric.samples().size();
      return;
    }
    text.append("# HELP ").append(metric.name()).append(' ');
    appendEscaped(metric.help(), false);
    text.append("\n# TYPE ").append(metric.name()).append(' ').append(metric.type()).append('\n');
    Set<String> seen = new HashSet<>();
    for (Metric.Sample sample : metric.samples()) {
      add(metric.name(), sample, seen);
    }
  }

  private void add(String name, Metric.Sample sample, Set<String> seen) {
    int start = text.length();
    text.append(name).append(sample.suffix());
    appendLabels(sample.labels());
    // One is kept for the number of those that are left out.
    if (series >= MOST_SERIES - 2 || !seen.add(text.substring(start))) {
      text.setLength(start);
      leftOut++;
      return;
    }
    series++;
    text.append(' ');
    appendNumber(sample.value());
    text.append('\n');
  }

  private void appendLabels(Labels labels) {
    List<String> all = labels.namesAndValues();
    for (int i = 0; i < all.size(); i += 2) {
      text.append(i == 0 ? '{' : ',').append(all.get(i)).append("=\"");
      appendEscaped(all.get(i + 1), true);
      text.append('"');
    }
    text.append(all.isEmpty() ? "" : "}");
  }

  private void appendEscaped(String value, boolean isQuoted) {
    value.codePoints().forEach(c -> appendEscaped(c, isQuoted));
  }

  /** What only a terminal or nobody would understand is written by its code. */
  private void appendEscaped(int c, boolean isQuoted) {
    if (c == '\n') {
      text.append("\\n");
    } else if (c == '\\' || (c == '"' && isQuoted)) {
      text.append('\\').appendCodePoint(c);
    } else if (isVisible(c)) {
      text.appendCodePoint(c);
    } else {
      text.append("\\\\u%04x".formatted(c));
    }
  }

  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private void appendNumber(double value) {
    if (Double.isInfinite(value)) {
      text.append(value > 0 ? "+Inf" : "-Inf");
    } else if (value == Math.rint(value) && Math.abs(value) <= LARGEST_EXACT) {
      text.append((long) value);
    } else {
      text.append(value);
    }
  }

  /** The whole page. */
  @Override
  public String toString() {
    return text
        + "# HELP weir_metrics_left_out Series that are not on this page, as it has so many.\n"
        + "# TYPE weir_metrics_left_out gauge\n"
        + "weir_metrics_left_out "
        + leftOut
        + "\n";
  }
}
