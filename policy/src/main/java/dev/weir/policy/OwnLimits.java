package dev.weir.policy;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Period;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Limits that one API key or one user has of its own. They hold in place of those of the tier; a
 * monthly quota holds in addition to everything else. Immutable, and made once for many requests.
 */
public final class OwnLimits {
  private static final OwnLimits NONE = new OwnLimits(Scope.CLIENT, List.of(), null);

  private final Scope scope;
  private final List<Limit> limits;

  /** What holds in place of the tier's limits; null: nothing does. */
  final @Nullable Step step;

  /** The monthly quota; null: there is none. */
  final @Nullable Step quota;

  private OwnLimits(Scope scope, List<Limit> limits, @Nullable Long monthlyQuota) {
    this.scope = scope;
    this.limits = List.copyOf(limits);
    this.step = limits.isEmpty() ? null : Step.ofOwn(scope, this.limits);
    this.quota = monthlyQuota == null ? null : Step.ofQuota(month(monthlyQuota));
  }

  /** No limits. */
  public static OwnLimits none() {
    return NONE;
  }

  /** Limits of an API key, counted by key. */
  public static OwnLimits ofKey(List<Limit> limits) {
    return limits.isEmpty() ? NONE : new OwnLimits(Scope.KEY, limits, null);
  }

  /**
   * Limits of a user, counted by user.
   *
   * @param monthlyQuota what the user may use up in each month of UTC; null: as much as else holds
   */
  public static OwnLimits ofUser(List<Limit> limits, @Nullable Long monthlyQuota) {
    return limits.isEmpty() && monthlyQuota == null
        ? NONE
        : new OwnLimits(Scope.USER, limits, monthlyQuota);
  }

  private static FixedWindow month(long permits) {
    return new FixedWindow(
        permits, Period.Calendar.utc(Period.CalendarUnit.MONTH), FixedWindow.Align.EPOCH);
  }

  /** Those that hold in place of the tier's. */
  public List<Limit> limits() {
    return limits;
  }

  /** What may be used up in each month of UTC; null: as much as else holds. */
  public @Nullable Long monthlyQuota() {
    return quota == null ? null : quota.limits.get(0).permits();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OwnLimits that
        && scope == that.scope
        && limits.equals(that.limits)
        && Objects.equals(monthlyQuota(), that.monthlyQuota());
  }

  @Override
  public int hashCode() {
    return Objects.hash(scope, limits, monthlyQuota());
  }

  @Override
  public String toString() {
    return limits + (quota == null ? "" : " and " + quota.limits.get(0));
  }
}
