package dev.weir.backtest.suggest;

import java.util.random.RandomGenerator;

/**
 * A hash of texts under a random key: the text as a polynomial at a random place modulo a prime,
 * times a random factor, plus a random number. Of any two texts that are not equal the hashes are
 * as good as independent, whoever chose the texts.
 */
final class ClientHash {
  /** 2^61 - 1: hashes are from 0 to below it. */
  static final long PRIME = (1L << 61) - 1;

  private final long place;
  private final long factor;
  private final long start;

  ClientHash(RandomGenerator random) {
    this.place = random.nextLong(2, PRIME);
    this.factor = random.nextLong(1, PRIME);
    this.start = random.nextLong(PRIME);
  }

  long of(String text) {
    // The length first, so that texts that differ are polynomials that differ.
    long sum = text.length() + 1L;
    for (int i = 0; i < text.length(); i++) {
      sum = reduced(times(sum, place) + text.charAt(i));
    }
    return reduced(times(sum, factor) + start);
  }

  /** The product of two numbers below the prime, below the prime. */
  private static long times(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    return reduced((low & PRIME) + (high << 3 | low >>> 61));
  }

  /** Of a number below twice the prime. */
  private static long reduced(long sum) {
    return sum >= PRIME ? sum - PRIME : sum;
  }
}
