package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.database.DatabaseException;
import dev.weir.control.testing.Databases;
import dev.weir.policy.config.ConfigReader;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Imports of many rules on a server that is killed at random moments. */
@Tag("long")
class ConfigurationKillLongIT {
  private static final int KILLS = TestLevel.amount("weir.control.kills", 4, 100);
  private static final int RULES = 1_000;

  @TempDir Path folder = Path.of("");

  private static ConfigurationExport export(Database database) {
    return new ConfigurationExport(database, new Changes(database), () -> FileText.FILE, List.of());
  }

  private static String rules(int first, String limit) {
    return PostgresConfigurationExportContract.rules(RULES, first, limit);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("T64, T65: a server killed in the middle of an import has all of it or nothing")
  void aServerKilledInTheMiddleOfAnImportHasAllOfItOrNothing(PostgresServer.Version version) {
    try (Databases databases = Databases.privatePostgres(version);
        Database database = databases.migrated(folder).open()) {
      killAgainAndAgain(databases, database);
    }
  }

  private static void killAgainAndAgain(Databases databases, Database database) {
    String[] texts = {rules(0, "1/s"), rules(RULES / 2, "2/s")};
    SplittableRandom random = new SplittableRandom(64);
    ConfigurationExport export = export(database);
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
      PostgresConfigurationExportContract.awaitExport(export);
      String state = export.export();
      boolean isAfter = state.equals(states[next]);
      assertThat(isAfter || state.equals(states[now])).as("kill %d: all or nothing", i).isTrue();
      assertThat(isAfter || !isAcknowledged).as("kill %d: what was acknowledged", i).isTrue();
      PostgresConfigurationExportContract.assertThatAuditAgrees(database, RULES);
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

  @ParameterizedTest
  @EnumSource
  void aStoreWithAThousandRulesTakesChangesWithoutReadingThemAllAgain(
      PostgresServer.Version version) {
    try (Database database = Databases.postgres(version).migrated(folder).open()) {
      changeBesideAThousandRules(database);
    }
  }

  private static void changeBesideAThousandRules(Database database) {
    export(database).replace("alice", rules(0, "1/s"), "0.toml");
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
