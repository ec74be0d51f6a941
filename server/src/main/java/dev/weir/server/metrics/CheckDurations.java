package dev.weir.server.metrics;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** How long checks took, as a histogram with fixed bounds from 10 µs to 1 s. Thread-safe. */
final class CheckDurations {
  private static final long[] BOUNDS_NANOS = {
    10_000L,
    25_000L,
    50_000L,
    100_000L,
    250_000L,
    500_000L,
    1_000_000L,
    2_500_000L,
    5_000_000L,
    10_000_000L,
    25_000_000L,
    50_000_000L,
    100_000_000L,
    250_000_000L,
    500_000_000L,
    1_000_000_000L
  };
  private static final Labels[] LABELS = labels();

  /** One for each bound, and one for what is above them all. */
  private final LongAdder[] buckets = new LongAdder[BOUNDS_NANOS.length + 1];

  private final LongAdder sumNanos = new LongAdder();

  CheckDurations() {
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  private static Labels[] labels() {
    Labels[] labels = new Labels[BOUNDS_NANOS.length + 1];
    for (int i = 0; i < BOUNDS_NANOS.length; i++) {
      BigDecimal seconds = BigDecimal.valueOf(BOUNDS_NANOS[i], 9).stripTrailingZeros();
      labels[i] = Labels.of("le", seconds.toPlainString());
    }
    labels[BOUNDS_NANOS.length] = Labels.of("le", "+Inf");
    return labels;
  }

  /** A check took that long. */
  void add(long nanos) {
    long duration = Math.max(0, nanos);
    int bucket = 0;
    // Most checks are in the first few.
    while (bucket < BOUNDS_NANOS.length && duration > BOUNDS_NANOS[bucket]) {
      bucket++;
    }
    buckets[bucket].increment();
    sumNanos.add(duration);
  }

  /** How many there are in each bucket, each read once. */
  long[] counts() {
    long[] counts = new long[buckets.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = buckets[i].sum();
    }
    return counts;
  }

  /**
   * How long, in microseconds, that part of the checks in the buckets took at most. Inside a bucket
   * they are taken to lie evenly; those above all bounds are taken for the last bound.
   *
   * @param counts how many checks there are in each bucket
   * @param permille which part
   * @return 0 if there are none
   */
  static long quantileMicros(long[] counts, int permille) {
    long count = 0;
    for (long each : counts) {
      count += each;
    }
    long rank = -Math.floorDiv(-count * permille, 1_000L);
    long before = 0;
    for (int i = 0; i < BOUNDS_NANOS.length; i++) {
      if (before + counts[i] >= rank && counts[i] > 0) {
        long lower = i == 0 ? 0 : BOUNDS_NANOS[i - 1];
        long inside = (BOUNDS_NANOS[i] - lower) / 1_000 * (rank - before) / counts[i];
        return lower / 1_000 + inside;
      }
      before += counts[i];
    }
    return count == 0 ? 0 : BOUNDS_NANOS[BOUNDS_NANOS.length - 1] / 1_000;
  }

  /** The histogram; its count is that of its buckets, each read once. */
  Metric read(String name, String help) {
    double sumSeconds = sumNanos.sum() / 1e9;
    List<Metric.Sample> samples = new ArrayList<>();
    long count = 0;
    for (int i = 0; i < buckets.length; i++) {
      count += buckets[i].sum();
      samples.add(new Metric.Sample("_bucket", LABELS[i], (double) count));
    }
    samples.add(new Metric.Sample("_sum", Labels.none(), sumSeconds));
    samples.add(new Metric.Sample("_count", Labels.none(), (double) count));
    return new Metric(name, help, Metric.Type.HISTOGRAM, samples);
  }
}
