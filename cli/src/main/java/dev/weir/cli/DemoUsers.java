package dev.weir.cli;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The users of the demo. Few of them send most of the requests: the one of rank k sends 1/k of what
 * the first one does (Zipf's law).
 */
final class DemoUsers {
  static final int COUNT = 400;

  private static final List<String> NAMES =
      List.of(
          "ada", "bela", "chen", "dara", "emil", "fay", "goro", "hana", "ivan", "jola", "kofi",
          "lena", "milo", "nora", "omar", "pia", "quin", "rosa", "sven", "tara");

  /** The share of all requests that users up to this rank send. */
  private final double[] shares = new double[COUNT];

  DemoUsers() {
    double sum = 0;
    for (int rank = 0; rank < COUNT; rank++) {
      sum += 1.0 / (rank + 1);
      shares[rank] = sum;
    }
    for (int rank = 0; rank < COUNT; rank++) {
      shares[rank] /= sum;
    }
  }

  /** The rank of the one who asks next, from 0. */
  int next(RandomGenerator random) {
    int found = Arrays.binarySearch(shares, random.nextDouble());
    return Math.min(COUNT - 1, found < 0 ? -found - 1 : found);
  }

  static String name(int rank) {
    int round = rank / NAMES.size();
    return NAMES.get(rank % NAMES.size()) + (round == 0 ? "" : "-" + round);
  }

  /** One in ten pays for much, three for something; some of the others ask often all the same. */
  static String tier(int rank) {
    return switch (rank % 10) {
      case 0 -> "enterprise";
      case 1, 2, 5 -> "pro";
      default -> "free";
    };
  }

  /** Each has an address of its own. */
  static String ip(int rank) {
    return "100.64.%d.%d".formatted(rank / 200, 1 + rank % 200);
  }
}
