package dev.weir.control.database;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/** Months of tables that are in one piece. */
final class H2Partitions implements Partitions {
  private static final String OF_MONTH = " where timestamp >= :first and timestamp < :next";

  private final Database database;

  H2Partitions(Database database) {
    this.database = database;
  }

  /** There is always room. */
  @Override
  public List<YearMonth> create(MonthlyTable table, YearMonth first, YearMonth last) {
    return List.of();
  }

  @Override
  public List<YearMonth> list(MonthlyTable table) {
    return database
        .jdbi()
        .withHandle(
            handle -> {
              List<YearMonth> months = new ArrayList<>();
              // From one month to the next that has a row, however many rows there are.
              Optional<YearMonth> month = firstFrom(handle, table, Instant.EPOCH);
              while (month.isPresent()) {
                months.add(month.get());
                month = firstFrom(handle, table, start(month.get().plusMonths(1)));
              }
              return List.copyOf(months);
            });
  }

  private static Optional<YearMonth> firstFrom(Handle handle, MonthlyTable table, Instant start) {
    return handle
        .createQuery(
            "select timestamp from %s where timestamp >= :start order by timestamp limit 1"
                .formatted(table.table()))
        .bind("start", start)
        .mapTo(Instant.class)
        .findFirst()
        .map(time -> YearMonth.from(time.atOffset(ZoneOffset.UTC)));
  }

  private static Instant start(YearMonth month) {
    return month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
  }

  @Override
  public List<YearMonth> listDetached(MonthlyTable table) {
    return database.jdbi().withHandle(handle -> detached(handle, table));
  }

  private static List<YearMonth> detached(Handle handle, MonthlyTable table) {
    return handle
        .createQuery("select table_name from information_schema.tables order by table_name")
        .mapTo(String.class)
        .list()
        .stream()
        .map(table::monthOfDetached)
        .flatMap(Optional::stream)
        .toList();
  }

  /** A table is made before the rows move: if that is cut off, the next attempt finds it empty. */
  @Override
  public boolean detach(MonthlyTable table, YearMonth month) {
    if (!list(table).contains(month)) {
      return false;
    }
    String target = table.detached(month);
    return database
        .jdbiForLongWork()
        .withHandle(
            handle -> {
              handle.execute(
                  "create table if not exists %s as select * from %s where false"
                      .formatted(target, table.table()));
              // What others add meanwhile is neither seen nor deleted.
              return handle.inTransaction(
                      TransactionIsolationLevel.SERIALIZABLE,
                      same -> move(same, table, month, target))
                  > 0;
            });
  }

  private static int move(Handle handle, MonthlyTable table, YearMonth month, String target) {
    boolean isFull =
        handle
            .createQuery("select exists (select * from " + target + ")")
            .mapTo(Boolean.class)
            .one();
    if (isFull) {
      throw new IllegalStateException(target + " is still there; drop it first");
    }
    handle
        .createUpdate("insert into " + target + " select * from " + table.table() + OF_MONTH)
        .bind("first", start(month))
        .bind("next", start(month.plusMonths(1)))
        .execute();
    return delete(handle, table, month);
  }

  private static int delete(Handle handle, MonthlyTable table, YearMonth month) {
    return handle
        .createUpdate("delete from " + table.table() + OF_MONTH)
        .bind("first", start(month))
        .bind("next", start(month.plusMonths(1)))
        .execute();
  }

  @Override
  public boolean attach(MonthlyTable table, YearMonth month) {
    if (!listDetached(table).contains(month)) {
      return false;
    }
    String source = table.detached(month);
    database
        .jdbiForLongWork()
        .useTransaction(
            handle -> {
              handle.execute("insert into %s select * from %s".formatted(table.table(), source));
              handle.execute("delete from " + source);
            });
    // Of its own, since it ends a transaction: a kill before it leaves an empty table.
    return dropDetached(table, month);
  }

  @Override
  public boolean drop(MonthlyTable table, YearMonth month) {
    return database.jdbiForLongWork().inTransaction(handle -> delete(handle, table, month)) > 0;
  }

  @Override
  public boolean dropDetached(MonthlyTable table, YearMonth month) {
    return database
        .jdbiForLongWork()
        .withHandle(
            handle -> {
              boolean isThere = detached(handle, table).contains(month);
              if (isThere) {
                handle.execute("drop table " + table.detached(month));
              }
              return isThere;
            });
  }
}
