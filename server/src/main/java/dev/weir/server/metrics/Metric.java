package dev.weir.server.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A metric as it is at one moment.
 *
 * @param name as Prometheus knows it; that of a counter ends with {@code _total}
 * @param help what it says, in one sentence
 * @param type what kind of metric it is
 * @param samples its values, no two with the same labels
 */
public record Metric(String name, String help, Type type, List<Sample> samples) {
  public Metric {
    Objects.requireNonNull(type, "type");
    samples = List.copyOf(samples);
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "name must be letters, digits, _ and :, got \"" + name + "\"");
    }
    if (help.isBlank()) {
      throw new IllegalArgumentException("help must be a sentence, got \"\" for " + name);
    }
    if ((type == Type.COUNTER) != name.endsWith("_total")) {
      throw new IllegalArgumentException(
          "name must end with _total for counters and for nothing else, got %s %s"
              .formatted(type, name));
    }
    for (Sample sample : samples) {
      if (!sample.suffix.isEmpty() && !type.hasSuffixes()) {
        throw new IllegalArgumentException(
            "suffix must be empty for a %s, got \"%s\"".formatted(type, sample.suffix));
      }
    }
  }

  /** The kinds of metrics. */
  public enum Type {
    /** Only grows while the service runs. */
    COUNTER,
    /** May go up and down. */
    GAUGE,
    /** How many observations were at most so large, their number and their sum. */
    HISTOGRAM,
    /** The number and the sum of observations. */
    SUMMARY;

    private boolean hasSuffixes() {
      return this == HISTOGRAM || this == SUMMARY;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One value.
   *
   * @param suffix what follows the metric's name; empty but for histograms and summaries
   * @param labels tell it from the metric's other values
   * @param value how much
   */
  public record Sample(String suffix, Labels labels, double value) {
    public Sample {
      Objects.requireNonNull(suffix, "suffix");
      Objects.requireNonNull(labels, "labels");
    }

    /** A value of a counter or a gauge. */
    public static Sample of(double value, Labels labels) {
      return new Sample("", labels, value);
    }

    /** A whole value of a counter or a gauge. */
    public static Sample of(long value, Labels labels) {
      return of((double) value, labels);
    }
  }

  /** A counter without labels. */
  public static Metric counter(String name, String help, double value) {
    return new Metric(name, help, Type.COUNTER, List.of(Sample.of(value, Labels.none())));
  }

  /** A counter of whole things without labels. */
  public static Metric counter(String name, String help, long value) {
    return counter(name, help, (double) value);
  }

  /** A gauge without labels. */
  public static Metric gauge(String name, String help, double value) {
    return new Metric(name, help, Type.GAUGE, List.of(Sample.of(value, Labels.none())));
  }

  /** A gauge of whole things without labels. */
  public static Metric gauge(String name, String help, long value) {
    return gauge(name, help, (double) value);
  }

  static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
      boolean isDigit = c >= '0' && c <= '9';
      if (!isLetter && (!isDigit || i == 0)) {
        return false;
      }
    }
    return !name.isEmpty();
  }
}
