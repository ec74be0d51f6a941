package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/** Reads an archive by a program that shares nothing with the one that wrote it. */
final class DuckDb implements AutoCloseable {
  private final Connection connection;
  private final String place;

  /** For an archive in a folder. */
  DuckDb(String place) throws SQLException {
    this.connection = DriverManager.getConnection("jdbc:duckdb:");
    this.place = place;
  }

  private String files(MonthlyTable table) {
    return "read_parquet('%s/%s/*/*/*.parquet', hive_partitioning = true)"
        .formatted(place, table.table());
  }

  /** What a query with one number as its answer says; %s stands for the table. */
  long number(MonthlyTable table, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query.formatted(files(table)))) {
      rows.next();
      return rows.getLong(1);
    }
  }

  long count(MonthlyTable table) throws SQLException {
    return number(table, "select count(*) from %s");
  }

  /** The columns of a table with their types. */
  Map<String, String> columns(MonthlyTable table) throws SQLException {
    Map<String, String> types = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("describe select * from " + files(table))) {
      while (rows.next()) {
        types.put(rows.getString("column_name"), rows.getString("column_type"));
      }
    }
    return types;
  }

  /** All rows of a table, ordered as in {@link SampleRows#in}. */
  List<ArchiveRow> rows(MonthlyTable table) throws SQLException {
    List<ArchiveRow> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select %s from %s".formatted(expressions(table), files(table)))) {
      while (rows.next()) {
        found.add(table == MonthlyTable.AUDIT_LOGS ? audit(rows) : metric(rows));
      }
    }
    return SampleRows.sorted(found);
  }

  /** Times as microseconds and bytes as digits, so that nothing depends on a driver. */
  private static String expressions(MonthlyTable table) {
    return RowFormat.of(table)
        .columns()
        .replaceAll("\\b(timestamp|window_reset|created_at|updated_at)\\b", "epoch_us(\"$1\")")
        .replaceAll("\\blatency_sketch\\b", "hex(latency_sketch)");
  }

  private static ArchiveRow audit(ResultSet row) throws SQLException {
    return new AuditRow(
        row.getLong(1),
        time(row.getLong(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getString(10),
        row.getString(11),
        row.getString(12),
        row.getString(13),
        row.getLong(14),
        number(row, 15),
        number(row, 16),
        number(row, 17) == null ? null : time(row.getLong(17)),
        number(row, 18) == null ? null : Integer.valueOf(row.getInt(18)),
        number(row, 19),
        row.getBoolean(20),
        row.getString(21),
        row.getString(22),
        row.getString(23),
        number(row, 24));
  }

  private static ArchiveRow metric(ResultSet row) throws SQLException {
    String sketch = row.getString(14);
    return new MetricRow(
        row.getString(1),
        time(row.getLong(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getLong(10),
        number(row, 11),
        number(row, 12),
        number(row, 13),
        sketch == null ? null : Binary.fromConstantByteArray(HexFormat.of().parseHex(sketch)),
        row.getLong(15),
        row.getLong(16),
        time(row.getLong(17)),
        time(row.getLong(18)));
  }

  private static Instant time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private static @Nullable Long number(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
