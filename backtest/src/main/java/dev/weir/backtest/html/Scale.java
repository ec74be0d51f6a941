package dev.weir.backtest.html;

import java.util.List;
import java.util.stream.LongStream;

/**
 * A scale from 0 to a round number that is at least the largest value.
 *
 * @param top the round number, at least 1
 * @param step how far its marks are apart
 */
record Scale(long top, long step) {
  private static final long[] ROUND = {1, 2, 5};

  /** With one to four marks above 0. */
  static Scale upTo(long largest) {
    long decade = 1;
    while (true) {
      for (long round : ROUND) {
        long step = round * decade;
        if (largest <= 4 * step) {
          return new Scale(Math.max(1, -Math.floorDiv(-largest, step)) * step, step);
        }
      }
      decade *= 10;
    }
  }

  List<Long> marks() {
    return LongStream.rangeClosed(0, top / step).map(i -> i * step).boxed().toList();
  }
}
