package dev.weir.control.database;

import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Partitions as PostgreSQL has them. Who changes them holds a lock against others who do. */
final class PostgresPartitions implements Partitions {
  /** Any number that nobody else uses. */
  private static final long LOCK = 0x77656972_70617274L;

  private final Database database;

  PostgresPartitions(Database database) {
    this.database = database;
  }

  @Override
  public List<YearMonth> create(MonthlyTable table, YearMonth first, YearMonth last) {
    return create(database.jdbi(), table, first, last);
  }

  static List<YearMonth> create(Jdbi jdbi, MonthlyTable table, YearMonth first, YearMonth last) {
    return jdbi.inTransaction(
        handle -> {
          lock(handle);
          List<YearMonth> there = attached(handle, table);
          List<YearMonth> made = new ArrayList<>();
          for (YearMonth month = first; !month.isAfter(last); month = month.plusMonths(1)) {
            if (!there.contains(month)) {
              create(handle, table, month);
              made.add(month);
            }
          }
          return List.copyOf(made);
        });
  }

  private static void create(Handle handle, MonthlyTable table, YearMonth month) {
    handle.execute(
        "create table %s partition of %s for values from ('%s') to ('%s')"
            .formatted(
                table.partition(month), table.table(), start(month), start(month.plusMonths(1))));
  }

  private static String start(YearMonth month) {
    return month.atDay(1) + " 00:00:00+00";
  }

  /** Who uses a table must not be held up for long by somebody who waits to change it. */
  private static void lock(Handle handle) {
    handle.execute("set local lock_timeout = '2s'");
    handle.execute("select pg_advisory_xact_lock(" + LOCK + ")");
  }

  @Override
  public List<YearMonth> list(MonthlyTable table) {
    return database.jdbi().withHandle(handle -> attached(handle, table));
  }

  private static List<YearMonth> attached(Handle handle, MonthlyTable table) {
    return handle
        .createQuery(
            """
            select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
            where inhparent = cast(:table as regclass) order by relname
            """)
        .bind("table", table.table())
        .mapTo(String.class)
        .list()
        .stream()
        .map(table::monthOfPartition)
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  public List<YearMonth> listDetached(MonthlyTable table) {
    return database.jdbi().withHandle(handle -> detached(handle, table));
  }

  private static List<YearMonth> detached(Handle handle, MonthlyTable table) {
    return handle
        .createQuery(
            """
            select relname from pg_class where relkind = 'r' and starts_with(relname, :table)
            and pg_table_is_visible(oid) order by relname
            """)
        .bind("table", table.table())
        .mapTo(String.class)
        .list()
        .stream()
        .map(table::monthOfDetached)
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  public boolean detach(MonthlyTable table, YearMonth month) {
    return database
        .jdbiForLongWork()
        .inTransaction(
            handle -> {
              lock(handle);
              if (!attached(handle, table).contains(month)) {
                return false;
              }
              if (detached(handle, table).contains(month)) {
                throw new IllegalStateException(
                    table.detached(month) + " is still there; drop it first");
              }
              handle.execute(
                  "alter table %s detach partition %s"
                      .formatted(table.table(), table.partition(month)));
              handle.execute(
                  "alter table %s rename to %s"
                      .formatted(table.partition(month), table.detached(month)));
              return true;
            });
  }

  @Override
  public boolean attach(MonthlyTable table, YearMonth month) {
    return database
        .jdbiForLongWork()
        .inTransaction(
            handle -> {
              lock(handle);
              if (!detached(handle, table).contains(month)) {
                return false;
              }
              if (attached(handle, table).contains(month)) {
                handle.execute(
                    "insert into %s select * from %s"
                        .formatted(table.table(), table.detached(month)));
                handle.execute("drop table " + table.detached(month));
              } else {
                handle.execute(
                    "alter table %s rename to %s"
                        .formatted(table.detached(month), table.partition(month)));
                handle.execute(
                    "alter table %s attach partition %s for values from ('%s') to ('%s')"
                        .formatted(
                            table.table(),
                            table.partition(month),
                            start(month),
                            start(month.plusMonths(1))));
              }
              return true;
            });
  }

  @Override
  public boolean drop(MonthlyTable table, YearMonth month) {
    return database
        .jdbiForLongWork()
        .inTransaction(
            handle -> {
              lock(handle);
              boolean isThere = attached(handle, table).contains(month);
              if (isThere) {
                handle.execute("drop table " + table.partition(month));
              }
              return isThere;
            });
  }

  @Override
  public boolean dropDetached(MonthlyTable table, YearMonth month) {
    return database
        .jdbiForLongWork()
        .inTransaction(
            handle -> {
              lock(handle);
              boolean isThere = detached(handle, table).contains(month);
              if (isThere) {
                handle.execute("drop table " + table.detached(month));
              }
              return isThere;
            });
  }
}
