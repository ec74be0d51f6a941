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
  }

  /** The figures of one subject. */
  record Line(Figure nanos, Figure bytes) {}

  private final Map<Subject, Line> lines = new LinkedHashMap<>();

  private JmhResults() {}

  static JmhResults parse(String json) {
    JmhResults results = new JmhResults();
    for (JsonElement element : JsonParser.parseString(json).getAsJsonArray()) {
      JsonObject entry = element.getAsJsonObject();
      Figure nanos = figure(entry.getAsJsonObject("primaryMetric"));
      Figure bytes = figure(entry.getAsJsonObject("secondaryMetrics").getAsJsonObject(ALLOCATED));
      results.lines.put(subject(entry), new Line(nanos, bytes));
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
    return of(one).nanos().ratioTo(of(other).nanos());
  }

  private static Subject subject(JsonObject entry) {
    String[] name = entry.get("benchmark").getAsString().split("\\.", -1);
    int threads = entry.get("threads").getAsInt();
    JsonObject params = entry.getAsJsonObject("params");
    if (name[name.length - 2].equals(KeyedBenchmark.class.getSimpleName())) {
      return new Subject.Keyed(
          KeyedContender.valueOf(params.get("contender").getAsString()),
          KeyOrder.valueOf(params.get("order").getAsString()),
          threads);
    }
    // The clock alone has no path; it stands with the allowed ones.
    SingleLimiterBenchmark.Path path =
        params == null
            ? SingleLimiterBenchmark.Path.ALLOWED
            : SingleLimiterBenchmark.Path.valueOf(params.get("path").getAsString());
    return new Subject.Single(name[name.length - 1], path, threads);
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
