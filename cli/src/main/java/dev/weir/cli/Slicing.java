package dev.weir.cli;

import java.math.BigInteger;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/** Cuts a stretch of time into slices of a round length, and finds round times for its axis. */
final class Slicing {
  private Slicing() {}

  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private static final long[] ROUND_LENGTHS =
      LongStream.of(1, MILLI, SECOND, MINUTE, HOUR, DAY)
          .flatMap(unit -> LongStream.of(stepsOf(unit)).map(step -> step * unit))
          .toArray();

  /** Fewer slices than this hide the shape; then uneven ones are better. */
  private static final int FEWEST_EVEN = 16;

  /** From so many requests in a slice on, one more or less can hardly be seen. */
  private static final int FLICKER_FREE = 20;

  private static long[] stepsOf(long unit) {
    if (unit < SECOND) {
      return new long[] {1, 2, 5, 10, 20, 50, 100, 200, 500};
    }
    if (unit < HOUR) {
      return new long[] {1, 2, 5, 10, 15, 20, 30};
    }
    if (unit < DAY) {
      return new long[] {1, 2, 3, 6, 12};
    }
    return new long[] {1, 2, 7, 14, 28, 60, 90, 180, 365, 1_000, 2_000, 4_000};
  }

  /**
   * The length of a slice, such that there are at most {@code most}: the shortest round one. Where
   * that holds so few steady requests that bars would flicker between n and n + 1, rather the
   * shortest round one over which they fall evenly, or a multiple of their distance.
   */
  static long sliceMicros(Arrivals arrivals, int most) {
    long shortest = ceilDiv(arrivals.lengthMicros(), most);
    long longestEven = arrivals.lengthMicros() / FEWEST_EVEN;
    long shortestRound = firstRound(round -> round >= shortest).orElseThrow();
    if (arrivals.rate().isAtLeast(FLICKER_FREE, shortestRound)) {
      return shortestRound;
    }
    OptionalLong evenRound =
        firstRound(round -> round >= shortest && fallsEvenly(arrivals.rate(), round));
    if (evenRound.isPresent() && evenRound.getAsLong() <= longestEven) {
      return evenRound.getAsLong();
    }
    long distance = arrivals.rate().wholeDistanceMicros();
    long evenSlice = distance == 0 ? 0 : ceilDiv(shortest, distance) * distance;
    return evenSlice > 0 && evenSlice <= longestEven ? evenSlice : shortestRound;
  }

  private static OptionalLong firstRound(LongPredicate condition) {
    return LongStream.of(ROUND_LENGTHS).filter(condition).findFirst();
  }

  private static boolean fallsEvenly(ArrivalRate rate, long sliceMicros) {
    return BigInteger.valueOf(sliceMicros)
            .multiply(BigInteger.valueOf(rate.count()))
            .mod(BigInteger.valueOf(rate.periodMicros()))
            .signum()
        == 0;
  }

  /** A round time, whole slices long, for the marks of an axis: at least {@code least} slices. */
  static long tickMicros(long sliceMicros, long least) {
    for (long length : ROUND_LENGTHS) {
      if (length >= least * sliceMicros && length % sliceMicros == 0) {
        return length;
      }
    }
    return least * sliceMicros;
  }

  static long ceilDiv(long amount, long divisor) {
    return -Math.floorDiv(-amount, divisor);
  }
}
