package dev.weir.control.quotas;

import org.jspecify.annotations.Nullable;

/**
 * Which rows are listed.
 *
 * @param tier those with that tier; null: all
 * @param isBlocked those that are blocked, or those that are not; null: all
 * @param hasMonthlyQuota those with a monthly quota, or those without; null: all
 */
public record QuotaFilter(
    @Nullable String tier, @Nullable Boolean isBlocked, @Nullable Boolean hasMonthlyQuota) {

  /** All rows. */
  public static QuotaFilter all() {
    return new QuotaFilter(null, null, null);
  }

  String condition() {
    return (tier == null ? "" : " and tier = :tier")
        + (isBlocked == null ? "" : isBlocked ? " and is_blocked" : " and not is_blocked")
        + (hasMonthlyQuota == null
            ? ""
            : " and monthly_quota is" + (hasMonthlyQuota ? " not null" : " null"));
  }
}
