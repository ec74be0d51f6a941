package dev.weir.control.keys;

import dev.weir.control.change.Acts;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** What is done to rows of {@code api_keys} inside a change. */
final class KeyRows {
  static final String COLUMNS =
      "api_key_id, user_id, key_name, tier, requests_per_second, requests_per_hour,"
          + " requests_per_day, burst_size, limits, total_requests, last_used_at, is_active,"
          + " expires_at, created_at, created_by, revoked_at, revoked_by, version";

  private KeyRows() {}

  static @Nullable KeyRow read(Handle handle, UUID id) {
    return handle
        .createQuery("select " + COLUMNS + " from api_keys where api_key_id = :id")
        .bind("id", id)
        .map((row, context) -> KeyRow.of(row))
        .findOne()
        .orElse(null);
  }

  /** Contract: one row with these values, active; everything else as the schema says. */
  static void insert(
      Handle handle,
      String actor,
      String user,
      KeySettings settings,
      UUID id,
      Fingerprint fingerprint) {
    bound(
            handle.createUpdate(
                "insert into api_keys (api_key_id, api_key_hash, user_id, key_name, tier,"
                    + " requests_per_second, requests_per_hour, requests_per_day, burst_size,"
                    + " limits, expires_at, created_by, updated_by) values (:id, :hash, :user,"
                    + " :name, :tier, :second, :hour, :day, :burst, :limits, :expires, :actor,"
                    + " :actor)"),
            settings)
        .bind("id", id)
        .bind("hash", fingerprint.hex())
        .bind("user", user)
        .bind("actor", actor)
        .execute();
  }

  /** Contract: the settings of that row are these, and its version is one more. */
  static void update(Handle handle, String actor, UUID id, KeySettings settings) {
    bound(
            handle.createUpdate(
                "update api_keys set key_name = :name, tier = :tier,"
                    + " requests_per_second = :second, requests_per_hour = :hour,"
                    + " requests_per_day = :day, burst_size = :burst, limits = :limits,"
                    + " expires_at = :expires, updated_at = current_timestamp,"
                    + " updated_by = :actor, version = version + 1 where api_key_id = :id"),
            settings)
        .bind("id", id)
        .bind("actor", actor)
        .execute();
  }

  /** Contract: that row is revoked, and its version is one more. */
  static void revoke(Handle handle, String actor, UUID id) {
    handle
        .createUpdate(
            "update api_keys set is_active = false, revoked_at = current_timestamp,"
                + " revoked_by = :actor, updated_at = current_timestamp, updated_by = :actor,"
                + " version = version + 1 where api_key_id = :id")
        .bind("actor", actor)
        .bind("id", id)
        .execute();
  }

  private static <S extends SqlStatement<S>> S bound(S statement, KeySettings settings) {
    return statement
        .bind("name", settings.name())
        .bind("tier", settings.tier())
        .bind("second", settings.requestsPerSecond())
        .bind("hour", settings.requestsPerHour())
        .bind("day", settings.requestsPerDay())
        .bind("burst", settings.burstSize())
        .bindArray("limits", String.class, settings.limits())
        .bind("expires", settings.expiresAt());
  }

  /** Records what has become of a row. */
  static KeyRow recorded(Handle handle, Acts acts, String act, UUID id, @Nullable KeyRow before) {
    KeyRow after = Objects.requireNonNull(read(handle, id));
    acts.record(
        act, after.subject(), before == null ? null : KeyJson.of(before), KeyJson.of(after));
    return after;
  }
}
