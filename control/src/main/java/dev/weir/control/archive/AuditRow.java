package dev.weir.control.archive;

import com.jerolba.carpet.annotation.NotNull;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@code rate_limit_audit_logs}; in a file the columns have the same names. */
record AuditRow(
    long logId,
    @NotNull Instant timestamp,
    @Nullable String client,
    @Nullable String userId,
    @Nullable String apiKeyId,
    @Nullable String ipAddress,
    @Nullable String tier,
    @Nullable String endpoint,
    @Nullable String path,
    @Nullable String httpMethod,
    @Nullable String ruleName,
    @NotNull String decision,
    @Nullable String reason,
    long cost,
    @Nullable Long currentCount,
    @Nullable Long limitValue,
    @Nullable Instant windowReset,
    @Nullable Integer responseStatus,
    @Nullable Long retryAfterSeconds,
    boolean degraded,
    @Nullable String policy,
    @Nullable String region,
    @Nullable String serverId,
    @Nullable Long latencyMicros)
    implements ArchiveRow {

  /** In the order of the record. */
  static final String COLUMNS =
      """
      log_id, timestamp, client, user_id, api_key_id, ip_address, tier, endpoint, path, http_method, \
      rule_name, decision, reason, cost, current_count, limit_value, window_reset, response_status, \
      retry_after_seconds, degraded, policy, region, server_id, latency_micros""";

  /** Those of the primary key. */
  static final String ORDER = "timestamp, log_id";

  static AuditRow read(ResultSet row) throws SQLException {
    Columns columns = new Columns(row);
    return new AuditRow(
        columns.number(),
        columns.time(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.text(),
        columns.textOrNull(),
        columns.number(),
        columns.numberOrNull(),
        columns.numberOrNull(),
        columns.timeOrNull(),
        columns.smallNumberOrNull(),
        columns.numberOrNull(),
        columns.truth(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.textOrNull(),
        columns.numberOrNull());
  }

  @Override
  public void addTo(RowDigest digest) {
    digest
        .add(logId)
        .add(timestamp)
        .add(client)
        .add(userId)
        .add(apiKeyId)
        .add(ipAddress)
        .add(tier)
        .add(endpoint)
        .add(path)
        .add(httpMethod)
        .add(ruleName)
        .add(decision)
        .add(reason)
        .add(cost)
        .add(currentCount)
        .add(limitValue)
        .add(windowReset)
        .add(responseStatus)
        .add(retryAfterSeconds)
        .add(degraded)
        .add(policy)
        .add(region)
        .add(serverId)
        .add(latencyMicros)
        .endRow();
  }
}
