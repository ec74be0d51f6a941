package dev.weir.server.metrics;

import java.util.Arrays;
import java.util.Random;

/** Draws clients of which the n-th is drawn 1/n times as often as the first, from a seed. */
final class Zipf {
  private final double[] sums;
  private final Random random;

  Zipf(int clients, long seed) {
    sums = new double[clients];
    double sum = 0;
    for (int i = 0; i < clients; i++) {
      sum += 1.0 / (i + 1);
      sums[i] = sum;
    }
    random = new Random(seed);
  }

  int next() {
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    return Math.min(found < 0 ? -found - 1 : found, sums.length - 1);
  }
}
