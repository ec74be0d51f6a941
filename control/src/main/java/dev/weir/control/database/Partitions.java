package dev.weir.control.database;

import java.time.YearMonth;
import java.util.List;

/**
 * The months of tables that grow with time. On PostgreSQL each is a partition, which has to be
 * there before the first row of its month; on H2 a month is whatever rows there are of it.
 * Thread-safe, and safe with several instances on one database.
 */
public sealed interface Partitions permits PostgresPartitions, H2Partitions {

  /** Those of a database. */
  static Partitions of(Database database) {
    return switch (database.vendor()) {
      case POSTGRESQL -> new PostgresPartitions(database);
      case H2 -> new H2Partitions(database);
    };
  }

  /**
   * Makes room in all tables for last month, this month and some more. Last month's too: what
   * happened just before midnight is written after it.
   */
  default void createAhead(YearMonth thisMonth, int more) {
    for (MonthlyTable table : MonthlyTable.values()) {
      create(table, thisMonth.minusMonths(1), thisMonth.plusMonths(more));
    }
  }

  /** Makes room for months where there is none; returns those that are new. */
  List<YearMonth> create(MonthlyTable table, YearMonth first, YearMonth last);

  /** The months of a table in their order: all that have a partition, or a row on H2. */
  List<YearMonth> list(MonthlyTable table);

  /** The months that are detached and not dropped yet, in their order. */
  List<YearMonth> listDetached(MonthlyTable table);

  /**
   * Takes the rows of a month out of the table, all at once, into a table of their own: {@link
   * MonthlyTable#detached}. Nobody writes there, so what is read from it stays true.
   *
   * @return whether there was such a month
   * @throws IllegalStateException if rows of that month have been detached before and are still
   *     there
   */
  boolean detach(MonthlyTable table, YearMonth month);

  /**
   * Puts the rows of a month that is detached back into the table, beside those that came since.
   *
   * @return whether there was such a month
   */
  boolean attach(MonthlyTable table, YearMonth month);

  /** Removes a month from the table, with its rows; returns whether there was one. */
  boolean drop(MonthlyTable table, YearMonth month);

  /** Removes the rows of a month that is detached; returns whether there was one. */
  boolean dropDetached(MonthlyTable table, YearMonth month);
}
