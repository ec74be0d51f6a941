package dev.weir.control.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.testing.Databases;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What holds on PostgreSQL, on a real server that is broken now and then. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PostgresDatabaseContract extends DatabaseContract {
  /** Only bounds a failure. */
  private static final Duration LONG = Duration.ofSeconds(60);

  /** A call on a server that does not answer fails soon. */
  private static final DatabaseTimeouts SHORT =
      new DatabaseTimeouts(
          Duration.ofSeconds(3),
          Duration.ofSeconds(2),
          Duration.ofSeconds(1),
          Duration.ofMillis(250),
          Duration.ofMillis(250),
          Duration.ofMillis(10));

  /** So does an attempt to connect. */
  private static final DatabaseTimeouts SHORT_LOGIN =
      new DatabaseTimeouts(
          Duration.ofSeconds(1),
          SHORT.answer(),
          SHORT.statement(),
          SHORT.pool(),
          SHORT.validation(),
          SHORT.retry());

  private static final String VERSION = "select cast(version as text) from config_version";

  private final Databases shared;

  /** With a server that may be killed. */
  private final Databases breakable;

  PostgresDatabaseContract(PostgresServer.Version version) {
    this.shared = Databases.postgres(version);
    this.breakable = Databases.privatePostgres(version);
  }

  @AfterAll
  void stop() {
    breakable.close();
  }

  @Override
  DatabaseSettings emptyDatabase() {
    return shared.empty(folder).settings();
  }

  @Override
  DatabaseSettings migratedDatabase() {
    return shared.migrated(folder).settings();
  }

  @Test
  void knowsItself() {
    DatabaseSettings settings = migratedDatabase();
    try (Database database =
        open(
            new DatabaseSettings(
                settings.url() + "?ApplicationName=other", settings.user(), settings.password()))) {
      assertThat(database.vendor()).isEqualTo(Vendor.POSTGRESQL);
      assertThat(database).hasToString(settings.url());
      assertThat(setting(database.jdbi(), "application_name")).isEqualTo("other");
      assertThat(setting(database.jdbi(), "statement_timeout")).isEqualTo("4s");
      assertThat(setting(database.jdbiForLongWork(), "statement_timeout")).isEqualTo("0");
    }
  }

  private static String setting(Jdbi jdbi, String name) {
    return jdbi.withHandle(handle -> handle.createQuery("show " + name).mapTo(String.class).one());
  }

  @Test
  void decisionsAreFoundByIndexesInTheirMonth() {
    try (Database database = open(migratedDatabase())) {
      Partitions.of(database)
          .create(MonthlyTable.AUDIT_LOGS, YearMonth.of(2026, 1), YearMonth.of(2026, 12));
      database
          .jdbiForLongWork()
          .useHandle(
              handle -> {
                handle.execute(
                    """
                    insert into rate_limit_audit_logs (timestamp, user_id, decision)
                    select timestamptz '2026-01-01 00:00:00+00' + n * interval '5 minutes',
                      'user-' || n % 100, case n % 50 when 0 then 'blocked' else 'throttled' end
                    from generate_series(1, 100000) n
                    """);
                handle.execute("analyze rate_limit_audit_logs");
              });
      assertThat(plan(database, AuditQueries.BY_USER))
          .containsPattern("Index Scan (Backward using|on) rate_limit_audit_logs_2026_05_user_id")
          .doesNotContain("Seq Scan")
          .doesNotContainPattern("_2026_(?!05)");
      assertThat(plan(database, AuditQueries.BY_DECISION))
          .containsPattern("Index Scan (Backward using|on) rate_limit_audit_logs_2026_05_decision")
          .doesNotContain("Seq Scan")
          .doesNotContainPattern("_2026_(?!05)");
      assertThat(plan(database, AuditQueries.BY_TIME))
          .contains("Index Scan Backward using rate_limit_audit_logs_2026_05_pkey")
          .doesNotContain("Seq Scan")
          .doesNotContain("Sort")
          .doesNotContainPattern("_2026_(?!05)");
      // A page of all months looks at the latest that has rows, and stops when it is full.
      assertThat(plan(database, "analyze", AuditQueries.LATEST))
          .doesNotContain("Seq Scan")
          .containsPattern("rate_limit_audit_logs_2026_05_pkey on .* \\(never executed\\)");
    }
  }

  @Test
  void metricsAreFoundByGranularityAndTimeInTheirMonth() {
    try (Database database = open(migratedDatabase())) {
      Partitions.of(database)
          .create(MonthlyTable.METRICS, YearMonth.of(2026, 1), YearMonth.of(2026, 12));
      database
          .jdbiForLongWork()
          .useHandle(
              handle -> {
                handle.execute(
                    """
                    insert into rate_limit_metrics (granularity, timestamp, endpoint, allowed_requests)
                    select case n % 60 when 0 then 'minute' else 'hour' end,
                      timestamptz '2026-04-20 00:00:00+00' + n * interval '30 seconds', n, 1
                    from generate_series(1, 100000) n
                    """);
                handle.execute("analyze rate_limit_metrics");
              });
      assertThat(plan(database, AuditQueries.METRICS))
          .containsPattern("Index Scan (using|on) rate_limit_metrics_2026_05_pkey")
          .doesNotContain("Seq Scan")
          .doesNotContainPattern("_2026_(?!05)");
    }
  }

  private static String plan(Database database, String query) {
    return plan(database, "costs off", query);
  }

  private static String plan(Database database, String options, String query) {
    return Rows.query(database.jdbi(), "explain (%s) %s".formatted(options, query)).stream()
        .map(row -> String.join("", row.values()))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void severalInstancesMakePartitionsAtOnce() throws Exception {
    DatabaseSettings settings = migratedDatabase();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Database database = open(settings)) {
      Callable<List<YearMonth>> create =
          () ->
              Partitions.of(database)
                  .create(MonthlyTable.AUDIT_LOGS, YearMonth.of(2030, 1), YearMonth.of(2030, 12));
      List<YearMonth> made = new ArrayList<>();
      for (Future<List<YearMonth>> each :
          threads.invokeAll(List.of(create, create, create, create))) {
        made.addAll(each.get());
      }
      assertThat(made).hasSize(12).doesNotHaveDuplicates();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void severalInstancesStartAtOnce() throws Exception {
    DatabaseSettings settings = emptyDatabase();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      Callable<Integer> start =
          () -> {
            try (Database database = open(settings)) {
              return Rows.tables(database.jdbi()).size();
            }
          };
      for (Future<Integer> each : threads.invokeAll(List.of(start, start, start))) {
        assertThat(each.get()).isEqualTo(13);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aStatementThatTakesTooLongIsGivenUp() {
    try (Database database = shared.migrated(folder).open(SHORT)) {
      assertFails(database, "select cast(pg_sleep(600) as text)");
      awaitWorking(database);
    }
  }

  @Test
  void aKilledServerFailsCallsAndServesAgainOnceRestarted() {
    try (Database database = breakable.migrated(folder).open(SHORT)) {
      awaitWorking(database);
      breakable.server().kill();
      for (int i = 0; i < 3; i++) {
        assertFails(database, VERSION);
      }
      breakable.server().restart();
      awaitWorking(database);
    } finally {
      breakable.restartIfDead();
    }
  }

  @Test
  void aFrozenServerFailsCallsAndServesAgainOnceItGoesOn() {
    Databases.Source source = breakable.migrated(folder);
    try (Database database = source.open(SHORT)) {
      awaitWorking(database);
      breakable.server().pause();
      try {
        for (int i = 0; i < 3; i++) {
          assertFails(database, VERSION);
        }
        assertThatThrownBy(() -> source.open(SHORT_LOGIN))
            .isInstanceOf(DatabaseException.class)
            .hasMessageStartingWith("cannot connect to " + source.settings().url() + ": ");
      } finally {
        breakable.server().resume();
      }
      awaitWorking(database);
    }
  }

  private static void assertFails(Database database, String query) {
    assertThatThrownBy(
            () ->
                database
                    .jdbi()
                    .withHandle(handle -> handle.createQuery(query).mapTo(String.class).one()))
        .isInstanceOf(JdbiException.class);
  }

  private static void awaitWorking(Database database) {
    Awaitility.await()
        .atMost(LONG)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(version(database)).isZero());
  }

  private static int version(Database database) {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery("select version from config_version")
                    .mapTo(Integer.class)
                    .one());
  }

  @Test
  void aServerThatIsNotThereIsSaidSoInOneLine() {
    DatabaseSettings right = emptyDatabase();
    String nowhere = "jdbc:postgresql://127.0.0.1:1/weir";
    assertThatThrownBy(
            () ->
                open(
                    new DatabaseSettings(
                        nowhere + "?password=hidden", right.user(), right.password())))
        .isInstanceOf(DatabaseException.class)
        .hasMessageMatching(
            "cannot connect to " + nowhere + ": Connection to 127\\.0\\.0\\.1:1 refused\\..*")
        .satisfies(
            e -> assertThat(e.getMessage()).doesNotContain("\n", "hidden", right.password()));
    assertThatThrownBy(
            () ->
                open(
                    new DatabaseSettings(
                        shared.server().jdbcUrl("nothing_there"), right.user(), right.password())))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("database \"nothing_there\" does not exist");
    assertThatThrownBy(() -> open(new DatabaseSettings("jdbc:mysql://127.0.0.1/weir", "", "")))
        .hasMessage(
            "database.url must start with jdbc:postgresql: or be empty for the embedded database");
  }

  @Test
  void aServerThatIsDownAtTheStartIsUsedAsSoonAsItIsUp() {
    Databases.Source source = breakable.empty(folder);
    breakable.server().kill();
    try (Database database = source.openInBackground(SHORT)) {
      assertThat(database.awaitOpen(Duration.ofMillis(1))).isFalse();
      Awaitility.await()
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> database.inTransaction("read from", handle -> 1))
                      .isInstanceOf(DatabaseException.class)
                      .hasMessageStartingWith(
                          "cannot connect to " + source.settings().url() + ": "));
      breakable.server().restart();
      assertThat(database.awaitOpen(LONG)).isTrue();
      awaitWorking(database);
    } finally {
      breakable.restartIfDead();
    }
  }
}
