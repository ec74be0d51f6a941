package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds on every database, with an archive in a folder. */
abstract class ArchiveContract extends ArchiveFixture {

  @Test
  void monthsPastTheirRetentionGoIntoFilesAndLeaveTheDatabase() throws Exception {
    Database database = database();
    SampleRows sample = new SampleRows(database, 1);
    sample.insert(JANUARY, 700);
    sample.insert(FEBRUARY, MANY);
    Map<MonthlyTable, List<ArchiveRow>> old = everything(database);
    sample.insert(MARCH, 100);
    Archive archive = archive(database);
    assertThat(archive.plan())
        .extracting(PlannedMonth::table, PlannedMonth::month)
        .containsExactly(
            tuple(MonthlyTable.AUDIT_LOGS, JANUARY),
            tuple(MonthlyTable.AUDIT_LOGS, FEBRUARY),
            tuple(MonthlyTable.METRICS, JANUARY),
            tuple(MonthlyTable.METRICS, FEBRUARY));
    assertThat(archive.list()).isEmpty();

    ArchiveReport report = run(archive);

    assertThat(report.failures()).isEmpty();
    assertThat(report.rows()).isEqualTo(2L * (700 + MANY));
    assertThat(report.dropped()).isEqualTo(4);
    assertThat(files())
        .containsExactly(
            "rate_limit_audit_logs/year=2020/month=01/rate_limit_audit_logs-2020-01-0001.parquet",
            "rate_limit_audit_logs/year=2020/month=02/rate_limit_audit_logs-2020-02-0001.parquet",
            "rate_limit_metrics/year=2020/month=01/rate_limit_metrics-2020-01-0001.parquet",
            "rate_limit_metrics/year=2020/month=02/rate_limit_metrics-2020-02-0001.parquet");
    assertThat(report.files())
        .containsExactlyElementsOf(files().stream().map(name -> place + "/" + name).toList());
    assertArchived(old);
    for (MonthlyTable table : MonthlyTable.values()) {
      assertThat(SampleRows.in(database, table)).hasSize(100);
      assertThat(Partitions.of(database).list(table)).doesNotContain(JANUARY, FEBRUARY);
      assertThat(Partitions.of(database).listDetached(table)).isEmpty();
    }
    assertThat(archive.plan()).isEmpty();
    assertThat(archive.list()).isEqualTo(report.archived());
    assertThat(archive.list())
        .hasSize(4)
        .allSatisfy(
            job -> {
              assertThat(job.state()).isEqualTo(ArchiveState.DROPPED);
              assertThat(job.checksum()).get().asString().matches("[0-9a-f]{64}");
              assertThat(job.stored())
                  .map(Fingerprint::bytes)
                  .hasValue(Files.size(Path.of(job.file().orElseThrow())));
            });
    // Nothing is due, so nothing is done, not even to a folder that is no longer there.
    settings = settings("/proc/nowhere");
    assertThat(run(archive)).isEqualTo(new ArchiveReport(List.of(), List.of(), List.of()));
  }

  @Test
  void filesHaveTheColumnsOfTheirTableWithTypes() throws Exception {
    Database database = database();
    new SampleRows(database, 2).insert(JANUARY, 10);
    run(archive(database));
    try (DuckDb duck = new DuckDb(place.toString())) {
      for (MonthlyTable table : MonthlyTable.values()) {
        Map<String, String> columns = duck.columns(table);
        assertThat(columns).containsKeys("year", "month");
        columns.keySet().removeAll(Set.of("year", "month"));
        assertThat(columns.keySet())
            .containsExactlyInAnyOrderElementsOf(columnsInDatabase(database, table));
        assertThat(columns)
            .containsEntry("timestamp", "TIMESTAMP WITH TIME ZONE")
            .containsEntry("rule_name", "VARCHAR");
      }
      assertThat(duck.columns(MonthlyTable.AUDIT_LOGS))
          .containsEntry("window_reset", "TIMESTAMP WITH TIME ZONE")
          .containsEntry("log_id", "BIGINT")
          .containsEntry("response_status", "INTEGER")
          .containsEntry("degraded", "BOOLEAN");
      assertThat(duck.columns(MonthlyTable.METRICS)).containsEntry("latency_sketch", "BLOB");
      assertThat(
              duck.number(
                  MonthlyTable.METRICS, "select count(*) from %s where year = 2020 and month = 1"))
          .isEqualTo(10);
    }
  }

  private static List<String> columnsInDatabase(Database database, MonthlyTable table) {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        "select column_name from information_schema.columns where table_name = :table")
                    .bind("table", table.table())
                    .mapTo(String.class)
                    .list());
  }

  @Test
  void rowsThatComeLateGoToAFurtherFileOfTheirMonth() throws Exception {
    Database database = database();
    SampleRows sample = new SampleRows(database, 3);
    Archive archive = archive(database);
    Map<MonthlyTable, List<ArchiveRow>> all = new HashMap<>();
    for (int part = 1; part <= 3; part++) {
      sample.insert(JANUARY, 50);
      everything(database)
          .forEach(
              (table, rows) ->
                  all.merge(
                      table,
                      rows,
                      (one, other) ->
                          SampleRows.sorted(Stream.concat(one.stream(), other.stream()).toList())));
      assertThat(run(archive).files()).contains(place + "/" + auditFile(JANUARY, part)).hasSize(2);
    }
    assertArchived(all);
    assertThat(archive.list()).extracting(ArchiveJob::part).containsExactly(1, 2, 3, 1, 2, 3);
  }

  @Test
  void withoutAnArchiveMonthsAreDropped() throws Exception {
    Database database = database();
    SampleRows sample = new SampleRows(database, 4);
    sample.insert(JANUARY, 20);
    sample.insert(MARCH, 3);
    settings = settings("");
    Archive archive = archive(database);
    assertThat(archive.plan()).hasSize(2).noneMatch(PlannedMonth::isKept);
    ArchiveReport report = run(archive);
    assertThat(report.archived()).isEmpty();
    assertThat(report.discarded()).hasSize(2);
    assertThat(report.dropped()).isEqualTo(2);
    assertThat(files()).isEmpty();
    assertThat(SampleRows.in(database, MonthlyTable.AUDIT_LOGS)).hasSize(3);
    assertThat(archive.list())
        .hasSize(2)
        .allSatisfy(
            job -> {
              assertThat(job.state()).isEqualTo(ArchiveState.DISCARDED);
              assertThat(job.rows()).hasValue(20L);
              assertThat(job.file()).isEmpty();
            });
  }

  @Test
  void aMonthWithoutRowsLeavesNoTrace() throws Exception {
    Database database = database();
    Partitions.of(database).create(MonthlyTable.METRICS, JANUARY, JANUARY);
    Archive archive = archive(database);
    assertThat(run(archive).failures()).isEmpty();
    assertThat(archive.list()).isEmpty();
    assertThat(archive.plan()).isEmpty();
    assertThat(files()).isEmpty();
  }

  @Test
  void anAddressThatIsNoneIsSaid() {
    Database database = database();
    new SampleRows(database, 14).insert(JANUARY, 1);
    for (String wrong : List.of("s3://UPPER/case", "s3:/bucket")) {
      settings = settings(wrong);
      assertThatThrownBy(archive(database)::run)
          .hasMessage("audit.archive must be a folder or s3://bucket/prefix, got \"%s\"", wrong);
    }
  }

  @Test
  void oldFilesAreDeletedOnlyWhenAskedFor() throws Exception {
    Database database = database();
    SampleRows sample = new SampleRows(database, 15);
    sample.insert(JANUARY, 10);
    sample.insert(FEBRUARY, 10);
    Archive archive = archive(database);
    run(archive);
    Path stranger = place.resolve("rate_limit_audit_logs/year=2020/month=01/readme.txt");
    Files.writeString(stranger, "mine");
    assertThat(archive.deleteOlderThan(Archive.COLD_RETENTION)).hasValue(List.of());
    time.set(Instant.parse("2027-01-30T00:00:00Z"));
    assertThat(archive.deleteOlderThan(Archive.COLD_RETENTION)).hasValue(List.of());
    run(archive);
    assertThat(files()).hasSize(5);

    time.set(Instant.parse("2027-02-02T00:00:00Z"));
    assertThat(archive.deleteOlderThan(Archive.COLD_RETENTION).orElseThrow())
        .containsExactly(
            place + "/" + auditFile(JANUARY, 1),
            place + "/" + new ArchiveFile(MonthlyTable.METRICS, JANUARY, 1).name());
    assertThat(stranger).exists();
    assertThat(place.resolve("rate_limit_metrics/year=2020/month=01")).doesNotExist();
    assertThat(files()).hasSize(3);
    assertThat(archive.list())
        .extracting(ArchiveJob::state)
        .containsExactly(
            ArchiveState.DELETED, ArchiveState.DROPPED, ArchiveState.DELETED, ArchiveState.DROPPED);
    // What comes so late is a further part, and no file of that name was there before.
    sample.insert(MonthlyTable.METRICS, JANUARY, 5);
    assertThat(run(archive).archived()).extracting(ArchiveJob::part).containsExactly(2);
    assertThatThrownBy(() -> archive.deleteOlderThan(Duration.ZERO))
        .hasMessage("age must be at least 1 day, got PT0S");
  }
}
