package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How the rows of a table are read and written.
 *
 * @param type the columns of a file are those of this record, in snake case
 * @param columns the columns of the table in the same order
 * @param order of the rows in a file
 * @param reader makes a row of the table
 */
record RowFormat<T extends ArchiveRow>(
    Class<T> type, String columns, String order, Reader<T> reader) {

  /** Makes a row of what a query of all columns has found. */
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private static final RowFormat<AuditRow> AUDIT_LOGS =
      new RowFormat<>(AuditRow.class, AuditRow.COLUMNS, AuditRow.ORDER, AuditRow::read);
  private static final RowFormat<MetricRow> METRICS =
      new RowFormat<>(MetricRow.class, MetricRow.COLUMNS, MetricRow.ORDER, MetricRow::read);

  static RowFormat<?> of(MonthlyTable table) {
    return switch (table) {
      case AUDIT_LOGS -> AUDIT_LOGS;
      case METRICS -> METRICS;
    };
  }
}
