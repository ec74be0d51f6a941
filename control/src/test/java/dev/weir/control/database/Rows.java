package dev.weir.control.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jdbi.v3.core.Jdbi;

/** Rows for tests, and rows as texts to compare. */
final class Rows {
  /** The month of the rows that {@link #insertEverywhere} makes. */
  static final YearMonth MONTH = YearMonth.of(2026, 11);

  private static final String HASH = "0123456789abcdef".repeat(4);

  /** One row for each table of the first schema. */
  private static final List<String> EVERYWHERE =
      List.of(
          "update config_version set version = 7",
          """
          insert into rate_limit_rules (rule_name, user_tier, ip_range, match_more, limits, created_by)
          values ('writes', 'free', '10.0.0.0/8', '{"header": {"host": ["a"]}}',
            array['2/10m', '5/h sliding_log'], 'alice')
          """,
          """
          insert into tiers (tier_name, limit_text, endpoints, created_by)
          values ('free', '100/60s burst 20', '{"/api/v1/request": 50}', 'alice')
          """,
          """
          insert into endpoints (endpoint_name, paths, methods, limit_text, scope)
          values ('chat', array['/**/chat'], array['POST'], '10/60s', 'user')
          """,
          """
          insert into user_quotas (user_id, tier, custom_limit_per_hour, total_requests_today,
            total_requests_month, usage_day, is_blocked, block_reason, blocked_until)
          values ('alice', 'free', 1000, 3, 40, date '2026-11-16', true, 'abuse', '2026-12-01 00:00:00+00')
          """,
          """
          insert into api_keys (api_key_hash, user_id, key_name, limits, is_active, created_by,
            revoked_at, revoked_by)
          values ('%s', 'alice', 'ci', array['5/s'], false, 'alice', '2026-11-16 00:00:00+00', 'bob')
          """
              .formatted(HASH),
          "insert into blocks (client, reason) values ('ip:10.1.0.0/16', 'scan')",
          "insert into exemptions (client, reason) values ('user:monitor', 'ours')",
          """
          insert into admin_audit (actor, act, subject, before_state, after_state, version, previous_hash, hash)
          values ('alice', 'create', 'rule:writes', null, '{"a": 1}', 7, '%s', '%s')
          """
              .formatted("0".repeat(64), HASH),
          """
          insert into rate_limit_audit_logs (timestamp, user_id, ip_address, endpoint, decision, latency_micros)
          values ('2026-11-16 01:02:03.456789+00', 'alice', '192.0.2.1', 'chat', 'throttled', 42)
          """,
          "insert into audit_journals (journal_id, last_sequence) values ('a-journal', 12)",
          """
          insert into rate_limit_metrics (granularity, timestamp, endpoint, allowed_requests, blocked_requests)
          values ('hour', '2026-11-16 01:00:00+00', 'chat', 5, 2)
          """,
          """
          insert into archive_jobs (table_name, first_day, state, file, row_count, checksum)
          values ('rate_limit_audit_logs', date '2026-01-01', 'verified', 'a.parquet', 5, 'abc')
          """);

  private Rows() {}

  /** Puts a row into every table, in {@link #MONTH} where it matters. */
  static void insertEverywhere(Jdbi jdbi) {
    execute(jdbi, EVERYWHERE.toArray(String[]::new));
  }

  /** Puts a row of that time into both tables that grow with time. */
  static void insertAt(Jdbi jdbi, Instant time) {
    for (MonthlyTable table : MonthlyTable.values()) {
      insertAt(jdbi, table, time);
    }
  }

  static void insertAt(Jdbi jdbi, MonthlyTable table, Instant time) {
    String sql =
        switch (table) {
          case AUDIT_LOGS ->
              "insert into rate_limit_audit_logs (timestamp, decision) values (:time, 'throttled')";
          case METRICS ->
              "insert into rate_limit_metrics (granularity, timestamp) values ('minute', :time)";
        };
    jdbi.useHandle(handle -> handle.createUpdate(sql).bind("time", time).execute());
  }

  static void execute(Jdbi jdbi, String... statements) {
    for (String sql : statements) {
      assertThat(refusal(jdbi, sql)).as(sql).isEmpty();
    }
  }

  /** What the database says against a statement, without the statement; empty: nothing. */
  static String refusal(Jdbi jdbi, String sql) {
    return jdbi.withHandle(
        handle -> {
          try (Statement statement = handle.getConnection().createStatement()) {
            statement.execute(sql);
            return "";
          } catch (SQLException e) {
            // H2 repeats the statement behind that.
            return String.valueOf(e.getMessage()).split("; SQL statement:", -1)[0];
          }
        });
  }

  /** The tables of ours: no partitions, and not the history of the schema. */
  static List<String> tables(Jdbi jdbi) {
    return query(
            jdbi,
            """
            select lower(table_name) as table_name from information_schema.tables
            where lower(table_schema) = 'public' order by table_name
            """)
        .stream()
        .map(row -> Objects.requireNonNull(row.get("table_name")))
        .filter(
            table -> !table.equals("schema_history") && !table.matches(".*_[0-9]{4}_[0-9]{2}.*"))
        .toList();
  }

  /** All rows of a table, in the order of their columns. */
  static List<Map<String, String>> of(Jdbi jdbi, String table) {
    return query(jdbi, "select * from " + table).stream()
        .sorted((one, other) -> one.toString().compareTo(other.toString()))
        .toList();
  }

  /** Rows as the texts of their columns; null is the empty text. */
  static List<Map<String, String>> query(Jdbi jdbi, String sql) {
    return jdbi.withHandle(
        handle -> handle.createQuery(sql).map((row, context) -> texts(row)).list());
  }

  private static Map<String, String> texts(ResultSet row) throws SQLException {
    Map<String, String> texts = new TreeMap<>();
    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
      texts.put(
          row.getMetaData().getColumnLabel(i).toLowerCase(Locale.ROOT),
          Objects.requireNonNullElse(row.getString(i), ""));
    }
    return texts;
  }
}
