package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.change.AdminAudit;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.database.DatabaseException;
import dev.weir.control.testing.Databases;
import dev.weir.policy.config.ConfigReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Imports on a server that dies now and then. */
abstract class PostgresConfigurationExportContract extends ConfigurationExportContract {
  private static final int KILLS = Integer.getInteger("weir.control.kills", 4);
  private static final int RULES = 1_000;

  PostgresConfigurationExportContract(Databases databases) {
    super(databases);
  }

  private static String rules(int first, String limit) {
    StringBuilder text = new StringBuilder();
    for (int i = first; i < first + RULES; i++) {
      text.append(
          "[[rule]]\nname = \"r%04d\"\nmatch = { user = \"u%d\" }\nlimits = [\"%s\"]\n\n"
              .formatted(i, i, limit));
    }
    return text.toString();
  }

  @Test
  @DisplayName("T64, T65: a server killed in the middle of an import has all of it or nothing")
  void aServerKilledInTheMiddleOfAnImportHasAllOfItOrNothing() {
    String[] texts = {rules(0, "1/s"), rules(RULES / 2, "2/s")};
    SplittableRandom random = new SplittableRandom(64);
    ConfigurationExport export = export(List.of());
    export.replace("alice", texts[0], "0.toml");
    String[] states = new String[2];
    states[0] = export.export();
    long startNanos = System.nanoTime();
    export.replace("alice", texts[1], "1.toml");
    long usualNanos = System.nanoTime() - startNanos;
    states[1] = export.export();
    long longestNanos = usualNanos;
    int now = 1;
    int changed = 0;
    for (int i = 0; i < KILLS; i++) {
      int next = 1 - now;
      long delayNanos = random.nextLong(longestNanos / 2, longestNanos);
      CompletableFuture<Void> killer =
          CompletableFuture.runAsync(
              () -> databases.server().kill(),
              CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS));
      boolean isAcknowledged = replaced(export, texts[next]);
      killer.join();
      databases.server().restart();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .ignoreException(DatabaseException.class)
          .until(() -> !export.export().isEmpty());
      String state = export.export();
      boolean isAfter = state.equals(states[next]);
      assertThat(isAfter || state.equals(states[now])).as("kill %d: all or nothing", i).isTrue();
      assertThat(isAfter || !isAcknowledged).as("kill %d: what was acknowledged", i).isTrue();
      assertThatAuditAgrees(database);
      changed += isAfter ? 1 : 0;
      // Most kills should come about when it is committed.
      longestNanos = isAfter ? longestNanos * 3 / 4 : longestNanos * 4 / 3;
      now = isAfter ? next : now;
    }
    System.out.printf(
        "%d kills in imports of about %d ms: %d before, %d after%n",
        KILLS, usualNanos / 1_000_000, KILLS - changed, changed);
  }

  private static boolean replaced(ConfigurationExport export, String text) {
    try {
      return !export.replace("alice", text, "next.toml").isEmpty();
    } catch (DatabaseException gone) {
      return false;
    }
  }

  /** The acts that are recorded lead from nothing to what is there. */
  private static void assertThatAuditAgrees(Database database) {
    database.inTransaction(
        "check",
        handle -> {
          assertThat(AdminAudit.firstBroken(handle)).isNull();
          long version = number(handle, "select version from config_version");
          assertThat(number(handle, "select max(version) from admin_audit")).isEqualTo(version);
          assertThat(
                  number(
                      handle,
                      "select count(*) filter (where act = 'rule.create') - count(*) filter (where act = 'rule.delete') from admin_audit"))
              .isEqualTo(number(handle, "select count(*) from rate_limit_rules"))
              .isEqualTo(RULES);
          return version;
        });
  }

  private static long number(Handle handle, String query) {
    return handle.createQuery(query).mapTo(Long.class).one();
  }

  @Test
  void aStoreWithAThousandRulesTakesChangesWithoutReadingThemAllAgain() {
    ConfigurationExport export = export(List.of());
    export.replace("alice", rules(0, "1/s"), "0.toml");
    ConfigurationStore store =
        new ConfigurationStore(
            database,
            new Changes(database),
            () -> ConfigReader.parse("", "weir.toml", Map.of()).policy());
    store.create("alice", EntryKind.BLOCK, Map.of("client", "user:first"));
    long startNanos = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      store.create("alice", EntryKind.BLOCK, Map.of("client", "user:u" + i));
    }
    Duration each = Duration.ofNanos(System.nanoTime() - startNanos).dividedBy(10);
    System.out.printf("a change beside %d rules takes %d ms%n", RULES, each.toMillis());
    assertThat(each).isLessThan(Duration.ofSeconds(1));
  }
}
