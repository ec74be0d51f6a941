package dev.weir.bench;

import dev.weir.Decision;
import dev.weir.MemoryCounterStore;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/** The whole way of a request through a policy, beside the bare counting of its key. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
public class GateBenchmark {
  private static final int RULES = 100;

  /** A power of two. */
  private static final int REQUESTS = 1 << 18;

  /** How many users there are. */
  @Param({"1000", "1000000"})
  public int users;

  /** How many limits hold for each request. */
  @Param({"1", "3"})
  public int limits;

  private Gate gate;
  private RateLimiter limiter;
  private Request[] requests;

  /** Where a thread stands in the requests. */
  @State(Scope.Thread)
  public static class Cursor {
    private int next;

    @Setup
    public void spreadOut(ThreadParams thread) {
      next = thread.getThreadIndex() * (REQUESTS / thread.getThreadCount());
    }
  }

  @Setup
  public void open() {
    MixedRules mixed = new MixedRules(RULES);
    Policy policy = Policy.compile(mixed.definition());
    gate = new Gate(policy, new MemoryCounterStore(TimeSource.system(), 4_000_000));
    RateLimiter.Builder builder = RateLimiter.builder().maxKeys(4_000_000);
    for (int permits = 1; permits <= limits; permits++) {
      builder.limit(permits + "0000000/s");
    }
    limiter = builder.build();
    requests = new Request[REQUESTS];
    Arrays.setAll(requests, i -> mixed.request(limits, users));
    for (Request request : requests) {
      int found = gate.check(request).standings().size();
      if (found != limits || !limiter.tryAcquire(request.client().id())) {
        throw new IllegalStateException(
            "expected %d limits and no refusal, got %d limits".formatted(limits, found));
      }
    }
    // A policy is compiled once and used for long: by then a collection has put it in order.
    System.gc();
  }

  /** What an application would do that has one set of limits for all of its users. */
  @Benchmark
  public Decision bareAcquire(Cursor cursor) {
    return limiter.acquire(requests[cursor.next++ & (REQUESTS - 1)].client().id());
  }

  @Benchmark
  public Verdict check(Cursor cursor) {
    return gate.check(requests[cursor.next++ & (REQUESTS - 1)]);
  }
}
