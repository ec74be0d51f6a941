package dev.weir.control.keys;

import dev.weir.control.rows.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as operators see it: without the secret, and without its hash.
 *
 * @param id its id, as the database shows it
 * @param user whose it is
 * @param settings what is said of it
 * @param isActive whether it was not revoked; it may have expired nevertheless
 * @param totalRequests what it was used for: the cost of all that was allowed
 * @param lastUsedAt when it was used last; null: never
 * @param createdAt when it was made
 * @param createdBy by whom
 * @param revokedAt when it was revoked; null: never
 * @param revokedBy by whom
 * @param version counts its changes
 */
public record KeyRow(
    String id,
    String user,
    KeySettings settings,
    boolean isActive,
    long totalRequests,
    @Nullable Instant lastUsedAt,
    Instant createdAt,
    @Nullable String createdBy,
    @Nullable Instant revokedAt,
    @Nullable String revokedBy,
    long version) {

  static KeyRow of(ResultSet row) throws SQLException {
    return new KeyRow(
        row.getObject("api_key_id", UUID.class).toString(),
        Columns.text(row, "user_id"),
        settings(row),
        row.getBoolean("is_active"),
        row.getLong("total_requests"),
        Columns.instant(row, "last_used_at"),
        Columns.time(row, "created_at"),
        row.getString("created_by"),
        Columns.instant(row, "revoked_at"),
        row.getString("revoked_by"),
        row.getLong("version"));
  }

  static KeySettings settings(ResultSet row) throws SQLException {
    return new KeySettings(
        row.getString("key_name"),
        Columns.name(row, "tier"),
        Columns.texts(row, "limits"),
        Columns.number(row, "requests_per_second"),
        Columns.number(row, "requests_per_hour"),
        Columns.number(row, "requests_per_day"),
        Columns.number(row, "burst_size"),
        Columns.instant(row, "expires_at"));
  }

  /** Whether it can be used at that time. */
  public boolean isUsableAt(Instant now) {
    return isActive && (settings.expiresAt() == null || now.isBefore(settings.expiresAt()));
  }

  /** The subject of changes of it. */
  String subject() {
    return "key:" + id;
  }
}
