package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import dev.weir.control.testing.Databases;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A month with many decisions; how many is set by {@code weir.control.archive.rows}. */
@Tag("long")
class ArchiveLargeLongIT {
  private static final int ROWS = TestLevel.amount("weir.control.archive.rows", 50_000, 1_000_000);

  @TempDir private Path folder = Path.of("");

  @Test
  void aLargeMonthIsArchivedVerifiedDroppedAndCounted() throws Exception {
    Databases databases = Databases.postgres(PostgresServer.Version.V18);
    try (Database database = databases.migrated(folder).open()) {
      Partitions.of(database)
          .create(MonthlyTable.AUDIT_LOGS, ArchiveFixture.JANUARY, ArchiveFixture.JANUARY);
      insert(database);
      Path place = folder.resolve("archive");
      Archive archive =
          new Archive(
              database,
              () -> ArchiveFixture.settings(place.toString()),
              TimeSource.manual(ArchiveFixture.NOW));
      long startNanos = System.nanoTime();
      ArchiveReport report = archive.run().orElseThrow();
      double seconds = (System.nanoTime() - startNanos) / 1e9;

      assertThat(report.failures()).isEmpty();
      assertThat(report.rows()).isEqualTo(ROWS);
      assertThat(SampleRows.in(database, MonthlyTable.AUDIT_LOGS)).isEmpty();
      long bytes = Files.size(Path.of(report.files().get(0)));
      long duckStartNanos = System.nanoTime();
      try (DuckDb duck = new DuckDb(place.toString())) {
        assertThat(duck.count(MonthlyTable.AUDIT_LOGS)).isEqualTo(ROWS);
        assertThat(duck.number(MonthlyTable.AUDIT_LOGS, "select count(distinct log_id) from %s"))
            .isEqualTo(ROWS);
        assertThat(
                duck.number(
                    MonthlyTable.AUDIT_LOGS,
                    "select count(*) from %s where decision = 'blocked' and user_id = 'user-7'"))
            .isEqualTo(ROWS / 1_000);
      }
      System.out.printf(
          "archive: %,d rows in %.1f s (%,.0f rows/s), %,d bytes; DuckDB %.2f s%n",
          ROWS, seconds, ROWS / seconds, bytes, (System.nanoTime() - duckStartNanos) / 1e9);
    }
  }

  private static void insert(Database database) {
    database
        .jdbiForLongWork()
        .useHandle(
            handle ->
                handle.execute(
                    """
                    insert into rate_limit_audit_logs (timestamp, client, user_id, ip_address, tier,
                      endpoint, path, http_method, rule_name, decision, reason, current_count,
                      limit_value, window_reset, response_status, retry_after_seconds, region,
                      server_id, latency_micros)
                    select timestamptz '2020-01-01 00:00:00+00' + n * interval '2 s',
                      'user:user-' || n %% 1000, 'user-' || n %% 1000,
                      cast('10.0.' || n %% 250 || '.' || n / 250 %% 250 as inet), 'free', 'chat',
                      '/api/v1/chat/' || n %% 5000, 'POST', 'free_tier_limit',
                      case n %% 1000 when 7 then 'blocked' else 'throttled' end, 'limit', n %% 100, 100,
                      timestamptz '2020-01-01 00:00:00+00' + n * interval '2 s' + interval '30 s',
                      429, 30, 'eu-west-1', 'server-' || n %% 4, 20 + n %% 500
                    from generate_series(0, %d) n
                    """
                        .formatted(ROWS - 1)));
  }
}
