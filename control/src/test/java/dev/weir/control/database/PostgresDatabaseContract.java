package dev.weir.control.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
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
  /** In how long a call must fail, on a machine that is busy with other things too. */
  private static final Duration FAILS_WITHIN = Duration.ofSeconds(8);

  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final PostgresServer server;

  PostgresDatabaseContract(PostgresServer.Version version) {
    this.server = PostgresServer.start(version);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Override
  DatabaseSettings emptyDatabase() {
    String name = "weir_" + DATABASES.incrementAndGet();
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return new DatabaseSettings(server.jdbcUrl(name), server.user(), server.password());
  }

  @Test
  void knowsItself() {
    DatabaseSettings settings = emptyDatabase();
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
    try (Database database = open(emptyDatabase())) {
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
    try (Database database = open(emptyDatabase())) {
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
    DatabaseSettings settings = emptyDatabase();
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
    try (Database database = open(emptyDatabase())) {
      assertFailsInTime(database, "select cast(pg_sleep(60) as text)");
      assertThat(version(database)).isZero();
    }
  }

  @Test
  void aKilledServerFailsCallsInSecondsAndServesAgainOnceRestarted() {
    try (Database database = open(emptyDatabase())) {
      assertThat(version(database)).isZero();
      server.kill();
      for (int i = 0; i < 3; i++) {
        assertFailsInTime(database, "select cast(version as text) from config_version");
      }
      server.restart();
      awaitWorking(database);
    } finally {
      restartIfDead();
    }
  }

  @Test
  void aFrozenServerFailsCallsInSecondsAndServesAgainOnceItGoesOn() {
    DatabaseSettings settings = emptyDatabase();
    try (Database database = open(settings)) {
      assertThat(version(database)).isZero();
      server.pause();
      try {
        for (int i = 0; i < 3; i++) {
          assertFailsInTime(database, "select cast(version as text) from config_version");
        }
        long startNanos = System.nanoTime();
        assertThatThrownBy(() -> open(settings))
            .isInstanceOf(DatabaseException.class)
            .hasMessageStartingWith("cannot connect to " + settings.url() + ": ");
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(FAILS_WITHIN);
      } finally {
        server.resume();
      }
      awaitWorking(database);
    }
  }

  private void restartIfDead() {
    if (!server.isAlive()) {
      server.restart();
    }
  }

  private static void assertFailsInTime(Database database, String query) {
    long startNanos = System.nanoTime();
    assertThatThrownBy(
            () ->
                database
                    .jdbi()
                    .withHandle(handle -> handle.createQuery(query).mapTo(String.class).one()))
        .isInstanceOf(JdbiException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(FAILS_WITHIN);
  }

  private static void awaitWorking(Database database) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
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
    String nowhere = "jdbc:postgresql://127.0.0.1:1/weir";
    assertThatThrownBy(
            () ->
                open(
                    new DatabaseSettings(
                        nowhere + "?password=hidden", server.user(), server.password())))
        .isInstanceOf(DatabaseException.class)
        .hasMessageMatching(
            "cannot connect to " + nowhere + ": Connection to 127\\.0\\.0\\.1:1 refused\\..*")
        .satisfies(
            e -> assertThat(e.getMessage()).doesNotContain("\n", "hidden", server.password()));
    assertThatThrownBy(
            () ->
                open(
                    new DatabaseSettings(
                        server.jdbcUrl("nothing_there"), server.user(), server.password())))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("database \"nothing_there\" does not exist");
    assertThatThrownBy(() -> open(new DatabaseSettings("jdbc:mysql://127.0.0.1/weir", "", "")))
        .hasMessage(
            "database.url must start with jdbc:postgresql: or be empty for the embedded database");
  }

  @Test
  void aServerThatIsDownAtTheStartIsUsedAsSoonAsItIsUp() {
    DatabaseSettings settings = emptyDatabase();
    server.kill();
    long startNanos = System.nanoTime();
    try (Database database = Database.openInBackground(settings, folder)) {
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(FAILS_WITHIN);
      assertThat(database.awaitOpen(Duration.ofMillis(100))).isFalse();
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> database.inTransaction("read from", handle -> 1))
                      .isInstanceOf(DatabaseException.class)
                      .hasMessageStartingWith("cannot connect to " + settings.url() + ": "));
      server.restart();
      assertThat(database.awaitOpen(Duration.ofSeconds(60))).isTrue();
      assertThat(version(database)).isZero();
    } finally {
      restartIfDead();
    }
  }
}
