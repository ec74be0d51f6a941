package dev.weir.control.archive;

/** A row of a table that is archived. */
sealed interface ArchiveRow permits AuditRow, MetricRow {

  /** Adds all its values, in the order of its columns, and ends the row. */
  void addTo(RowDigest digest);
}
