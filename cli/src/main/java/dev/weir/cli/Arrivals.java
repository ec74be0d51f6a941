package dev.weir.cli;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A pattern of requests over a stretch of time: steady ones at {@code floor(k * period / count)}
 * microseconds for k = 0, 1, 2 … strictly before the end, and bursts.
 *
 * @param rate the steady requests
 * @param lengthMicros how long, at least 1
 * @param bursts the bursts, each before the end; sorted by time
 */
record Arrivals(ArrivalRate rate, long lengthMicros, List<Burst> bursts) {

  /** The most requests that are replayed, a matter of seconds. */
  static final long MOST = 10_000_000;

  Arrivals {
    if (lengthMicros < 1) {
      throw new InputException("--for: must be longer than 0s; write a duration, for example 10s");
    }
    bursts = bursts.stream().sorted(Comparator.comparingLong(Burst::atMicros)).toList();
    for (Burst burst : bursts) {
      if (burst.atMicros() >= lengthMicros) {
        throw new InputException(
            "--burst-at: %s is not before the end at %s; write an earlier time or a longer --for"
                .formatted(TimeText.format(burst.atMicros()), TimeText.format(lengthMicros)));
      }
    }
    BigInteger total = steady(rate, lengthMicros);
    for (Burst burst : bursts) {
      total = total.add(BigInteger.valueOf(burst.size()));
    }
    if (total.compareTo(BigInteger.valueOf(MOST)) > 0) {
      throw new InputException(
          "%d requests are too many to replay, at most %d; give a lower --rate, a shorter --for or smaller bursts"
              .formatted(total, MOST));
    }
  }

  /** How many requests come in all. */
  long count() {
    return steady(rate, lengthMicros).longValueExact()
        + bursts.stream().mapToLong(Burst::size).sum();
  }

  /** Tells the time of every request, in order; at equal times steady ones come first. */
  void forEach(LongConsumer action) {
    long steadyLeft = steady(rate, lengthMicros).longValueExact();
    long at = 0;
    long fraction = 0;
    int nextBurst = 0;
    for (; steadyLeft > 0; steadyLeft--) {
      nextBurst = burstsBefore(at, nextBurst, action);
      action.accept(at);
      // Steps by period / count with the remainder carried along: exact, and nothing overflows.
      at += rate.periodMicros() / rate.count();
      fraction += rate.periodMicros() % rate.count();
      if (fraction >= rate.count()) {
        at++;
        fraction -= rate.count();
      }
    }
    burstsBefore(lengthMicros, nextBurst, action);
  }

  private int burstsBefore(long limitMicros, int first, LongConsumer action) {
    int next = first;
    for (; next < bursts.size() && bursts.get(next).atMicros() < limitMicros; next++) {
      Burst burst = bursts.get(next);
      for (long i = 0; i < burst.size(); i++) {
        action.accept(burst.atMicros());
      }
    }
    return next;
  }

  /**
   * floor(k * period / count) is before the end for every k below ceil(length * count / period).
   */
  private static BigInteger steady(ArrivalRate rate, long lengthMicros) {
    BigInteger period = BigInteger.valueOf(rate.periodMicros());
    return BigInteger.valueOf(lengthMicros)
        .multiply(BigInteger.valueOf(rate.count()))
        .add(period)
        .subtract(BigInteger.ONE)
        .divide(period);
  }
}
