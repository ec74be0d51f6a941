package dev.weir.control.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatencySketchTest {
  private static final long MOST_MICROS = (1L << 26) - 1;

  @Test
  void bucketsAreInOrderAndNarrow() {
    int last = 0;
    for (long micros = 0; micros < 200_000; micros++) {
      int bucket = LatencySketch.bucket(micros);
      assertThat(bucket).isBetween(last, last + 1);
      assertThat(LatencySketch.longestMicros(bucket)).isBetween(micros, micros + micros / 32);
      last = bucket;
    }
    assertThat(LatencySketch.bucket(MOST_MICROS)).isEqualTo(LatencySketch.BUCKETS - 1);
    assertThat(LatencySketch.longestMicros(LatencySketch.BUCKETS - 1)).isEqualTo(MOST_MICROS);
    assertThat(LatencySketch.bucket(Long.MAX_VALUE)).isEqualTo(LatencySketch.BUCKETS - 1);
    assertThat(LatencySketch.bucket(-1)).isZero();
  }

  @Test
  void percentilesAreThoseOfTheSortedTimesOrALittleMore() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 200; round++) {
      long[] micros = new long[random.nextInt(1, 500)];
      LatencySketch whole = new LatencySketch();
      LatencySketch merged = new LatencySketch();
      LatencySketch part = new LatencySketch();
      for (int i = 0; i < micros.length; i++) {
        micros[i] = random.nextLong(1L << random.nextInt(1, 26));
        whole.add(LatencySketch.bucket(micros[i]), 1);
        part.add(LatencySketch.bucket(micros[i]), 1);
        if (random.nextInt(20) == 0) {
          merged.add(LatencySketch.of(part.toBytes()));
          part = new LatencySketch();
        }
      }
      merged.add(part);
      Arrays.sort(micros);
      assertThat(merged.toBytes()).isEqualTo(whole.toBytes());
      assertThat(merged.count()).isEqualTo(micros.length);
      for (int percent : new int[] {1, 50, 95, 99, 100}) {
        long exact = micros[(micros.length * percent + 99) / 100 - 1];
        assertThat(merged.percentileMicros(percent)).isBetween(exact, exact + exact / 32);
      }
    }
  }

  @Test
  void nothingHasNoPercentile() {
    assertThat(new LatencySketch().percentileMicros(50)).isNull();
    assertThat(LatencySketch.of(new LatencySketch().toBytes()).count()).isZero();
  }

  @Test
  void isSmallEvenIfEveryBucketWasMet() {
    LatencySketch sketch = new LatencySketch();
    for (int bucket = LatencySketch.BUCKETS - 1; bucket >= 0; bucket--) {
      sketch.add(bucket, 1L << 40);
    }
    assertThat(sketch.toBytes()).hasSizeLessThan(8_192);
    assertThat(LatencySketch.of(sketch.toBytes()).count()).isEqualTo(704L << 40);
    assertThat(sketch.percentileMicros(50)).isEqualTo(LatencySketch.longestMicros(351));
  }

  @Test
  void garbageIsRefused() {
    for (byte[] wrong :
        new byte[][] {{}, {2}, {1, 5}, {1, 5, 0}, {1, 5, 1, 0, 1}, {1, (byte) 0xc0, 5, 1}}) {
      assertThatThrownBy(() -> LatencySketch.of(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("latency sketch of " + wrong.length + " bytes");
    }
  }
}
