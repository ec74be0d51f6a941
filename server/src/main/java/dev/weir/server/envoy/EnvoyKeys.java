package dev.weir.server.envoy;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys that configurations may have, and where. */
final class EnvoyKeys {
  static final Set<String> FILE = Set.of("domain", "descriptors");

  static final Set<String> DESCRIPTOR =
      Set.of(
          "key",
          "value",
          "rate_limit",
          "descriptors",
          "shadow_mode",
          "quota_mode",
          "detailed_metric",
          "value_to_metric",
          "share_threshold",
          "metadata");

  /** The last three are Weir's own. */
  static final Set<String> RATE_LIMIT =
      Set.of(
          "unit",
          "requests_per_unit",
          "unlimited",
          "name",
          "replaces",
          "algorithm",
          "period",
          "burst");

  static final Set<String> REPLACES = Set.of("name");

  private EnvoyKeys() {}

  /** Where a key belongs; null if it belongs nowhere. */
  static @Nullable String placeOf(String key) {
    if (RATE_LIMIT.contains(key)) {
      return "a rate_limit";
    }
    if (DESCRIPTOR.contains(key)) {
      return "a descriptor";
    }
    return FILE.contains(key) ? "the top of a file" : null;
  }
}
