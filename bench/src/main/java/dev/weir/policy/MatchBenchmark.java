package dev.weir.policy;

import dev.weir.bench.MixedRules;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Finding what holds for a request, without counting it. In the package of what it measures: a
 * match by itself is nobody's business outside.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(org.openjdk.jmh.annotations.Scope.Thread)
@SuppressWarnings("NullAway.Init")
public class MatchBenchmark {

  /** A power of two. */
  private static final int REQUESTS = 1 << 14;

  @Param({"10", "100", "10000"})
  public int rules;

  private Policy policy;
  private Request[] requests;
  private int next;

  @Setup
  public void compile() {
    MixedRules mixed = new MixedRules(rules);
    policy = Policy.compile(mixed.definition());
    requests = Stream.generate(mixed::request).limit(REQUESTS).toArray(Request[]::new);
    // A policy is compiled once and used for long: by then a collection has put it in order.
    System.gc();
    int held = 0;
    for (Request request : requests) {
      held += policy.match(request).enforced.size();
    }
    // As many for each request, however many there are, or there is nothing to compare.
    if (held < 4 * REQUESTS || held > 5 * REQUESTS) {
      throw new IllegalStateException(
          "expected 4 to 5 rules for a request, got " + (double) held / REQUESTS);
    }
  }

  @Benchmark
  public Object match() {
    return policy.match(requests[next++ & (REQUESTS - 1)]);
  }
}
