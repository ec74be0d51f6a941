package dev.weir.control.rollup;

import dev.weir.control.database.Database;
import dev.weir.control.query.Conditions;
import dev.weir.control.query.InvalidQuery;
import dev.weir.policy.JsonText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at metrics, the oldest first. Thread-safe. */
public final class RollupQueries {
  /** How many rows an answer may have. */
  public static final int MOST_ROWS = 10_000;

  private final Database database;

  /**
   * Rows in the order of their time.
   *
   * @param isComplete whether these are all; if not, ask for those from the last time on
   */
  public record Answer(Granularity granularity, List<RollupRow> rows, boolean isComplete) {
    public Answer {
      rows = List.copyOf(rows);
    }

    /** As {@code {"granularity": …, "rows": […], "complete": …}}. */
    public String toJson() {
      return new JsonText()
          .put("granularity", granularity.toString())
          .putObjects("rows", rows, (object, row) -> row.writeTo(object))
          .put("complete", isComplete)
          .toString();
    }
  }

  /** Those of a database. */
  public RollupQueries(Database database) {
    this.database = database;
  }

  /**
   * Those that match.
   *
   * @param most how many rows, from 1 to 10,000
   * @throws InvalidQuery if that cannot be asked
   */
  public Answer rows(RollupFilter filter, int most) {
    InvalidQuery.requireBetween("limit", most, 1, MOST_ROWS);
    Conditions conditions = filter.conditions();
    List<RollupRow> rows =
        database.inTransaction(
            "read metrics from",
            handle ->
                conditions
                    .bindTo(handle.createQuery(sql(conditions)))
                    .bind("most", most + 1)
                    .map((row, context) -> row(row))
                    .list());
    return new Answer(
        filter.granularity(), rows.subList(0, Math.min(most, rows.size())), rows.size() <= most);
  }

  /** Rows, the oldest first; parameters: those of the conditions, and {@code most}. */
  static String sql(Conditions conditions) {
    return ("select timestamp, endpoint, tier, rule_name, region, allowed_requests,"
            + " throttled_requests, blocked_requests, latency_p50_micros, latency_p95_micros,"
            + " latency_p99_micros, cache_hits, cache_misses from rate_limit_metrics%s"
            + " order by timestamp, endpoint, tier, rule_name, region limit :most")
        .formatted(conditions.where());
  }

  private static RollupRow row(ResultSet row) throws SQLException {
    return new RollupRow(
        row.getObject("timestamp", OffsetDateTime.class).toInstant(),
        row.getString("endpoint"),
        row.getString("tier"),
        row.getString("rule_name"),
        row.getString("region"),
        row.getLong("allowed_requests"),
        row.getLong("throttled_requests"),
        row.getLong("blocked_requests"),
        number(row, "latency_p50_micros"),
        number(row, "latency_p95_micros"),
        number(row, "latency_p99_micros"),
        row.getLong("cache_hits"),
        row.getLong("cache_misses"));
  }

  private static @Nullable Long number(ResultSet row, String column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : number;
  }
}
