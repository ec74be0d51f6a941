package dev.weir.control.archive;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Vendor;
import java.io.IOException;
import java.time.YearMonth;
import java.util.Iterator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterator;

/** The rows of a month that is detached. Nobody writes there. */
final class DetachedRows {
  /** How many rows are in memory at a time. */
  private static final int FETCH_ROWS = 2_000;

  private final Database database;
  private final MonthlyTable table;
  private final String detached;

  DetachedRows(Database database, MonthlyTable table, YearMonth month) {
    this.database = database;
    this.table = table;
    this.detached = table.detached(month);
  }

  boolean isEmpty() {
    return database
        .jdbiForLongWork()
        .withHandle(
            handle ->
                handle
                    .createQuery("select not exists (select * from " + detached + ")")
                    .mapTo(Boolean.class)
                    .one());
  }

  long count() {
    return database
        .jdbiForLongWork()
        .withHandle(
            handle ->
                handle.createQuery("select count(*) from " + detached).mapTo(Long.class).one());
  }

  /** What is done with all rows, one by one. */
  interface Use<T, R> {
    R with(Iterator<T> rows) throws IOException;
  }

  /** Reads all rows: on PostgreSQL in the order of the primary key, on H2 as they lie there. */
  <T extends ArchiveRow, R> R read(RowFormat<T> format, Use<T, R> use) throws IOException {
    return database
        .jdbiForLongWork()
        .inTransaction(
            handle -> {
              try (ResultIterator<T> rows = query(handle, format)) {
                return use.with(rows);
              }
            });
  }

  private <T extends ArchiveRow> ResultIterator<T> query(Handle handle, RowFormat<T> format) {
    String order = "";
    if (database.vendor() == Vendor.H2) {
      // Otherwise all rows are collected before the first one is seen; a sort would do that too.
      handle.execute("set lazy_query_execution true");
    } else {
      order = " order by " + format.order();
    }
    return handle
        .createQuery("select %s from %s%s".formatted(format.columns(), detached, order))
        .setFetchSize(FETCH_ROWS)
        .map((row, context) -> format.reader().read(row))
        .iterator();
  }

  @Override
  public String toString() {
    return table.table() + " as " + detached;
  }
}
