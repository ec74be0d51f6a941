package dev.weir.control.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.testing.Databases;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.TestLevel;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class H2DatabaseIT extends DatabaseContract {
  private static final DatabaseSettings EMBEDDED = new DatabaseSettings("", "", "");

  /** How many decisions there are, spread over most of a year, when plans are looked at. */
  private static final int PLAN_ROWS = TestLevel.amount("weir.control.h2.rows", 5_000, 100_000);

  private static final int YEAR_MINUTES = 500_000;

  /** A folder for each test has a database each. */
  @Override
  DatabaseSettings emptyDatabase() {
    return EMBEDDED;
  }

  @Override
  DatabaseSettings migratedDatabase() {
    Databases.copyEmbedded(folder);
    return EMBEDDED;
  }

  @Test
  void isAFileInTheDataFolder() {
    Path data = folder.resolve("not").resolve("there");
    try (Database database = Database.open(EMBEDDED, data)) {
      assertThat(database.vendor()).isEqualTo(Vendor.H2);
      assertThat(database).hasToString("jdbc:h2:file:" + data.resolve("weir"));
      assertThat(data.resolve("weir.mv.db")).exists();
    }
  }

  @Test
  void aDataFolderThatCannotBeIsSaidSo() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> Database.open(EMBEDDED, file.resolve("data")))
        .isInstanceOf(DatabaseException.class)
        .hasMessageStartingWith("cannot make the data folder " + file.resolve("data"));
    assertThatThrownBy(() -> Database.open(EMBEDDED, folder.resolve("a;b")))
        .hasMessage("the data folder must have no ; in its name, got " + folder.resolve("a;b"));
  }

  @Test
  void aFirstStartThatWasCutOffIsBegunAnew() {
    try (Database database = open(migratedDatabase())) {
      Rows.insertEverywhere(database.jdbi());
      Rows.execute(database.jdbi(), "drop table archive_jobs", "delete from schema_history");
    }
    try (Database database = open(EMBEDDED)) {
      assertThat(Rows.tables(database.jdbi())).hasSize(13);
      assertThat(Rows.of(database.jdbi(), "config_version")).hasSize(1);
      assertThat(Rows.of(database.jdbi(), "rate_limit_rules")).hasSize(1);
    }
  }

  @Test
  void aMigrationThatFailedIsRepeated() {
    try (Database database = open(migratedDatabase())) {
      Rows.execute(
          database.jdbi(), "update schema_history set success = false where version = '2'");
    }
    try (Database database = open(EMBEDDED)) {
      assertThat(database.schemaVersion()).isEqualTo("2");
    }
  }

  @Test
  void aFileThatAnotherProcessHasIsLeftToIt() throws IOException {
    Process other = other();
    try (BufferedReader output = other.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.readLine()).isEqualTo("0");
      assertThatThrownBy(() -> open(EMBEDDED))
          .isInstanceOf(DatabaseException.class)
          .hasMessage(
              "cannot open jdbc:h2:file:%s: another process has it; end that one, or use another data folder"
                  .formatted(folder.resolve("weir")));
    } finally {
      other.destroyForcibly();
      other.onExit().join();
    }
    open(EMBEDDED).close();
  }

  @Test
  void whatWasCommittedIsThereAfterAKill() throws IOException {
    Process other = other();
    int last = 0;
    try (BufferedReader output = other.inputReader(StandardCharsets.UTF_8)) {
      while (last < 100) {
        last = Integer.parseInt(output.readLine());
      }
      // Not by the process itself, which would close the stream.
      other.toHandle().destroyForcibly();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        last = Integer.parseInt(line);
      }
    } finally {
      other.destroyForcibly();
      other.onExit().join();
    }
    try (Database database = open(EMBEDDED)) {
      int version =
          database
              .jdbi()
              .withHandle(
                  handle ->
                      handle
                          .createQuery("select version from config_version")
                          .mapTo(Integer.class)
                          .one());
      assertThat(version).isBetween(last, last + 1);
    }
  }

  private Process other() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            CountingMain.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Opens the database, and counts in it: each number is printed once it is committed. */
  static final class CountingMain {
    private CountingMain() {}

    public static void main(String[] arguments) {
      try (Database database = Database.open(EMBEDDED, Path.of(arguments[0]))) {
        for (int i = 0; ; i++) {
          int version = i;
          database
              .jdbi()
              .useHandle(
                  handle -> handle.execute("update config_version set version = ?", version));
          System.out.println(version);
        }
      }
    }
  }

  @Test
  void decisionsAreFoundByTheirIndexes() {
    try (Database database = open(migratedDatabase())) {
      Rows.execute(
          database.jdbi(),
          """
          insert into rate_limit_audit_logs (timestamp, user_id, decision)
          select dateadd(minute, %d * n, timestamp with time zone '2026-01-01 00:00:00+00'),
            'user-' || mod(n, 100), case mod(n, 50) when 0 then 'blocked' else 'throttled' end
          from (select "X" as n from system_range(1, %d))
          """
              .formatted(YEAR_MINUTES / PLAN_ROWS, PLAN_ROWS));
      assertThat(plan(database, AuditQueries.BY_USER))
          .contains("rate_limit_audit_logs_user_id_idx");
      assertThat(plan(database, AuditQueries.BY_DECISION))
          .contains("rate_limit_audit_logs_decision_idx");
      // By the primary key or the index that reads it backwards.
      assertThat(plan(database, AuditQueries.BY_TIME)).contains("index sorted");
    }
  }

  private static String plan(Database database, String query) {
    return Rows.query(database.jdbi(), "explain " + query).get(0).values().toString();
  }

  @Test
  void thePageAboutTheDatabaseNamesEveryTableAndColumn() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "reference", "database.md"));
    try (Database database = open(migratedDatabase())) {
      List<String> tables = Rows.tables(database.jdbi());
      for (Map<String, String> column :
          Rows.query(
              database.jdbi(),
              "select table_name, column_name from information_schema.columns where table_schema = 'public'")) {
        if (tables.contains(column.get("table_name"))) {
          assertThat(page).contains("`" + column.get("table_name") + "`");
          assertThat(page).contains("`" + column.get("column_name") + "`");
        }
      }
    }
  }
}
