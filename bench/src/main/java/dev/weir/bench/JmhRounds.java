package dev.weir.bench;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.weir.policy.MatchBenchmark;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the JMH benchmarks in rounds: each round takes one fork of everything, so that contenders
 * which are compared ran within minutes of each other, and a machine that slows down for a while
 * slows all of them. JMH by itself would run all forks of one contender, then all of the next.
 */
final class JmhRounds {

  private final boolean quick;
  private final Path log;
  private final Map<String, RunResult> results = new LinkedHashMap<>();

  JmhRounds(boolean quick, Path log) {
    this.quick = quick;
    this.log = log;
  }

  /** What one round takes at a number of threads. */
  private interface Round {
    void take(int threads) throws RunnerException;
  }

  /** Runs the benchmarks of core and returns the results as JMH's JSON. */
  String core() throws RunnerException {
    return rounds(
        threads -> {
          take(options(SingleLimiterBenchmark.class, threads));
          take(keyed(threads, contender -> !contender.forInformation()));
          take(
              keyed(threads, KeyedContender::forInformation)
                  .param("order", KeyOrder.UNIFORM.name()));
        });
  }

  /** Runs the benchmarks of policies and returns the results as JMH's JSON. */
  String policy() throws RunnerException {
    return rounds(
        threads -> {
          take(options(GateBenchmark.class, threads));
          if (threads == 1) {
            take(options(MatchBenchmark.class, threads));
            take(options(CompileBenchmark.class, threads));
          }
        });
  }

  private String rounds(Round each) throws RunnerException {
    int rounds = quick ? 1 : 3;
    for (int round = 1; round <= rounds; round++) {
      for (int threads = 1; threads <= 2; threads++) {
        System.err.printf("round %d of %d, threads: %d%n", round, rounds, threads);
        each.take(threads);
      }
    }
    return json(results.values());
  }

  private ChainedOptionsBuilder keyed(int threads, Predicate<KeyedContender> which) {
    String[] contenders =
        Arrays.stream(KeyedContender.values())
            .filter(which)
            .map(KeyedContender::name)
            .toArray(String[]::new);
    ChainedOptionsBuilder options =
        options(KeyedBenchmark.class, threads).param("contender", contenders);
    return quick ? options.param("keys", "100000") : options;
  }

  private ChainedOptionsBuilder options(Class<?> benchmark, int threads) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + benchmark.getName().replace(".", "\\.") + "\\.")
            .threads(threads)
            .forks(1)
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .output(log.toString());
    if (quick && benchmark != CompileBenchmark.class) {
      TimeValue blink = TimeValue.milliseconds(100);
      options.warmupIterations(1).warmupTime(blink).measurementIterations(1).measurementTime(blink);
    }
    return options;
  }

  private void take(ChainedOptionsBuilder options) throws RunnerException {
    for (RunResult result : new Runner(options.build()).run()) {
      results.merge(idOf(result.getParams()), result, JmhRounds::both);
    }
  }

  private static RunResult both(RunResult earlier, RunResult later) {
    List<BenchmarkResult> forks = new ArrayList<>(earlier.getBenchmarkResults());
    forks.addAll(later.getBenchmarkResults());
    return new RunResult(earlier.getParams(), forks);
  }

  private static String idOf(BenchmarkParams params) {
    StringBuilder id =
        new StringBuilder(params.getBenchmark()).append(' ').append(params.getThreads());
    for (String key : params.getParamsKeys()) {
      id.append(' ').append(params.getParam(key));
    }
    return id.toString();
  }

  /**
   * JMH's JSON without what follows from the raw data, and without the path of this machine's JVM.
   */
  private static String json(Collection<RunResult> results) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    }
    JsonArray entries =
        JsonParser.parseString(bytes.toString(StandardCharsets.UTF_8)).getAsJsonArray();
    for (JsonElement element : entries) {
      JsonObject entry = element.getAsJsonObject();
      entry.remove("jvm");
      entry.getAsJsonObject("primaryMetric").remove("scorePercentiles");
      JsonObject secondary = entry.getAsJsonObject("secondaryMetrics");
      secondary.keySet().retainAll(List.of(JmhResults.ALLOCATED));
      for (String metric : secondary.keySet()) {
        secondary.getAsJsonObject(metric).remove("scorePercentiles");
      }
    }
    return new GsonBuilder().setPrettyPrinting().create().toJson(entries) + "\n";
  }
}
