package dev.weir.bench;

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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * A million string keys, all present before the clock starts and never refused.
 *
 * <p>The strings that are asked for are the very ones that the maps hold, with their hash codes
 * cached: the best case for the peers. The heap is touched beforehand, or page faults would drown
 * the figures.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
public class KeyedBenchmark {

  /** A power of two, several times the number of keys. */
  private static final int ORDER_LENGTH = 1 << 22;

  @Param public KeyedContender contender;
  @Param public KeyOrder order;

  @Param("1000000")
  public int keys;

  private KeyedLimiter limiter;
  private String[] sequence;

  /** Where a thread stands in the sequence. */
  @State(Scope.Thread)
  public static class Cursor {
    private int next;

    @Setup
    public void spreadOut(ThreadParams thread) {
      next = thread.getThreadIndex() * (ORDER_LENGTH / thread.getThreadCount());
    }
  }

  @Setup
  public void fill() {
    limiter = contender.open(2L * keys);
    String[] all = KeyOrder.keys(keys);
    sequence = order.of(all, ORDER_LENGTH);
    for (String key : all) {
      requireAllowed(key);
    }
    System.gc();
  }

  @Benchmark
  public boolean tryAcquire(Cursor cursor) {
    return limiter.tryAcquire(sequence[cursor.next++ & (ORDER_LENGTH - 1)]);
  }

  @TearDown
  public void check() {
    // A log holds too few permits for the most frequent key of Zipf's law.
    for (int i = 0; i < 1_000 && contender != KeyedContender.WEIR_SLIDING_LOG; i++) {
      requireAllowed(sequence[i]);
    }
    if (limiter.liveKeys() != keys) {
      throw new IllegalStateException(
          "expected %d live keys, got %d".formatted(keys, limiter.liveKeys()));
    }
  }

  private void requireAllowed(String key) {
    if (!limiter.tryAcquire(key)) {
      throw new IllegalStateException("expected every request to be allowed");
    }
  }
}
