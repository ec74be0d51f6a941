package dev.weir.control.database;

import java.time.YearMonth;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A table that grows with time, and is cut into months of UTC. */
public enum MonthlyTable {
  /** Decisions. */
  AUDIT_LOGS("rate_limit_audit_logs"),
  /** What happened in each minute, hour and day. */
  METRICS("rate_limit_metrics");

  private static final String DETACHED = "_detached";

  private final String table;
  private final Pattern partition;

  MonthlyTable(String table) {
    this.table = table;
    this.partition = Pattern.compile(table + "_([0-9]{4})_([0-9]{2})");
  }

  /** The name of the table. */
  public String table() {
    return table;
  }

  /** The table that has the rows of a month once it is detached. */
  public String detached(YearMonth month) {
    return partition(month) + DETACHED;
  }

  /** The partition of a month. */
  String partition(YearMonth month) {
    return String.format(
        Locale.ROOT, "%s_%04d_%02d", table, month.getYear(), month.getMonthValue());
  }

  /** The month that a partition is for; nothing for other tables. */
  Optional<YearMonth> monthOfPartition(String name) {
    Matcher matcher = partition.matcher(name);
    return matcher.matches()
        ? Optional.of(
            YearMonth.of(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
        : Optional.empty();
  }

  /** The month whose rows are in a table that was detached; nothing for other tables. */
  Optional<YearMonth> monthOfDetached(String name) {
    return name.endsWith(DETACHED)
        ? monthOfPartition(name.substring(0, name.length() - DETACHED.length()))
        : Optional.empty();
  }
}
