package dev.weir.server.metrics;

import java.util.List;

/**
 * The labels of one series: names and values in turn.
 *
 * @param namesAndValues the first name, its value, the second name, and so on
 */
public record Labels(List<String> namesAndValues) {
  private static final Labels NONE = new Labels(List.of());

  public Labels {
    namesAndValues = List.copyOf(namesAndValues);
    if (namesAndValues.size() % 2 != 0) {
      throw new IllegalArgumentException(
          "labels must be names and values in turn, got " + namesAndValues);
    }
    for (int i = 0; i < namesAndValues.size(); i += 2) {
      String name = namesAndValues.get(i);
      if (!Metric.isName(name) || name.indexOf(':') >= 0) {
        throw new IllegalArgumentException(
            "label must be letters, digits and _, got \"" + name + "\"");
      }
      for (int j = 0; j < i; j += 2) {
        if (namesAndValues.get(j).equals(name)) {
          throw new IllegalArgumentException("label must be given once, got " + name + " twice");
        }
      }
    }
  }

  /** No labels. */
  public static Labels none() {
    return NONE;
  }

  /** These labels: a name, its value, the next name, and so on. */
  public static Labels of(String... namesAndValues) {
    return new Labels(List.of(namesAndValues));
  }
}
