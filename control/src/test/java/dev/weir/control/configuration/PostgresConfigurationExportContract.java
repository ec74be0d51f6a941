package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.change.Acts;
import dev.weir.control.change.AdminAudit;
import dev.weir.control.database.Database;
import dev.weir.control.database.DatabaseException;
import dev.weir.control.testing.Databases;
import dev.weir.policy.TomlText;
import dev.weir.policy.config.OtherTable;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Imports on a server that dies; {@link ConfigurationKillLongIT} kills it at random moments. */
abstract class PostgresConfigurationExportContract extends ConfigurationExportContract {
  private static final int RULES = 100;

  PostgresConfigurationExportContract(Databases databases) {
    super(databases);
  }

  @AfterEach
  void restart() {
    databases.restartIfDead();
  }

  /** The text of so many rules. */
  static String rules(int count, int first, String limit) {
    StringBuilder text = new StringBuilder();
    for (int i = first; i < first + count; i++) {
      text.append(
          "[[rule]]\nname = \"r%04d\"\nmatch = { user = \"u%d\" }\nlimits = [\"%s\"]\n\n"
              .formatted(i, i, limit));
    }
    return text.toString();
  }

  /** Kills the server when all the rest of an import is written, but not committed. */
  private final class Killer implements ExportedTable {
    @Override
    public String table() {
      return "killer";
    }

    @Override
    public void export(Handle handle, TomlText toml) {}

    @Override
    public Import begin() {
      return new Import() {
        @Override
        public void read(OtherTable table) {}

        @Override
        public Differences apply(Handle handle, Acts acts, String actor) {
          databases.server().kill();
          return new Differences(List.of(), List.of(), List.of());
        }
      };
    }
  }

  @Test
  @DisplayName("T64, T65: a server killed in the middle of an import has nothing of it")
  void aServerKilledInTheMiddleOfAnImportHasNothingOfIt() {
    ConfigurationExport export = export(List.of());
    export.replace("alice", rules(RULES, 0, "1/s"), "0.toml");
    String before = export.export();
    assertThatThrownBy(
            () ->
                export(List.of(new Killer()))
                    .replace("alice", rules(RULES, RULES / 2, "2/s"), "1.toml"))
        .isInstanceOf(DatabaseException.class);
    databases.server().restart();
    awaitExport(export);
    assertThat(export.export()).isEqualTo(before);
    assertThatAuditAgrees(database, RULES);
  }

  @Test
  @DisplayName("T64, T65: a server killed after an import was acknowledged has all of it")
  void aServerKilledAfterAnImportHasAllOfIt() {
    ConfigurationExport export = export(List.of());
    export.replace("alice", rules(RULES, 0, "1/s"), "0.toml");
    export.replace("alice", rules(RULES, RULES / 2, "2/s"), "1.toml");
    databases.server().kill();
    databases.server().restart();
    awaitExport(export);
    assertThat(export.export()).contains("\"r0149\"", "\"2/s\"").doesNotContain("\"r0049\"");
    assertThatAuditAgrees(database, RULES);
  }

  /** Waits until the server can be used again. */
  static void awaitExport(ConfigurationExport export) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreException(DatabaseException.class)
        .until(() -> !export.export().isEmpty());
  }

  /** The acts that are recorded lead from nothing to what is there. */
  static void assertThatAuditAgrees(Database database, long rules) {
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
              .isEqualTo(rules);
          return version;
        });
  }

  private static long number(Handle handle, String query) {
    return handle.createQuery(query).mapTo(Long.class).one();
  }
}
