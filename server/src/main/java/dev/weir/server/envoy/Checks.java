package dev.weir.server.envoy;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out which rules hold for a request. */
final class Checks {
  private Checks() {}

  /** One for each descriptor, in their order. */
  static List<Check> of(
      RateLimitRequest request, EnvoyConfig config, EnvoyStats stats, EnvoyOptions options) {
    int count = request.getDescriptorsCount();
    Domain domain = config.domain(request.getDomain());
    List<Domain.@Nullable Match> matches = new ArrayList<>(count);
    boolean isReplacing = false;
    for (int i = 0; i < count; i++) {
      Domain.Match match = domain == null ? null : match(domain, request.getDescriptors(i), i);
      matches.add(match);
      if (match == null) {
        stats.countNoMatch();
      } else {
        isReplacing |= !match.rule().replaces().isEmpty();
      }
    }
    if (isReplacing) {
      dropReplaced(matches);
    }
    List<Check> checks = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      RateLimitDescriptor descriptor = request.getDescriptors(i);
      Domain.Match match = matches.get(i);
      boolean isQuota = options.quotaMode() || (match != null && match.rule().isQuota());
      checks.add(
          new Check(match, hits(request, descriptor), descriptor.getIsNegativeHits(), isQuota));
    }
    return checks;
  }

  private static Domain.@Nullable Match match(
      Domain domain, RateLimitDescriptor descriptor, int index) {
    if (!descriptor.hasLimit()) {
      return domain.match(descriptor);
    }
    Domain.Match override = domain.override(descriptor);
    if (override == null) {
      throw RateLimitException.malformed(
          "descriptors[%d].limit.unit must be a known unit, got %s"
              .formatted(index, descriptor.getLimit().getUnitValue()));
    }
    return override;
  }

  /** Unlimited rules replace others, and are not replaced. */
  private static void dropReplaced(List<Domain.@Nullable Match> matches) {
    Set<String> replaced = new HashSet<>();
    for (Domain.Match match : matches) {
      if (match != null) {
        replaced.addAll(match.rule().replaces());
      }
    }
    matches.replaceAll(
        match ->
            match != null && !match.rule().isUnlimited() && replaced.contains(match.rule().name())
                ? null
                : match);
  }

  /** Without a sign. */
  private static long hits(RateLimitRequest request, RateLimitDescriptor descriptor) {
    if (descriptor.hasHitsAddend()) {
      return descriptor.getHitsAddend().getValue();
    }
    return Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
  }
}
