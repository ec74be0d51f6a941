package dev.weir.bench;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** The figures of a JMH run, by what was measured. */
final class JmhResults {

  /** JMH's name for the bytes allocated by each call. */
  static final String ALLOCATED = "gc.alloc.rate.norm";

  /** What one line of results is about. */
  sealed interface Subject {
    int threads();

    /** A method of {@link SingleLimiterBenchmark}. */
    record Single(String contender, SingleLimiterBenchmark.Path path, int threads)
        implements Subject {}

    /** A parameter set of {@link KeyedBenchmark}. */
    record Keyed(KeyedContender contender, KeyOrder order, int threads) implements Subject {}

    /** A method of another benchmark with its parameters. */
    record Method(String name, Map<String, String> params, int threads) implements Subject {
      public Method {
        params = Map.copyOf(params);
      }
    }
  }

  /** The figures of one subject; the time is in nanoseconds unless its benchmark says otherwise. */
  record Line(Figure time, Figure bytes) {}

  private final Map<Subject, Line> lines = new LinkedHashMap<>();

  private JmhResults() {}

  static JmhResults parse(String json) {
    JmhResults results = new JmhResults();
    for (JsonElement element : JsonParser.parseString(json).getAsJsonArray()) {
      JsonObject entry = element.getAsJsonObject();
      Figure time = figure(entry.getAsJsonObject("primaryMetric"));
      Figure bytes = figure(entry.getAsJsonObject("secondaryMetrics").getAsJsonObject(ALLOCATED));
      results.lines.put(subject(entry), new Line(time, bytes));
    }
    return results;
  }

  boolean has(Subject subject) {
    return lines.containsKey(subject);
  }

  Line of(Subject subject) {
    Line line = lines.get(subject);
    if (line == null) {
      throw new NoSuchElementException("no result for " + subject);
    }
    return line;
  }

  /** How many times as long the one takes as the other. */
  Figure ratio(Subject one, Subject other) {
    return of(one).time().ratioTo(of(other).time());
  }

  private static Subject subject(JsonObject entry) {
    String[] name = entry.get("benchmark").getAsString().split("\\.", -1);
    String benchmark = name[name.length - 2];
    String method = name[name.length - 1];
    int threads = entry.get("threads").getAsInt();
    Map<String, String> params = params(entry);
    if (benchmark.equals(KeyedBenchmark.class.getSimpleName())) {
      return new Subject.Keyed(
          KeyedContender.valueOf(params.getOrDefault("contender", "")),
          KeyOrder.valueOf(params.getOrDefault("order", "")),
          threads);
    }
    if (benchmark.equals(SingleLimiterBenchmark.class.getSimpleName())) {
      // The clock alone has no path; it stands with the allowed ones.
      String path = params.getOrDefault("path", SingleLimiterBenchmark.Path.ALLOWED.name());
      return new Subject.Single(method, SingleLimiterBenchmark.Path.valueOf(path), threads);
    }
    return new Subject.Method(method, params, threads);
  }

  private static Map<String, String> params(JsonObject entry) {
    Map<String, String> params = new LinkedHashMap<>();
    if (entry.has("params")) {
      entry
          .getAsJsonObject("params")
          .asMap()
          .forEach((name, value) -> params.put(name, value.getAsString()));
    }
    return params;
  }

  /** The mean of each fork's iterations. */
  private static Figure figure(JsonObject metric) {
    List<Double> forks = new ArrayList<>();
    for (JsonElement fork : metric.getAsJsonArray("rawData")) {
      double sum = 0;
      for (JsonElement iteration : fork.getAsJsonArray()) {
        sum += iteration.getAsDouble();
      }
      forks.add(sum / fork.getAsJsonArray().size());
    }
    return new Figure(forks);
  }
}
