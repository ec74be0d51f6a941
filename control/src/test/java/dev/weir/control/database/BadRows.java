package dev.weir.control.database;

import java.util.List;
import java.util.Map;

/**
 * Statements that must be refused once each table has the row of {@link Rows#insertEverywhere}, by
 * the column that the refusal names.
 */
final class BadRows {
  private BadRows() {}

  private static final String HASH = "0123456789abcdef".repeat(4);
  private static final String OTHER = "f".repeat(64);

  static final Map<String, List<String>> BY_COLUMN =
      Map.ofEntries(
          Map.entry("id", List.of("insert into config_version (id, version) values (2, 1)")),
          Map.entry(
              "rule_name",
              List.of(
                  rule("rule_name", "null"),
                  rule("rule_name", "''"),
                  rule("rule_name", "'a b'"),
                  rule("rule_name", "'writes'"),
                  rule("rule_name", "'" + "x".repeat(256) + "'"))),
          Map.entry("priority", List.of(rule("priority", "1000001"), rule("priority", "null"))),
          Map.entry("endpoint_pattern", List.of(rule("endpoint_pattern", "'api'"))),
          Map.entry("http_method", List.of(rule("http_method", "''"))),
          Map.entry("match_more", List.of(rule("match_more", "'[1]'"))),
          Map.entry("algorithm", List.of(rule("algorithm", "'leaky_bucket'"))),
          Map.entry("requests_per_second", List.of(rule("requests_per_second", "0"))),
          Map.entry("burst_size", List.of(rule("burst_size", "-1"))),
          Map.entry(
              "limits",
              List.of(
                  "insert into rate_limit_rules (rule_name) values ('without')",
                  "insert into rate_limit_rules (rule_name, limits) values ('none', null)",
                  "insert into rate_limit_rules (rule_name, action, requests_per_hour) values ('b', 'block', 1)")),
          Map.entry("scope", List.of(rule("scope", "'tenant'"), rule("scope", "null"))),
          Map.entry(
              "action",
              List.of("insert into rate_limit_rules (rule_name, action) values ('bad', 'delay')")),
          Map.entry("mode", List.of(rule("mode", "'off'"))),
          Map.entry("failure_mode", List.of(rule("failure_mode", "'half'"))),
          Map.entry(
              "response_status",
              List.of(rule("response_status", "200"), rule("response_status", "600"))),
          Map.entry(
              "retry_after_seconds",
              List.of(rule("retry_after_seconds", "0"), auditLog("retry_after_seconds", "-1"))),
          Map.entry("updated_by", List.of(rule("updated_by", "''"))),
          Map.entry("tier_name", List.of("insert into tiers (tier_name) values ('Gold')")),
          Map.entry(
              "endpoints",
              List.of("insert into tiers (tier_name, endpoints) values ('gold', '7')")),
          Map.entry(
              "limit_text",
              List.of("insert into tiers (tier_name, limit_text) values ('gold', 'many')")),
          Map.entry(
              "paths",
              List.of(
                  "insert into endpoints (endpoint_name, paths) values ('a', cast(array[] as varchar array))")),
          Map.entry(
              "user_id",
              List.of(
                  "insert into user_quotas (user_id) values ('')",
                  "insert into user_quotas (user_id) values ('" + "x".repeat(256) + "')",
                  "insert into api_keys (api_key_hash, user_id) values ('" + OTHER + "', 'nobody')",
                  "delete from user_quotas where user_id = 'alice'")),
          Map.entry(
              "total_requests_month", List.of("update user_quotas set total_requests_month = 1")),
          Map.entry("blocked_until", List.of("update user_quotas set is_blocked = false")),
          Map.entry(
              "api_key_hash",
              List.of(
                  "insert into api_keys (api_key_hash, user_id) values ('secret', 'alice')",
                  "insert into api_keys (api_key_hash, user_id) values ('" + HASH + "', 'alice')")),
          Map.entry("revoked_at", List.of("update api_keys set is_active = true")),
          Map.entry(
              "client",
              List.of(
                  "insert into blocks (client) values ('alice')",
                  "insert into exemptions (client) values ('user:')")),
          Map.entry(
              "actor",
              List.of(
                  "insert into admin_audit (actor, act, subject, version, previous_hash, hash) values ('', 'a', 'b', 1, '%s', '%s')"
                      .formatted(OTHER, OTHER))),
          Map.entry(
              "previous_hash",
              List.of(
                  "insert into admin_audit (actor, act, subject, version, previous_hash, hash) values ('a', 'a', 'b', 1, '%s', '%s')"
                      .formatted("0".repeat(64), OTHER))),
          Map.entry(
              "decision", List.of(auditLog("decision", "'maybe'"), auditLog("decision", "null"))),
          Map.entry("latency_micros", List.of(auditLog("latency_micros", "-1"))),
          Map.entry("last_sequence", List.of("update audit_journals set last_sequence = -1")),
          Map.entry(
              "granularity",
              List.of(
                  "insert into rate_limit_metrics (granularity, timestamp) values ('week', '2026-11-16 00:00:00+00')")),
          Map.entry(
              "throttled_requests",
              List.of("update rate_limit_metrics set throttled_requests = -1")),
          Map.entry(
              "latency_p95_micros",
              List.of(
                  "update rate_limit_metrics set latency_p50_micros = 5, latency_p95_micros = 4")),
          Map.entry("total_requests", List.of("update rate_limit_metrics set total_requests = 9")),
          Map.entry(
              "first_day",
              List.of(
                  "insert into archive_jobs (table_name, first_day) values ('rate_limit_metrics', date '2026-01-02')")),
          Map.entry("part", List.of("update archive_jobs set part = 0")),
          Map.entry("state", List.of("update archive_jobs set state = 'lost'")),
          Map.entry("file_bytes", List.of("update archive_jobs set file_bytes = -1")),
          Map.entry("file_sha256", List.of("update archive_jobs set file_sha256 = 'abc'")),
          Map.entry(
              "checksum", List.of("update archive_jobs set state = 'dropped', checksum = null")),
          Map.entry("row_count", List.of("update archive_jobs set row_count = null")),
          Map.entry("file", List.of("update archive_jobs set file = null")));

  /** A rule that is right but for one column. */
  private static String rule(String column, String value) {
    boolean isName = column.equals("rule_name");
    return "insert into rate_limit_rules (requests_per_minute, %s%s) values (1, %s%s)"
        .formatted(isName ? "" : "rule_name, ", column, isName ? "" : "'bad', ", value);
  }

  private static String auditLog(String column, String value) {
    boolean isDecision = column.equals("decision");
    return "insert into rate_limit_audit_logs (timestamp, %s%s) values ('2026-11-16 00:00:00+00', %s%s)"
        .formatted(isDecision ? "" : "decision, ", column, isDecision ? "" : "'allowed', ", value);
  }
}
