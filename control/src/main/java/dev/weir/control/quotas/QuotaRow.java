package dev.weir.control.quotas;

import dev.weir.control.rows.Columns;
import dev.weir.policy.JsonText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A user's row.
 *
 * @param user who
 * @param settings what is said of the user
 * @param requestsToday what was used on {@code usageDay}: the cost of all that was allowed
 * @param requestsThisMonth what was used in the month of that day
 * @param usageDay the last day, in UTC, on which something was used; null: there was none
 * @param lastRequestAt when the user asked last, allowed or not; null: never
 * @param quotaExceededCount how many requests the monthly quota has refused
 * @param createdAt when the row was made
 * @param updatedAt when it was changed last
 * @param version counts its changes; use of it is none
 */
public record QuotaRow(
    String user,
    QuotaSettings settings,
    long requestsToday,
    long requestsThisMonth,
    @Nullable LocalDate usageDay,
    @Nullable Instant lastRequestAt,
    long quotaExceededCount,
    Instant createdAt,
    Instant updatedAt,
    long version) {

  static final String COLUMNS =
      "user_id, tier, custom_limit_per_hour, custom_limit_per_day, custom_burst_size,"
          + " monthly_quota, is_blocked, block_reason, blocked_until, total_requests_today,"
          + " total_requests_month, usage_day, last_request_at, quota_exceeded_count, created_at,"
          + " updated_at, version";

  static QuotaRow of(ResultSet row) throws SQLException {
    return new QuotaRow(
        Columns.text(row, "user_id"),
        new QuotaSettings(
            Columns.name(row, "tier"),
            Columns.number(row, "custom_limit_per_hour"),
            Columns.number(row, "custom_limit_per_day"),
            Columns.number(row, "custom_burst_size"),
            Columns.number(row, "monthly_quota"),
            row.getBoolean("is_blocked"),
            row.getString("block_reason"),
            Columns.instant(row, "blocked_until")),
        row.getLong("total_requests_today"),
        row.getLong("total_requests_month"),
        row.getObject("usage_day", LocalDate.class),
        Columns.instant(row, "last_request_at"),
        row.getLong("quota_exceeded_count"),
        Columns.time(row, "created_at"),
        Columns.time(row, "updated_at"),
        row.getLong("version"));
  }

  /** What was used on the day of that instant, as far as it is known. */
  public long usedToday(Instant now) {
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    return today.equals(usageDay) ? requestsToday : 0;
  }

  /** What was used in the month of that instant, as far as it is known. */
  public long usedThisMonth(Instant now) {
    YearMonth month = YearMonth.from(now.atOffset(ZoneOffset.UTC));
    return usageDay != null && YearMonth.from(usageDay).equals(month) ? requestsThisMonth : 0;
  }

  /** When the monthly quota begins anew after that instant. */
  public static Instant resetAfter(Instant now) {
    YearMonth next = YearMonth.from(now.atOffset(ZoneOffset.UTC)).plusMonths(1);
    return next.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /** Whether the user is refused at that time. */
  public boolean isBlockedAt(Instant now) {
    Instant until = settings.blockedUntil();
    return settings.isBlocked() && (until == null || now.isBefore(until));
  }

  /** The subject of changes of it. */
  String subject() {
    return "quota:" + user;
  }

  /** What audit rows say of it. */
  String json() {
    JsonText json = new JsonText().put("user", user);
    if (settings.tier() != null) {
      json.put("tier", settings.tier());
    }
    putIfGiven(json, "custom_limit_per_hour", settings.customLimitPerHour());
    putIfGiven(json, "custom_limit_per_day", settings.customLimitPerDay());
    putIfGiven(json, "custom_burst_size", settings.customBurstSize());
    putIfGiven(json, "monthly_quota", settings.monthlyQuota());
    json.put("is_blocked", settings.isBlocked());
    if (settings.blockReason() != null) {
      json.put("block_reason", settings.blockReason());
    }
    if (settings.blockedUntil() != null) {
      json.put("blocked_until", settings.blockedUntil().toString());
    }
    return json.put("version", version).toString();
  }

  private static void putIfGiven(JsonText json, String name, @Nullable Long value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
