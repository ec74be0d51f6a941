package dev.weir.bench;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** In which order keys are asked for; made before the clock starts. */
public enum KeyOrder {
  /** Every key is as likely as any other. */
  UNIFORM {
    @Override
    String[] of(String[] keys, int length) {
      SplittableRandom random = new SplittableRandom(SEED);
      String[] order = new String[length];
      Arrays.setAll(order, i -> keys[random.nextInt(keys.length)]);
      return order;
    }
  },

  /** Zipf's law with exponent 1: the k-th most frequent key is asked for 1/k times as often. */
  ZIPF {
    @Override
    String[] of(String[] keys, int length) {
      double[] upTo = new double[keys.length];
      double sum = 0;
      for (int rank = 0; rank < keys.length; rank++) {
        sum += 1.0 / (rank + 1);
        upTo[rank] = sum;
      }
      double total = sum;
      SplittableRandom random = new SplittableRandom(SEED);
      String[] order = new String[length];
      Arrays.setAll(order, i -> keys[rankOf(random.nextDouble() * total, upTo)]);
      return order;
    }
  };

  private static final long SEED = 42;

  /** A sequence of that many of the keys. */
  abstract String[] of(String[] keys, int length);

  /** Distinct keys, in an order that tells nothing about where they lie in memory. */
  static String[] keys(int count) {
    String[] keys = new String[count];
    Arrays.setAll(keys, i -> "user:" + i);
    List<String> view = Arrays.asList(keys);
    Collections.shuffle(view, new Random(SEED));
    return keys;
  }

  private static int rankOf(double point, double[] upTo) {
    int found = Arrays.binarySearch(upTo, point);
    return Math.min(found < 0 ? -found - 1 : found, upTo.length - 1);
  }
}
