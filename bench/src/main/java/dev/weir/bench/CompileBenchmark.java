package dev.weir.bench;

import dev.weir.policy.Policy;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a start or a reload with ten thousand rules takes, without a warm-up: the first time. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
@SuppressWarnings("NullAway.Init")
public class CompileBenchmark {
  private static final int RULES = 10_000;

  /** The rules as they are written down; nothing has read them yet. */
  @State(Scope.Benchmark)
  public static class Text {
    private String toml;

    @Setup
    public void write() {
      toml = new MixedRules(RULES).toml();
    }
  }

  /** The rules as they were read. */
  @State(Scope.Benchmark)
  public static class Definition {
    private PolicyDefinition rules;

    @Setup
    public void read() {
      rules = new MixedRules(RULES).definition();
    }
  }

  @Benchmark
  public Policy compile(Definition definition) {
    return Policy.compile(definition.rules);
  }

  @Benchmark
  public Config read(Text text) {
    return ConfigReader.parse(text.toml, "mixed.toml", Map.of());
  }
}
