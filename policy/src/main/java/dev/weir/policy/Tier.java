package dev.weir.policy;

import dev.weir.Limit;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * A named class of clients.
 *
 * @param name {@code a-z}, {@code 0-9} and {@code _}
 * @param limit what each of its clients may do, on each endpoint
 * @param overrides stricter permits on patterns of paths, in the same window; the most restrictive
 *     of both holds
 */
public record Tier(String name, Limit limit, SortedMap<PathPattern, Long> overrides) {
  public Tier {
    Names.requireTier("name", name);
    Objects.requireNonNull(limit, "limit");
    overrides = Sorted.copyOf(overrides);
    for (Map.Entry<PathPattern, Long> override : overrides.entrySet()) {
      if (override.getValue() < 1) {
        throw new IllegalArgumentException(
            "endpoints must be at least 1, got %d for %s"
                .formatted(override.getValue(), override.getKey()));
      }
    }
  }

  /** The limit on that pattern. */
  Limit limitOn(PathPattern path) {
    long permits = Math.min(limit.permits(), overrides.getOrDefault(path, limit.permits()));
    return LimitShare.withPermits(limit, permits);
  }
}
