package dev.weir.backtest.suggest;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Requests of a few clients: bursts, steady stretches and rests of all lengths. */
final class RandomLog {
  private static final long SECOND = 1_000_000;
  private static final long START = 1_772_359_200L * SECOND;

  record Entry(long atMicros, String client, long cost) {}

  private RandomLog() {}

  static List<Entry> of(SplittableRandom random, int clients, int requests) {
    List<Entry> entries = new ArrayList<>();
    long at = START + random.nextLong(3_600 * SECOND);
    while (entries.size() < requests) {
      at += gap(random);
      String client = "user:" + random.nextInt(clients);
      for (int left = burst(random); left > 0; left--) {
        entries.add(new Entry(at, client, cost(random)));
        at += random.nextInt(4) == 0 ? random.nextLong(SECOND / 10) : 0;
      }
    }
    return entries;
  }

  private static long gap(SplittableRandom random) {
    return switch (random.nextInt(40)) {
      case 0 -> random.nextLong(5 * 3_600 * SECOND);
      case 1, 2 -> random.nextLong(10) * 60 * SECOND;
      case 3, 4, 5, 6 -> random.nextLong(6) * SECOND;
      default -> random.nextLong(SECOND);
    };
  }

  private static int burst(SplittableRandom random) {
    return switch (random.nextInt(30)) {
      case 0 -> random.nextInt(200);
      case 1, 2, 3 -> random.nextInt(20);
      default -> 1;
    };
  }

  private static long cost(SplittableRandom random) {
    return switch (random.nextInt(20)) {
      case 0 -> 0;
      case 1 -> random.nextLong(1, 5_000);
      case 2, 3 -> random.nextLong(1, 10);
      default -> 1;
    };
  }
}
