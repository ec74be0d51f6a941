package dev.weir.control.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.control.change.ChangeFeed;
import dev.weir.control.database.Database;
import dev.weir.control.quotas.QuotaSettings;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.testing.Databases;
import dev.weir.policy.OwnLimits;
import dev.weir.policy.Users;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** How fast revocations and quotas spread, floods, and many keys, on a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class PostgresKeysLongIT {
  private static final TimeSource TIME = TimeSource.system();
  private static final ChangeFeed.Intervals INTERVALS = ChangeFeed.Intervals.defaults();

  private final Databases databases = Databases.postgres(PostgresServer.Version.V18);
  @TempDir Path folder = Path.of("");

  @Test
  void aRevokedKeyEndsOnEveryInstanceWithinASecond() {
    Databases.Source source = databases.migrated(folder);
    long[] nanos = new long[30];
    try (Instance here = new Instance(source, INTERVALS);
        Instance there = new Instance(source, INTERVALS)) {
      for (int i = 0; i < nanos.length; i++) {
        NewKey made = here.keyStore.create("admin", "alice", KeySettings.none());
        Awaitility.await().until(() -> there.waitAndFind(made.key()) != null);
        Awaitility.await().until(() -> here.waitAndFind(made.key()) != null);
        here.keyStore.revoke("admin", made.row().id(), null);
        long start = System.nanoTime();
        Awaitility.await()
            .pollInterval(Duration.ofMillis(1))
            .atMost(Duration.ofSeconds(10))
            .until(() -> there.keys.find(made.key()) == null && here.keys.find(made.key()) == null);
        nanos[i] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanos);
    System.out.printf(
        "revoked everywhere after %.1f ms (median), %.1f ms (longest)%n",
        nanos[nanos.length / 2] / 1e6, nanos[nanos.length - 1] / 1e6);
    assertThat(nanos[nanos.length - 1]).isLessThan(Duration.ofSeconds(1).toNanos());
  }

  @Test
  void aQuotaThatWasPutHoldsOnEveryInstanceWithinASecond() {
    Databases.Source source = databases.migrated(folder);
    try (Instance here = new Instance(source, INTERVALS);
        Instance there = new Instance(source, INTERVALS)) {
      assertThat(there.users.find("alice")).isNull();
      here.quotaStore.put("admin", "alice", QuotaSettings.none().withMonthlyQuota(9L), null);
      Awaitility.await()
          .atMost(Duration.ofSeconds(1))
          .until(
              () ->
                  new Users.User("alice", null, OwnLimits.ofUser(List.of(), 9L))
                      .equals(there.users.find("alice")));
    }
  }

  @Test
  void aFloodOfUnknownKeysMakesFewLookUps() {
    try (Instance instance = new Instance(databases.migrated(folder), INTERVALS);
        // One that has not read all keys, as if there was no room for them.
        StoredKeys some = new StoredKeys(instance.database, CacheOptions.defaults(), TIME)) {
      String known = instance.keyStore.create("admin", "alice", KeySettings.none()).key();
      Awaitility.await().until(() -> some.find(known) != null);
      List<String> strangers = new ArrayList<>();
      for (int i = 0; i < 100_000; i++) {
        strangers.add(KeyText.random().whole());
      }
      long scansBefore = scans(instance.database);
      long lookUpsBefore = some.statistics().lookUps();
      long start = System.nanoTime();
      for (String stranger : strangers) {
        assertThat(some.find(stranger)).isNull();
        assertThat(some.find("wk_" + stranger.substring(4))).isNull();
        assertThat(some.find(known)).isNotNull();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      long most = 200 * (long) (Math.ceil(seconds) + 1);
      Awaitility.await()
          .atMost(Duration.ofSeconds(40))
          .until(
              () ->
                  scans(instance.database) - scansBefore
                      >= some.statistics().lookUps() - lookUpsBefore);
      long lookUps = some.statistics().lookUps() - lookUpsBefore;
      // Some from before the flood may be counted late.
      assertThat(scans(instance.database) - scansBefore).isBetween(lookUps, lookUps + 20);
      System.out.printf(
          "100,000 unknown keys in %.2f s: %d look-ups, counted by the server%n", seconds, lookUps);
      assertThat(lookUps).isBetween(1L, most);
    }
  }

  /** How often rows of keys were looked for by id, as the server counts. */
  private static long scans(Database database) {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        "select coalesce(sum(idx_scan), 0) from pg_stat_user_indexes"
                            + " where indexrelname = 'api_keys_pkey'")
                    .mapTo(Long.class)
                    .one());
  }

  @Test
  void manyKeysAreFoundQuickly() {
    try (Instance instance = new Instance(databases.migrated(folder), INTERVALS)) {
      List<String> all = PostgresKeysIT.insertMany(instance.database, 100_000);
      long loading = System.nanoTime();
      instance.keys.readAll();
      System.out.printf(
          "100,000 keys are known after %.2f s%n", (System.nanoTime() - loading) / 1e9);
      double best = Double.MAX_VALUE;
      for (int round = 0; round < 10; round++) {
        long start = System.nanoTime();
        for (String key : all) {
          Objects.requireNonNull(instance.keys.find(key));
        }
        best = Math.min(best, (System.nanoTime() - start) / (double) all.size());
      }
      System.out.printf("find with 100,000 keys known: %.0f ns%n", best);
    }
  }
}
