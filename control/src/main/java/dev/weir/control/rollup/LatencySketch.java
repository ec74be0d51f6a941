package dev.weir.control.rollup;

import dev.weir.control.outbox.PayloadReader;
import dev.weir.control.outbox.PayloadWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How long requests took, in microseconds, such that percentiles can be told and sketches merged.
 * Not for several threads.
 *
 * <p>Times are counted in buckets, of which each power of two has 32: a time below 32 µs is exact,
 * a longer one is told at most 1/32 too high, and all above 67 s are one. A sketch has only the
 * buckets that were met, at most 704: some hundred bytes as a rule, and never more than 8 KB. A
 * histogram of HdrHistogram with the same bounds and two digits takes 20 KB for each cell in
 * memory, whatever was met; its packed form allocates while it counts.
 */
final class LatencySketch {
  /** How many buckets there are. */
  static final int BUCKETS = 704;

  private static final int VERSION = 1;
  private static final int SUB_BITS = 5;
  private static final int SUB_BUCKETS = 1 << SUB_BITS;
  private static final long MOST_MICROS = (1L << 26) - 1;

  /** Those that were met, in their order, and how often. */
  private int[] buckets = {};

  private long[] counts = {};
  private int size;

  /** The bucket of a time. */
  static int bucket(long micros) {
    long value = Math.max(0, Math.min(MOST_MICROS, micros));
    if (value < SUB_BUCKETS) {
      return (int) value;
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
    int sub = (int) (value >>> (exponent - SUB_BITS)) & (SUB_BUCKETS - 1);
    return (exponent - SUB_BITS + 1) * SUB_BUCKETS + sub;
  }

  /** The longest time of a bucket. */
  static long longestMicros(int bucket) {
    if (bucket < SUB_BUCKETS) {
      return bucket;
    }
    int shift = bucket / SUB_BUCKETS - 1;
    return ((long) (SUB_BUCKETS + bucket % SUB_BUCKETS + 1) << shift) - 1;
  }

  /** Counts a bucket so many times more; fast if buckets come in their order. */
  void add(int bucket, long count) {
    int at =
        size == 0 || buckets[size - 1] < bucket
            ? -size - 1
            : Arrays.binarySearch(buckets, 0, size, bucket);
    if (at >= 0) {
      counts[at] += count;
      return;
    }
    insert(-at - 1, bucket, count);
  }

  private void insert(int at, int bucket, long count) {
    if (size == buckets.length) {
      int more = Math.max(8, 2 * size);
      buckets = Arrays.copyOf(buckets, more);
      counts = Arrays.copyOf(counts, more);
    }
    System.arraycopy(buckets, at, buckets, at + 1, size - at);
    System.arraycopy(counts, at, counts, at + 1, size - at);
    buckets[at] = bucket;
    counts[at] = count;
    size++;
  }

  /** Counts what another has counted. */
  void add(LatencySketch other) {
    for (int i = 0; i < other.size; i++) {
      add(other.buckets[i], other.counts[i]);
    }
  }

  /** How many times it has counted. */
  long count() {
    long sum = 0;
    for (int i = 0; i < size; i++) {
      sum += counts[i];
    }
    return sum;
  }

  /**
   * The time that so many of a hundred requests did not take longer than, up to 1/32 too high; null
   * if there were none.
   */
  @Nullable Long percentileMicros(int percent) {
    long count = count();
    if (count == 0) {
      return null;
    }
    // The least number of requests that are so many of a hundred, without an overflow.
    long rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
    long seen = 0;
    for (int i = 0; i < size; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return longestMicros(buckets[i]);
      }
    }
    throw new IllegalStateException("there is no request " + rank);
  }

  /** A version, and for each bucket how far it is from the one before, and its count. */
  byte[] toBytes() {
    PayloadWriter writer = new PayloadWriter().putByte(VERSION);
    int last = 0;
    for (int i = 0; i < size; i++) {
      writer.putNumber(buckets[i] - last).putNumber(counts[i]);
      last = buckets[i];
    }
    return writer.toBytes();
  }

  /**
   * The sketch that the bytes say.
   *
   * @throws IllegalArgumentException if they say none
   */
  static LatencySketch of(byte[] bytes) {
    PayloadReader reader = new PayloadReader("latency sketch", bytes);
    int version = reader.readByte();
    if (version != VERSION) {
      throw reader.wrong("must have version %d, got %d".formatted(VERSION, version));
    }
    LatencySketch sketch = new LatencySketch();
    int bucket = 0;
    while (!reader.isAtEnd()) {
      bucket += (int) reader.readNumber(sketch.size == 0 ? 0 : 1, BUCKETS - 1 - bucket);
      sketch.add(bucket, reader.readNumber(1, Long.MAX_VALUE / BUCKETS));
    }
    return sketch;
  }
}
