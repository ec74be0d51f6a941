package dev.weir.control.outbox;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;

/**
 * Sees to it that rows of any month find a partition in their table. For one thread.
 *
 * <p>What there is room for is remembered, as most rows are of this month. A month may be taken out
 * of the table meanwhile; then writing fails, and who says so by {@link #forget} has it made again.
 */
public final class MonthRoom {
  private final MonthlyTable table;
  private final Partitions partitions;
  private final Set<YearMonth> known = new HashSet<>();
  private long lastMicros = -1;
  private long untilMicros = -1;

  /** Room in that table. */
  public MonthRoom(Database database, MonthlyTable table) {
    this.table = table;
    this.partitions = Partitions.of(database);
  }

  /** Makes room for a row of that time, if there is none. To be called before the table is used. */
  public void require(long micros) {
    if (micros >= lastMicros && micros < untilMicros) {
      return;
    }
    YearMonth month =
        YearMonth.from(Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC));
    if (!known.contains(month)) {
      partitions.create(table, month, month);
      known.add(month);
    }
    lastMicros = startMicros(month);
    untilMicros = startMicros(month.plusMonths(1));
  }

  private static long startMicros(YearMonth month) {
    return month.atDay(1).atStartOfDay().toEpochSecond(ZoneOffset.UTC) * 1_000_000;
  }

  /** Nothing is known any more. */
  public void forget() {
    known.clear();
    untilMicros = -1;
  }
}
