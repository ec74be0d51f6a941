package dev.weir.control.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.testing.Databases;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a look at a wrong key takes tells nothing. Two kinds of wrong keys are measured in
 * random order and compared by Welch's t. What disturbs a measurement makes t large now and then,
 * so one good measurement out of several is enough; a leak would spoil every one of them.
 */
@Tag("long")
class KeyTimingLongIT {
  private static final int CHECKS = 200_000;
  private static final int AT_ONCE = 20;
  private static final int ATTEMPTS = 8;
  private static final double BOUND = 4.5;

  @TempDir Path folder = Path.of("");

  @Test
  @DisplayName("T20: a secret that is nearly right takes as long as one that is all wrong")
  void aNearlyRightSecretTakesAsLongAsAWrongOne() {
    try (Database database = Databases.h2().migrated(folder).open();
        StoredKeys keys = new StoredKeys(database, CacheOptions.defaults(), TimeSource.system())) {
      KeyStore store = new KeyStore(database, new Changes(database, TimeSource.system()));
      String key = store.create("admin", "alice", KeySettings.none()).key();
      know(keys, key);
      assertThat(keys.find(key)).isNotNull();
      String nearly = key.substring(0, key.length() - 1) + other(key.charAt(key.length() - 1));
      StringBuilder wrong = new StringBuilder(key.substring(0, 36));
      key.substring(36).chars().forEach(c -> wrong.append(other((char) c)));
      assertIndistinguishable(keys, nearly, wrong.toString());
    }
  }

  @Test
  @DisplayName("T20: an id that nobody has costs the same work as a wrong secret")
  void anUnknownIdCostsTheSameWorkAsAWrongSecret() {
    try (Database database = Databases.h2().migrated(folder).open();
        StoredKeys keys = new StoredKeys(database, CacheOptions.defaults(), TimeSource.system())) {
      KeyStore store = new KeyStore(database, new Changes(database, TimeSource.system()));
      String key = store.create("admin", "alice", KeySettings.none()).key();
      String stranger = KeyText.random().whole();
      String wrong = key.substring(0, 36) + stranger.substring(36);
      know(keys, key);
      know(keys, stranger);
      double best = Double.MAX_VALUE;
      for (int attempt = 0; attempt < ATTEMPTS && best > 1.2; attempt++) {
        double[][] nanos = measured(keys, wrong, stranger, attempt);
        double ratio = median(nanos[0]) / median(nanos[1]);
        best = Math.min(best, Math.max(ratio, 1 / ratio));
      }
      System.out.printf("a wrong secret and an unknown id: %.3f times as long%n", best);
      assertThat(best).isLessThan(1.2);
    }
  }

  private static void know(StoredKeys keys, String key) {
    CompletionStage<?> stage = keys.awaited(key);
    if (stage != null) {
      stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
  }

  private static char other(char c) {
    return c == 'x' ? 'y' : 'x';
  }

  private static void assertIndistinguishable(StoredKeys keys, String one, String other) {
    double best = Double.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && best >= BOUND; attempt++) {
      double[][] nanos = measured(keys, one, other, attempt);
      best = Math.min(best, Math.abs(welch(trimmed(nanos[0]), trimmed(nanos[1]))));
    }
    System.out.printf("nearly right and all wrong secrets: t = %.2f%n", best);
    assertThat(best).isLessThan(BOUND);
  }

  /** Nanoseconds for each few checks of the one key and of the other. */
  private static double[][] measured(StoredKeys keys, String one, String other, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int samples = CHECKS / AT_ONCE;
    double[][] nanos = new double[2][samples];
    int[] taken = new int[2];
    long found = 0;
    while (taken[0] < samples || taken[1] < samples) {
      int which = random.nextInt(2);
      String key = which == 0 ? one : other;
      long start = System.nanoTime();
      for (int i = 0; i < AT_ONCE; i++) {
        found += keys.find(key) == null ? 0 : 1;
      }
      long took = System.nanoTime() - start;
      if (taken[which] < samples) {
        nanos[which][taken[which]++] = took;
      }
    }
    assertThat(found).isZero();
    return nanos;
  }

  /** Without the slowest tenth, which is other people's doing. */
  private static double[] trimmed(double[] nanos) {
    double[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return Arrays.copyOf(sorted, sorted.length * 9 / 10);
  }

  private static double median(double[] nanos) {
    double[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double welch(double[] one, double[] other) {
    return (mean(one) - mean(other))
        / Math.sqrt(variance(one) / one.length + variance(other) / other.length);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum()
        / (values.length - 1);
  }
}
