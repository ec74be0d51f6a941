package dev.weir.control.keys;

import dev.weir.Limit;
import dev.weir.control.rows.LimitColumns;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be said of a key, besides whose it is.
 *
 * @param name what people call it; null: nothing
 * @param tier the tier of those who use it; null: the user's
 * @param limits own limits as texts, such as {@code 2/10m}
 * @param requestsPerSecond an own limit; null: none
 * @param requestsPerHour an own limit; null: none
 * @param requestsPerDay an own limit; null: none
 * @param burstSize the burst of the shortest of these three; null: its permits
 * @param expiresAt when it ends; null: never
 */
public record KeySettings(
    @Nullable String name,
    @Nullable String tier,
    List<String> limits,
    @Nullable Long requestsPerSecond,
    @Nullable Long requestsPerHour,
    @Nullable Long requestsPerDay,
    @Nullable Long burstSize,
    @Nullable Instant expiresAt) {
  private static final KeySettings NONE =
      new KeySettings(null, null, List.of(), null, null, null, null, null);

  public KeySettings {
    limits = List.copyOf(limits);
  }

  /** Nothing said. */
  public static KeySettings none() {
    return NONE;
  }

  /** The same with another name. */
  public KeySettings withName(@Nullable String name) {
    return new KeySettings(
        name,
        tier,
        limits,
        requestsPerSecond,
        requestsPerHour,
        requestsPerDay,
        burstSize,
        expiresAt);
  }

  /** The same in another tier. */
  public KeySettings withTier(@Nullable String tier) {
    return new KeySettings(
        name,
        tier,
        limits,
        requestsPerSecond,
        requestsPerHour,
        requestsPerDay,
        burstSize,
        expiresAt);
  }

  /** The same with other limits as texts. */
  public KeySettings withLimits(List<String> limits) {
    return new KeySettings(
        name,
        tier,
        limits,
        requestsPerSecond,
        requestsPerHour,
        requestsPerDay,
        burstSize,
        expiresAt);
  }

  /** The same with another end. */
  public KeySettings withExpiresAt(@Nullable Instant expiresAt) {
    return new KeySettings(
        name,
        tier,
        limits,
        requestsPerSecond,
        requestsPerHour,
        requestsPerDay,
        burstSize,
        expiresAt);
  }

  /**
   * The limits that all of this says.
   *
   * @throws dev.weir.control.change.ChangeRefused if it says none that can be
   */
  public List<Limit> ownLimits() {
    return new LimitColumns("burst_size", burstSize)
        .add("requests_per_second", requestsPerSecond, "s")
        .add("requests_per_hour", requestsPerHour, "h")
        .add("requests_per_day", requestsPerDay, "d")
        .addAll("limits", limits)
        .limits();
  }
}
