package dev.weir.control.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.weir.policy.config.DatabaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.assertj.core.api.SoftAssertions;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.result.ResultIterable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds on every database. */
abstract class DatabaseContract {
  private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

  /** The version of the first schema that anybody had. */
  private static final String FIRST = "1.1";

  private static final String NEWEST = "2";

  @TempDir Path folder = Path.of("");

  @BeforeAll
  static void onlyWarnings() {
    POOL.setLevel(Level.WARNING);
  }

  /** A database without anything in it, another one each time. */
  abstract DatabaseSettings emptyDatabase();

  /** A database whose schema is up to date, another one each time. */
  abstract DatabaseSettings migratedDatabase();

  Database open(DatabaseSettings settings) {
    return Database.open(settings, folder);
  }

  @Test
  void migratesFromEmpty() {
    try (Database database = open(emptyDatabase())) {
      assertThat(database.schemaVersion()).isEqualTo(NEWEST);
      assertThat(Rows.tables(database.jdbi()))
          .containsExactly(
              "admin_audit",
              "api_keys",
              "archive_jobs",
              "audit_journals",
              "blocks",
              "config_version",
              "endpoints",
              "exemptions",
              "rate_limit_audit_logs",
              "rate_limit_metrics",
              "rate_limit_rules",
              "tiers",
              "user_quotas");
      assertThat(Rows.of(database.jdbi(), "config_version"))
          .singleElement()
          .satisfies(row -> assertThat(row).contains(entry("id", "1"), entry("version", "0")));
    }
  }

  @Test
  void migratingTwiceChangesNothing() {
    DatabaseSettings settings = migratedDatabase();
    List<?> columns;
    List<?> history;
    try (Database database = open(settings)) {
      Rows.insertEverywhere(database.jdbi());
      columns = columns(database.jdbi());
      history = Rows.of(database.jdbi(), "schema_history");
    }
    try (Database database = open(settings)) {
      assertThat(columns(database.jdbi())).isEqualTo(columns).hasSizeGreaterThan(100);
      assertThat(Rows.of(database.jdbi(), "schema_history")).isEqualTo(history).isNotEmpty();
      assertThat(Rows.of(database.jdbi(), "rate_limit_rules")).hasSize(1);
    }
  }

  private static List<Map<String, String>> columns(Jdbi jdbi) {
    return Rows.query(
        jdbi,
        """
        select table_name, column_name, ordinal_position, data_type, is_nullable, column_default
        from information_schema.columns where lower(table_schema) = 'public'
        order by table_name, ordinal_position
        """);
  }

  @Test
  void theFirstSchemaWithRowsInEveryTableSurvivesTheNewest() {
    DatabaseSettings settings = emptyDatabase();
    DatabaseAddress address = DatabaseAddress.of(settings, folder, DatabaseTimeouts.defaults());
    assertThat(Migrations.migrate(address, FIRST)).isEqualTo(FIRST);
    Jdbi first = Jdbi.create(address.url(), address.forCalls()).installPlugin(new JavaTypes());
    if (address.vendor() == Vendor.POSTGRESQL) {
      PostgresPartitions.create(first, MonthlyTable.AUDIT_LOGS, Rows.MONTH, Rows.MONTH);
      PostgresPartitions.create(first, MonthlyTable.METRICS, Rows.MONTH, Rows.MONTH);
    }
    Rows.insertEverywhere(first);
    Map<String, List<Map<String, String>>> before = everything(first);
    assertThat(before).hasSize(13).allSatisfy((table, rows) -> assertThat(rows).isNotEmpty());
    assertThat(Rows.of(first, "rate_limit_rules").get(0)).doesNotContainKey("updated_by");

    try (Database database = open(settings)) {
      assertThat(database.schemaVersion()).isEqualTo(NEWEST);
      Jdbi newest = database.jdbi();
      assertThat(Rows.tables(newest)).containsExactlyElementsOf(before.keySet());
      before.forEach(
          (table, rows) -> {
            List<Map<String, String>> after = Rows.of(newest, table);
            assertThat(after).as(table).hasSameSizeAs(rows);
            for (int i = 0; i < rows.size(); i++) {
              assertThat(after.get(i)).as(table).containsAllEntriesOf(rows.get(i));
            }
          });
      assertThat(Rows.of(newest, "rate_limit_rules").get(0)).containsEntry("updated_by", "alice");
      assertThat(Rows.of(newest, "api_keys").get(0)).containsEntry("updated_by", "bob");
    }
  }

  private static Map<String, List<Map<String, String>>> everything(Jdbi jdbi) {
    Map<String, List<Map<String, String>>> rows = new TreeMap<>();
    Rows.tables(jdbi).forEach(table -> rows.put(table, Rows.of(jdbi, table)));
    return rows;
  }

  @Test
  void rulesWrittenByHandNeedNoMoreThanTheyDidInTheDocumentThatWeirWasAskedForWith() {
    try (Database database = open(migratedDatabase())) {
      Rows.execute(
          database.jdbi(),
          """
          INSERT INTO rate_limit_rules
            (rule_name, priority, user_tier, algorithm, requests_per_hour, burst_size)
          VALUES ('free_tier_limit', 700, 'free', 'token_bucket', 1000, 20)
          """,
          """
          INSERT INTO rate_limit_rules
            (rule_name, priority, endpoint_pattern, algorithm, requests_per_second)
          VALUES ('api_v1_limit', 600, '/api/v1/*', 'sliding_window', 100)
          """,
          "INSERT INTO user_quotas (user_id, tier) VALUES ('12345', 'premium')",
          "INSERT INTO api_keys (api_key_hash, user_id, tier) VALUES ('"
              + "0f".repeat(32)
              + "', '12345', 'premium')",
          "INSERT INTO rate_limit_audit_logs (user_id, endpoint, decision) VALUES ('12345', 'chat', 'throttled')");
      List<Map<String, String>> rules =
          Rows.query(database.jdbi(), "select * from rate_limit_rules order by priority desc");
      assertThat(rules)
          .extracting(row -> row.get("rule_name"))
          .containsExactly("free_tier_limit", "api_v1_limit");
      assertThat(rules.get(0))
          .containsEntry("scope", "client")
          .containsEntry("action", "throttle")
          .containsEntry("mode", "enforce")
          .containsEntry("version", "1")
          .containsEntry("response_status", "");
      assertThat(UUID.fromString(String.valueOf(rules.get(0).get("rule_id"))).version())
          .isEqualTo(4);
    }
  }

  @Test
  void whatIsWrongIsRefusedByTheNameOfItsColumn() {
    try (Database database = open(migratedDatabase())) {
      Rows.insertEverywhere(database.jdbi());
      SoftAssertions softly = new SoftAssertions();
      BadRows.BY_COLUMN.forEach(
          (column, statements) -> {
            for (String sql : statements) {
              softly
                  .assertThat(Rows.refusal(database.jdbi(), sql))
                  .as(sql)
                  .containsPattern("\\b(\\w+_)?" + column + "(_\\w+)?\\b");
            }
          });
      softly.assertAll();
    }
  }

  @Test
  void javaValuesComeBackAsTheyWereInEveryTimeZone() {
    TimeZone zone = TimeZone.getDefault();
    try (Database database = open(migratedDatabase())) {
      // In New York half past one comes twice on that day.
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      Instant time = Instant.parse("2026-11-01T06:30:00.123456Z");
      LocalDate day = LocalDate.of(2026, 3, 8);
      database
          .jdbi()
          .useHandle(
              handle ->
                  handle
                      .createUpdate(
                          """
                          insert into user_quotas (user_id, last_request_at, usage_day, tier)
                          values (:user, :time, :day, :tier)
                          """)
                      .bind("user", "wörter, \"quoted\" 'and' :more ?")
                      .bind("time", time.plusNanos(999))
                      .bind("day", day)
                      .bind("tier", (String) null)
                      .execute());
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
      database
          .jdbi()
          .useHandle(
              handle -> {
                assertThat(
                        one(
                            handle
                                .createQuery("select user_id from user_quotas")
                                .mapTo(String.class)))
                    .isEqualTo("wörter, \"quoted\" 'and' :more ?");
                assertThat(
                        one(
                            handle
                                .createQuery("select last_request_at from user_quotas")
                                .mapTo(Instant.class)))
                    .isEqualTo(time);
                assertThat(
                        one(
                            handle
                                .createQuery("select usage_day from user_quotas")
                                .mapTo(LocalDate.class)))
                    .isEqualTo(day);
              });
    } finally {
      TimeZone.setDefault(zone);
    }
  }

  private static <T> T one(ResultIterable<T> rows) {
    return rows.one();
  }

  @Test
  void textsBecomeJsonAddressesAndArraysWithoutACast() {
    try (Database database = open(migratedDatabase())) {
      UUID id = UUID.randomUUID();
      database
          .jdbi()
          .useHandle(
              handle -> {
                handle
                    .createUpdate(
                        """
                        insert into rate_limit_rules (rule_id, rule_name, ip_range, match_more, limits)
                        values (:id, :name, :range, :more, :limits)
                        """)
                    .bind("id", id)
                    .bind("name", "by_hand")
                    .bind("range", "10.0.0.0/8")
                    .bind("more", "{\"user\": [\"alice\"]}")
                    .bindArray("limits", String.class, List.of("2/10m", "5/h sliding_log"))
                    .execute();
                handle
                    .createUpdate(
                        "insert into rate_limit_audit_logs (ip_address, decision) values (:ip, 'blocked')")
                    .bind("ip", "2001:db8::1")
                    .execute();
                handle
                    .createUpdate(
                        """
                        insert into rate_limit_metrics (granularity, timestamp, latency_sketch)
                        values ('minute', :time, :sketch)
                        """)
                    .bind("time", Instant.now())
                    .bind("sketch", new byte[] {0, 1, -1})
                    .execute();
                assertThat(
                        one(
                            handle
                                .createQuery(
                                    "select limits from rate_limit_rules where rule_id = :id")
                                .bind("id", id)
                                .mapTo(String[].class)))
                    .containsExactly("2/10m", "5/h sliding_log");
                assertThat(
                        one(
                            handle
                                .createQuery("select ip_range from rate_limit_rules")
                                .mapTo(String.class)))
                    .isEqualTo("10.0.0.0/8");
                assertThat(
                        one(
                            handle
                                .createQuery("select match_more from rate_limit_rules")
                                .mapTo(String.class)))
                    .isEqualTo("{\"user\": [\"alice\"]}");
                assertThat(
                        one(
                            handle
                                .createQuery("select ip_address from rate_limit_audit_logs")
                                .mapTo(String.class)))
                    .isEqualTo("2001:db8::1");
                assertThat(
                        one(
                            handle
                                .createQuery("select latency_sketch from rate_limit_metrics")
                                .mapTo(byte[].class)))
                    .containsExactly(0, 1, -1);
              });
    }
  }

  @Test
  void everyMonthOfTheNextYearHasAPlace() {
    try (Database database = open(migratedDatabase())) {
      YearMonth thisMonth = YearMonth.now(ZoneOffset.UTC);
      for (int i = -1; i <= 12; i++) {
        Instant start = thisMonth.plusMonths(i).atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        Instant end = thisMonth.plusMonths(i + 1).atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        Rows.insertAt(database.jdbi(), start);
        Rows.insertAt(database.jdbi(), end.minusNanos(1_000));
      }
      assertThat(Rows.of(database.jdbi(), "rate_limit_audit_logs")).hasSize(28);
      assertThat(Rows.of(database.jdbi(), "rate_limit_metrics")).hasSize(28);
      for (MonthlyTable table : MonthlyTable.values()) {
        assertThat(Partitions.of(database).list(table))
            .hasSize(14)
            .startsWith(thisMonth.minusMonths(1))
            .endsWith(thisMonth.plusMonths(12))
            .isSorted();
      }
    }
  }

  @Test
  void aMonthIsDetachedWithItsRowsAndDroppedAfterwards() {
    try (Database database = open(migratedDatabase())) {
      Partitions partitions = Partitions.of(database);
      YearMonth month = YearMonth.of(2025, 12);
      partitions.create(MonthlyTable.AUDIT_LOGS, month, month.plusMonths(1));
      partitions.create(MonthlyTable.METRICS, month, month.plusMonths(1));
      for (String time :
          List.of("2025-12-01T00:00:00Z", "2025-12-31T23:59:59.999999Z", "2026-01-01T00:00:00Z")) {
        Rows.insertAt(database.jdbi(), Instant.parse(time));
      }
      for (MonthlyTable table : MonthlyTable.values()) {
        List<Map<String, String>> rows = Rows.of(database.jdbi(), table.table());
        assertThat(partitions.detach(table, month)).isTrue();
        assertThat(partitions.listDetached(table)).containsExactly(month);
        assertThat(partitions.list(table)).doesNotContain(month).contains(month.plusMonths(1));
        assertThat(Rows.of(database.jdbi(), table.detached(month))).isEqualTo(rows.subList(0, 2));
        assertThat(Rows.of(database.jdbi(), table.table())).isEqualTo(rows.subList(2, 3));
        assertThat(partitions.detach(table, month)).isFalse();

        // Rows that come late find a place, and do not get mixed up with the others.
        partitions.create(table, month, month);
        Rows.insertAt(database.jdbi(), table, Instant.parse("2025-12-24T00:00:00Z"));
        assertThatThrownBy(() -> partitions.detach(table, month))
            .hasMessage(table.table() + "_2025_12_detached is still there; drop it first");
        assertThat(Rows.of(database.jdbi(), table.detached(month))).hasSize(2);

        assertThat(partitions.dropDetached(table, month)).isTrue();
        assertThat(partitions.dropDetached(table, month)).isFalse();
        assertThat(partitions.listDetached(table)).isEmpty();
        assertThat(partitions.drop(table, month)).isTrue();
        assertThat(partitions.drop(table, month)).isFalse();
        assertThat(Rows.of(database.jdbi(), table.table())).isEqualTo(rows.subList(2, 3));
      }
    }
  }

  @Test
  void aSchemaOfANewerProgramIsLeftAlone() {
    DatabaseSettings settings = migratedDatabase();
    try (Database database = open(settings)) {
      Rows.execute(
          database.jdbi(),
          """
          insert into schema_history (installed_rank, version, description, type, script, checksum,
            installed_by, execution_time, success)
          values (99, '99', 'of the future', 'SQL', 'V99__of_the_future.sql', 1, 'weir', 1, true)
          """);
    }
    assertThatThrownBy(() -> open(settings))
        .isInstanceOf(DatabaseException.class)
        .hasMessage(
            "the schema of %s has version 99, and this program knows versions up to 2; run a newer one"
                .formatted(DatabaseAddress.of(settings, folder, DatabaseTimeouts.defaults())));
  }

  @Test
  void aWrongPasswordIsSaidInOneLineWithoutIt() {
    DatabaseSettings right = emptyDatabase();
    open(right).close();
    DatabaseSettings wrong = new DatabaseSettings(right.url(), right.user(), "not-that-one");
    DatabaseAddress address = DatabaseAddress.of(wrong, folder, DatabaseTimeouts.defaults());
    assertThatThrownBy(() -> open(wrong))
        .isInstanceOf(DatabaseException.class)
        .hasMessage(
            "cannot log in to %s as \"%s\": wrong user or password; see database.user and database.password"
                .formatted(address, address.user()));
  }

  @Test
  void oneThatIsOpenedInTheBackgroundIsSoonAsAnyOther() {
    try (Database database = Database.openInBackground(emptyDatabase(), folder)) {
      assertThat(database.awaitOpen(Duration.ofSeconds(60))).isTrue();
      assertThat(database.schemaVersion()).isEqualTo(NEWEST);
      assertThat(Rows.tables(database.jdbi())).hasSize(13);
    }
  }

  @Test
  void oneThatIsClosedBeforeItWasOpenStaysClosed() {
    Database database = Database.openInBackground(emptyDatabase(), folder);
    database.close();
    assertThatThrownBy(() -> database.inTransaction("read", handle -> 1))
        .isInstanceOf(DatabaseException.class);
  }

  @Test
  void readsSeveralThingsAsTheyAreAtOneMoment() {
    try (Database database = open(migratedDatabase())) {
      List<Long> seen =
          database.atOneMoment(
              "read from",
              handle -> {
                long before = version(handle);
                // On a connection of its own; the other one would be the same in this thread.
                database
                    .jdbiForLongWork()
                    .useHandle(other -> other.execute("update config_version set version = 7"));
                return List.of(before, version(handle));
              });
      assertThat(seen).containsExactly(0L, 0L);
      long after = database.inTransaction("read from", DatabaseContract::version);
      assertThat(after).isEqualTo(7);
    }
  }

  private static long version(Handle handle) {
    return handle.createQuery("select version from config_version").mapTo(Long.class).one();
  }
}
