package dev.weir.control.archive;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Rows of all kinds for the tables that are archived, and what is in those tables. */
final class SampleRows {
  private static final List<String> TEXTS =
      List.of("", "alice", "wörter, \"quoted\" 'and' \\more\n", "日本語 🙂", "x".repeat(300), "null");
  private static final List<String> DECISIONS = List.of("allowed", "throttled", "blocked");
  private static final List<String> ADDRESSES = List.of("192.0.2.1", "2001:db8::1", "10.0.0.7");

  private final Database database;
  private final SplittableRandom random;

  SampleRows(Database database, long seed) {
    this.database = database;
    this.random = new SplittableRandom(seed);
  }

  /** Puts that many rows of a month into both tables, whether it had a place before or not. */
  void insert(YearMonth month, int rows) {
    for (MonthlyTable table : MonthlyTable.values()) {
      insert(table, month, rows);
    }
  }

  void insert(MonthlyTable table, YearMonth month, int rows) {
    Partitions.of(database).create(table, month, month);
    String columns =
        switch (table) {
          case AUDIT_LOGS -> AuditRow.COLUMNS.replace("log_id, ", "");
          case METRICS -> MetricRow.COLUMNS.replace("total_requests, ", "");
        };
    String values = columns.replaceAll("[a-z0-9_]+", "?");
    database
        .jdbiForLongWork()
        .useTransaction(
            handle -> {
              PreparedBatch batch =
                  handle.prepareBatch(
                      "insert into %s (%s) values (%s)".formatted(table.table(), columns, values));
              for (int row = 0; row < rows; row++) {
                bind(batch, table, month);
                batch.add();
              }
              batch.execute();
            });
  }

  private void bind(PreparedBatch batch, MonthlyTable table, YearMonth month) {
    switch (table) {
      case AUDIT_LOGS -> bindAudit(batch, month);
      case METRICS -> bindMetric(batch, month);
    }
  }

  private void bindAudit(PreparedBatch batch, YearMonth month) {
    int column = 0;
    batch.bind(column++, time(month));
    for (int i = 0; i < 3; i++) {
      batch.bind(column++, textOrNull());
    }
    batch.bind(column++, random.nextBoolean() ? null : pick(ADDRESSES));
    for (int i = 0; i < 5; i++) {
      batch.bind(column++, textOrNull());
    }
    batch
        .bind(column++, pick(DECISIONS))
        .bind(column++, textOrNull())
        .bind(column++, random.nextLong(5))
        .bind(column++, numberOrNull())
        .bind(column++, random.nextBoolean() ? null : Long.valueOf(Long.MAX_VALUE))
        .bind(column++, random.nextBoolean() ? null : time(month))
        .bind(column++, random.nextBoolean() ? null : Integer.valueOf(429))
        .bind(column++, numberOrNull())
        .bind(column++, random.nextBoolean());
    for (int i = 0; i < 3; i++) {
      batch.bind(column++, textOrNull());
    }
    batch.bind(column, numberOrNull());
  }

  private void bindMetric(PreparedBatch batch, YearMonth month) {
    byte[] sketch = new byte[random.nextInt(20)];
    random.nextBytes(sketch);
    boolean hasLatency = random.nextBoolean();
    long latency = random.nextLong(1_000_000);
    int column = 0;
    batch
        .bind(column++, pick(List.of("minute", "hour", "day")))
        .bind(column++, time(month))
        .bind(column++, pick(TEXTS))
        .bind(column++, pick(TEXTS))
        .bind(column++, pick(TEXTS))
        .bind(column++, "region-" + random.nextLong())
        .bind(column++, random.nextLong(1L << 50))
        .bind(column++, random.nextLong(1L << 50))
        .bind(column++, random.nextLong(1L << 50))
        .bind(column++, hasLatency ? Long.valueOf(latency) : null)
        .bind(column++, hasLatency ? Long.valueOf(latency + 1) : null)
        .bind(column++, hasLatency ? Long.valueOf(latency + 2) : null)
        .bind(column++, hasLatency ? sketch : null)
        .bind(column++, random.nextLong(10))
        .bind(column++, random.nextLong(10))
        .bind(column++, time(month))
        .bind(column, time(month));
  }

  private Instant time(YearMonth month) {
    long micros = Duration.ofDays(month.lengthOfMonth()).toNanos() / 1_000;
    Instant first = month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    // The first and the last microsecond too.
    return switch (random.nextInt(50)) {
      case 0 -> first;
      case 1 -> first.plusNanos((micros - 1) * 1_000);
      default -> first.plusNanos(random.nextLong(micros) * 1_000);
    };
  }

  private @Nullable String textOrNull() {
    return random.nextInt(3) == 0 ? null : pick(TEXTS) + random.nextInt(1_000);
  }

  private @Nullable Long numberOrNull() {
    return random.nextInt(3) == 0 ? null : random.nextLong(Long.MAX_VALUE);
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** All rows that a table has, in an order of their own. */
  static List<ArchiveRow> in(Database database, MonthlyTable table) {
    return read(database, RowFormat.of(table), table.table());
  }

  private static <T extends ArchiveRow> List<ArchiveRow> read(
      Database database, RowFormat<T> format, String table) {
    return sorted(
        database
            .jdbiForLongWork()
            .withHandle(
                handle ->
                    handle
                        .createQuery("select %s from %s".formatted(format.columns(), table))
                        .map((row, context) -> (ArchiveRow) format.reader().read(row))
                        .list()));
  }

  /** Sorts rows by their text, which is made once for each of them. */
  static List<ArchiveRow> sorted(List<ArchiveRow> rows) {
    return rows.stream()
        .map(row -> Map.entry(row.toString(), row))
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .toList();
  }
}
