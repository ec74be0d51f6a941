package dev.weir.control.quotas;

import dev.weir.Limit;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.rows.LimitColumns;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be said of a user.
 *
 * @param tier the user's tier; null: the one that requests bring along, or the default one
 * @param customLimitPerHour an own limit; null: none
 * @param customLimitPerDay an own limit; null: none
 * @param customBurstSize the burst of the shorter of these two; null: its permits
 * @param monthlyQuota what may be used up in each month of UTC; null: as much as else holds
 * @param isBlocked whether the user is refused
 * @param blockReason why, for those who operate the service; null: it is not said
 * @param blockedUntil when that ends; null: never
 */
public record QuotaSettings(
    @Nullable String tier,
    @Nullable Long customLimitPerHour,
    @Nullable Long customLimitPerDay,
    @Nullable Long customBurstSize,
    @Nullable Long monthlyQuota,
    boolean isBlocked,
    @Nullable String blockReason,
    @Nullable Instant blockedUntil) {
  /** A later time could be stored, and not be read back as part of the configuration. */
  private static final Instant END_OF_TIME = Instant.parse("+10000-01-01T00:00:00Z");

  private static final QuotaSettings NONE =
      new QuotaSettings(null, null, null, null, null, false, null, null);

  /** Nothing said. */
  public static QuotaSettings none() {
    return NONE;
  }

  /** The same in another tier. */
  public QuotaSettings withTier(@Nullable String tier) {
    return new QuotaSettings(
        tier,
        customLimitPerHour,
        customLimitPerDay,
        customBurstSize,
        monthlyQuota,
        isBlocked,
        blockReason,
        blockedUntil);
  }

  /** The same with other limits. */
  public QuotaSettings withLimits(
      @Nullable Long perHour, @Nullable Long perDay, @Nullable Long burst) {
    return new QuotaSettings(
        tier, perHour, perDay, burst, monthlyQuota, isBlocked, blockReason, blockedUntil);
  }

  /** The same with another monthly quota. */
  public QuotaSettings withMonthlyQuota(@Nullable Long quota) {
    return new QuotaSettings(
        tier,
        customLimitPerHour,
        customLimitPerDay,
        customBurstSize,
        quota,
        isBlocked,
        blockReason,
        blockedUntil);
  }

  /** The same, blocked. */
  public QuotaSettings blocked(@Nullable String reason, @Nullable Instant until) {
    return new QuotaSettings(
        tier,
        customLimitPerHour,
        customLimitPerDay,
        customBurstSize,
        monthlyQuota,
        true,
        reason,
        until);
  }

  /** The same, not blocked. */
  public QuotaSettings unblocked() {
    return new QuotaSettings(
        tier,
        customLimitPerHour,
        customLimitPerDay,
        customBurstSize,
        monthlyQuota,
        false,
        null,
        null);
  }

  /**
   * The limits that this says, without the monthly quota.
   *
   * @throws ChangeRefused if it says none that can be
   */
  public List<Limit> ownLimits() {
    return new LimitColumns("custom_burst_size", customBurstSize)
        .add("custom_limit_per_hour", customLimitPerHour, "h")
        .add("custom_limit_per_day", customLimitPerDay, "d")
        .limits();
  }

  void requireValid() {
    ownLimits();
    requireBetween("monthly_quota", monthlyQuota);
    if (blockedUntil != null && !blockedUntil.isBefore(END_OF_TIME)) {
      throw new ChangeRefused(
          ChangeRefused.Kind.INVALID,
          "blocked_until",
          "must be before the year 10000, got " + blockedUntil);
    }
    if (!isBlocked && (blockReason != null || blockedUntil != null)) {
      throw new ChangeRefused(
          ChangeRefused.Kind.INVALID,
          blockReason == null ? "blocked_until" : "block_reason",
          "must not be given for a user who is not blocked");
    }
  }

  private static void requireBetween(String field, @Nullable Long value) {
    if (value != null && (value < 1 || value > Limit.MAX_PERMITS)) {
      throw new ChangeRefused(
          ChangeRefused.Kind.INVALID,
          field,
          "must be between 1 and %d, got %d".formatted(Limit.MAX_PERMITS, value));
    }
  }
}
