package dev.weir.control.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several instances and floods, on a real server. {@link PostgresKeysLongIT} has the numbers and
 * the times.
 */
class PostgresKeysIT {
  /** Only bounds a failure. */
  private static final Duration LONG = Duration.ofSeconds(60);

  /** The feed never polls: what an instance learns, it was notified of. */
  private static final ChangeFeed.Intervals NOTIFIED =
      new ChangeFeed.Intervals(Duration.ofHours(1), Duration.ofMillis(10));

  private final Databases databases = Databases.postgres(PostgresServer.Version.V18);
  @TempDir Path folder = Path.of("");

  @Test
  void aRevokedKeyEndsOnEveryInstance() {
    Databases.Source source = databases.migrated(folder);
    try (Instance here = new Instance(source, NOTIFIED);
        Instance there = new Instance(source, NOTIFIED)) {
      for (int i = 0; i < 10; i++) {
        NewKey made = here.keyStore.create("admin", "alice", KeySettings.none());
        Awaitility.await()
            .atMost(LONG)
            .pollInterval(Duration.ofMillis(2))
            .until(
                () ->
                    there.waitAndFind(made.key()) != null && here.waitAndFind(made.key()) != null);
        here.keyStore.revoke("admin", made.row().id(), null);
        Awaitility.await()
            .atMost(LONG)
            .pollInterval(Duration.ofMillis(2))
            .until(() -> there.keys.find(made.key()) == null && here.keys.find(made.key()) == null);
      }
    }
  }

  @Test
  void aQuotaThatWasPutHoldsOnEveryInstance() {
    Databases.Source source = databases.migrated(folder);
    try (Instance here = new Instance(source, NOTIFIED);
        Instance there = new Instance(source, NOTIFIED)) {
      assertThat(there.users.find("alice")).isNull();
      here.quotaStore.put("admin", "alice", QuotaSettings.none().withMonthlyQuota(9L), null);
      Awaitility.await()
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(2))
          .until(
              () ->
                  new Users.User("alice", null, OwnLimits.ofUser(List.of(), 9L))
                      .equals(there.users.find("alice")));
    }
  }

  @Test
  void aFloodOfUnknownKeysMakesFewLookUps() {
    ManualTime time = TimeSource.manual(Instant.parse("2026-03-30T12:00:00Z"));
    try (Instance instance = new Instance(databases.migrated(folder), NOTIFIED);
        // One that has not read all keys, as if there was no room for them.
        StoredKeys some = new StoredKeys(instance.database, CacheOptions.defaults(), time)) {
      String known = instance.keyStore.create("admin", "alice", KeySettings.none()).key();
      Awaitility.await().atMost(LONG).until(() -> some.find(known) != null);
      long before = some.statistics().lookUps();
      for (int second = 1; second <= 2; second++) {
        for (int i = 0; i < 2_000; i++) {
          assertThat(some.find(KeyText.random().whole())).isNull();
          assertThat(some.find(known)).isNotNull();
        }
        // The clock stands still. Look-ups of an earlier second may begin late.
        assertThat(some.statistics().lookUps() - before).isBetween(1L, 200L * second);
        time.advance(Duration.ofSeconds(1));
      }
    }
  }

  @Test
  void aFloodOfUnknownKeysMakesNoLookUpsWhereAllKeysAreKnown() {
    try (Instance instance = new Instance(databases.migrated(folder), NOTIFIED)) {
      String known = instance.keyStore.create("admin", "alice", KeySettings.none()).key();
      // The key itself may be looked up before the feed has read all keys for the first time.
      instance.keys.readAll();
      assertThat(instance.keys.find(known)).isNotNull();
      long lookUpsBefore = instance.keys.statistics().lookUps();
      for (int i = 0; i < 2_000; i++) {
        String stranger = KeyText.random().whole();
        assertThat(instance.keys.awaited(stranger)).isNull();
        assertThat(instance.keys.find(stranger)).isNull();
      }
      assertThat(instance.keys.find(known)).isNotNull();
      assertThat(instance.keys.statistics().lookUps()).isEqualTo(lookUpsBefore);
    }
  }

  @Test
  void moreKeysThanAreReadAtOnceAreAllKnown() {
    try (Instance instance = new Instance(databases.migrated(folder), NOTIFIED)) {
      List<String> all = insertMany(instance.database, 2_500);
      instance.keys.readAll();
      for (String key : all) {
        assertThat(instance.keys.find(key)).isNotNull();
      }
      assertThat(instance.keys.find(KeyText.random().whole())).isNull();
    }
  }

  static List<String> insertMany(Database database, int count) {
    List<String> keys = new ArrayList<>();
    database
        .jdbiForLongWork()
        .useTransaction(
            handle -> {
              handle.execute("insert into user_quotas (user_id) values ('alice')");
              var batch =
                  handle.prepareBatch(
                      "insert into api_keys (api_key_id, api_key_hash, user_id)"
                          + " values (:id, :hash, 'alice')");
              for (int i = 0; i < count; i++) {
                KeyText key = KeyText.random();
                keys.add(key.whole());
                batch.bind("id", key.id()).bind("hash", key.fingerprint().hex()).add();
                if (batch.size() == 5_000) {
                  batch.execute();
                }
              }
              batch.execute();
            });
    return keys;
  }
}
