package dev.weir.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counters of rules on a page in Prometheus' text form. */
final class PrometheusStats implements Stats {
  private static final Pattern LINE =
      Pattern.compile("ratelimit_service_rate_limit_(\\w+)\\{(.*)} ([0-9.e+]+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final URI page;

  PrometheusStats(URI page) {
    this.page = page;
  }

  @Override
  public Map<String, Long> counters() {
    HttpRequest request = HttpRequest.newBuilder(page).timeout(PATIENCE).build();
    try {
      return parse(client.send(request, BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the counters at " + page, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading the counters at " + page, e);
    }
  }

  static Map<String, Long> parse(String text) {
    Map<String, Long> counters = new HashMap<>();
    text.lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .forEach(line -> counters.put(name(line), (long) Double.parseDouble(line.group(3))));
    return counters;
  }

  private static String name(Matcher line) {
    Map<String, String> labels = new HashMap<>();
    Matcher label = LABEL.matcher(line.group(2));
    while (label.find()) {
      labels.put(label.group(1), label.group(2).replaceAll("\\\\(.)", "$1"));
    }
    StringBuilder name = new StringBuilder(labels.getOrDefault("domain", ""));
    for (int i = 1; labels.containsKey("key" + i); i++) {
      name.append('.').append(labels.get("key" + i));
    }
    return name.append('.').append(line.group(1)).toString();
  }
}
