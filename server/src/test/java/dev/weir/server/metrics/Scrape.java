package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** A page of metrics as somebody sees it who only knows the format. */
public final class Scrape {
  private final Map<String, Double> series = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();
  private final String text;

  public Scrape(String text) {
    this.text = text;
    for (String line : text.split("\n", -1)) {
      if (line.startsWith("# TYPE ")) {
        names.add(line.split(" ", -1)[2]);
      } else if (!line.startsWith("#") && !line.isEmpty()) {
        int end = line.lastIndexOf(' ');
        Double before = series.put(line.substring(0, end), number(line.substring(end + 1)));
        if (before != null) {
          throw new AssertionError("twice on one page: " + line);
        }
      }
    }
  }

  private static double number(String text) {
    return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
  }

  /** The value of a series, spelt as on the page; NaN if it is not there. */
  public double value(String name) {
    return series.getOrDefault(name, Double.NaN);
  }

  /** The sum of all series of a metric that have a certain text in their labels. */
  public double sum(String name, String label) {
    return series.entrySet().stream()
        .filter(one -> one.getKey().startsWith(name + "{") && one.getKey().contains(label))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  public double sum(String name) {
    return sum(name, "");
  }

  public int size() {
    return series.size();
  }

  Set<String> series() {
    return series.keySet();
  }

  /** The metrics that are declared, whether they have a value or not. */
  Set<String> names() {
    return names;
  }

  /** Each request has one of three outcomes, and whoever was throttled was so by a rule. */
  public void assertConsistent() {
    double throttled = sum("weir_rate_limit_requests_total", "decision=\"throttled\"");
    assertThat(sum("weir_rate_limit_throttled_total")).isEqualTo(throttled);
    assertThat(
            sum("weir_rate_limit_requests_total", "decision=\"allowed\"")
                + sum("weir_rate_limit_requests_total", "decision=\"blocked\"")
                + throttled)
        .isEqualTo(sum("weir_rate_limit_requests_total"));
    assertThat(value("weir_rate_limit_check_duration_seconds_count"))
        .isEqualTo(value("weir_rate_limit_check_duration_seconds_bucket{le=\"+Inf\"}"));
  }

  @Override
  public String toString() {
    return text;
  }
}
