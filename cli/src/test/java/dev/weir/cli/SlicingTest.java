package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlicingTest {

  @ParameterizedTest
  @CsvSource({
    // 100 ms would hold 2 or 3 requests in turn, 200 ms always hold 5
    "25/s, 5s, 200ms",
    "25/s, 10s, 200ms",
    // no round length is even and leaves enough slices: the distance of two requests
    "25/s, 1s, 40ms",
    "25/s, 2s, 40ms",
    // so many that one more or less is not seen
    "250/m, 10m, 10s",
    "2500/30d, 300d, 7d",
    // nothing is even
    "7/s, 9s, 200ms",
    "0/s, 1h, 1m",
    "1/s, 10s, 200ms"
  })
  void fitsARoundLength(String rate, String length, String slice) {
    assertThat(TimeText.format(Slicing.sliceMicros(ArrivalsTest.arrivals(rate, length), 70)))
        .isEqualTo(slice);
  }

  @ParameterizedTest
  @CsvSource({"1ms", "3s", "61s", "25h", "366d", "3660d"})
  void neverLeavesMoreSlicesThanAsked(String length) {
    for (int most = 30; most < 400; most += 7) {
      Arrivals arrivals = ArrivalsTest.arrivals("1/h", length);
      long slice = Slicing.sliceMicros(arrivals, most);
      assertThat(Slicing.ceilDiv(arrivals.lengthMicros(), slice)).isBetween(1L, (long) most);
    }
  }

  @ParameterizedTest
  @CsvSource({"200ms, 5, 1s", "200ms, 9, 2s", "40ms, 5, 200ms", "10s, 9, 2m", "7d, 9, 63d"})
  void marksRoundTimes(String slice, int least, String tick) {
    assertThat(Slicing.tickMicros(TimeText.parseMicros(slice), least))
        .isEqualTo(TimeText.parseMicros(tick));
  }
}
