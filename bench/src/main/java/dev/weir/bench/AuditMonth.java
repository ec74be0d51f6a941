package dev.weir.bench;

import com.google.gson.Gson;
import dev.weir.TimeSource;
import dev.weir.bench.ControlRun.Month;
import dev.weir.bench.ControlRun.Queries;
import dev.weir.bench.ControlRun.Sizes;
import dev.weir.control.archive.Archive;
import dev.weir.control.archive.ArchiveReport;
import dev.weir.control.audit.AuditFilter;
import dev.weir.control.audit.AuditLoad;
import dev.weir.control.audit.AuditQueries;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import dev.weir.policy.config.AuditSettings;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import dev.weir.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * A month of decisions from the journal to the archive, on a server of its own that waits for its
 * disk. Runs in a JVM of its own. Argument: how many.
 */
final class AuditMonth {
  private static final int QUERIES = 50;
  private static final int PAGE = 100;

  private final PostgresServer server;
  private final Path folder;
  private int databases;

  private AuditMonth(PostgresServer server, Path folder) {
    this.server = server;
    this.folder = folder;
  }

  public static void main(String[] args) throws SQLException, IOException {
    System.out.println(new Gson().toJson(run(Integer.parseInt(args[0]))));
  }

  static Month run(int rows) throws SQLException, IOException {
    try (PostgresServer server = ManyClients.server();
        TemporaryFolder folder = TemporaryFolder.create("month")) {
      return new AuditMonth(server, folder.path()).measure(AuditLoad.of(rows));
    }
  }

  private Month measure(AuditLoad load) throws SQLException, IOException {
    // All ways once with a tenth, for warming up.
    AuditLoad some = load.first(load.rows() / 10);
    copyText(some);
    copyBinary(some);
    try (Database database = open()) {
      some.ingest(database, folder.resolve("warm-up"));
    }
    double copyText = copyText(load);
    double copyBinary = copyBinary(load);
    try (Database database = open()) {
      return ingested(load, copyText, copyBinary, database);
    }
  }

  private double copyText(AuditLoad load) throws SQLException {
    try (Database database = open()) {
      return load.copyText(database);
    }
  }

  private double copyBinary(AuditLoad load) throws SQLException {
    try (Database database = open()) {
      return load.copyBinary(database);
    }
  }

  private Month ingested(AuditLoad load, double copyText, double copyBinary, Database database)
      throws SQLException, IOException {
    long walBefore = number(database, "select pg_current_wal_lsn() - '0/0'::pg_lsn");
    double ingest = load.ingest(database, folder.resolve("journal"));
    long wal = number(database, "select pg_current_wal_lsn() - '0/0'::pg_lsn") - walBefore;
    database.jdbiForLongWork().useHandle(handle -> handle.execute("analyze rate_limit_audit_logs"));
    long table = size(database, "pg_table_size");
    long indexes = size(database, "pg_indexes_size");
    SplittableRandom random = new SplittableRandom(2);
    AuditFilter month = AuditFilter.ALL.between(AuditLoad.from(), AuditLoad.to());
    Queries byUser =
        query(database, i -> month.withUser(AuditLoad.user(random.nextInt(AuditLoad.USERS))));
    Queries byDecision =
        query(database, i -> month.withDecision(i % 2 == 0 ? "blocked" : "throttled"));

    Path place = folder.resolve("archive");
    Archive archive =
        new Archive(
            database,
            () -> new AuditSettings(Set.of(), Duration.ofDays(90), place.toString()),
            TimeSource.system());
    long archiveStart = System.nanoTime();
    ArchiveReport report = archive.run().orElseThrow();
    double archiveSeconds = secondsSince(archiveStart);
    if (!report.isComplete() || report.rows() != load.rows()) {
      throw new IllegalStateException("expected a whole archive, got " + report);
    }
    long duckStart = System.nanoTime();
    long counted = countedByDuckDb(place);
    return new Month(
        load.rows(),
        copyText,
        copyBinary,
        ingest,
        byUser,
        byDecision,
        archiveSeconds,
        secondsSince(duckStart),
        counted,
        number(database, "select count(*) from rate_limit_audit_logs"),
        new Sizes(
            load.journalBytes(), table, indexes, wal, Files.size(Path.of(report.files().get(0)))));
  }

  /** A database of its own, with room for the month. */
  private Database open() throws SQLException {
    String name = "month_" + ++databases;
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    }
    Database database =
        Database.open(
            new DatabaseSettings(server.jdbcUrl(name), server.user(), server.password()), folder);
    Partitions.of(database).create(MonthlyTable.AUDIT_LOGS, AuditLoad.MONTH, AuditLoad.MONTH);
    return database;
  }

  private static long number(Database database, String query) {
    return database
        .jdbiForLongWork()
        .withHandle(handle -> handle.createQuery(query).mapTo(Long.class).one());
  }

  /** Of all partitions; those that are empty take next to nothing. */
  private static long size(Database database, String function) {
    return number(
        database,
        "select cast(sum(%s(relid)) as bigint) from pg_partition_tree('rate_limit_audit_logs')"
            .formatted(function));
  }

  private static Queries query(Database database, IntFunction<AuditFilter> filter) {
    AuditQueries queries = new AuditQueries(database);
    double[] millis = new double[QUERIES];
    for (int i = 0; i < QUERIES; i++) {
      AuditFilter asked = filter.apply(i);
      long startNanos = System.nanoTime();
      int entries = queries.page(asked, null, PAGE).entries().size();
      millis[i] = secondsSince(startNanos) * 1_000;
      if (entries == 0) {
        throw new IllegalStateException("expected entries for " + asked);
      }
    }
    double first = millis[0];
    Arrays.sort(millis);
    return new Queries(first, millis[QUERIES / 2], millis[QUERIES - 1]);
  }

  private static long countedByDuckDb(Path place) throws SQLException {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select count(distinct log_id) from read_parquet('%s/%s/*/*/*.parquet')"
                    .formatted(place, MonthlyTable.AUDIT_LOGS.table()))) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
