package dev.weir.testkit;

import java.util.concurrent.ThreadLocalRandom;

/** The seed of a run: the system property {@code weir.seed}, or a fresh one. */
final class Seed {
  private Seed() {}

  private static final long FIRST =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));

  static long first() {
    return FIRST;
  }
}
