package dev.weir.server.envoy;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitDescriptor.Entry;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitResponse.DescriptorStatus;
import dev.weir.envoy.api.RateLimitResponse.RateLimit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What envoyproxy/ratelimit does, slowly and plainly: counters in a map by the text that it would
 * have as a key of Redis. As in Weir, a limit of 0 has no counter.
 */
final class ReferenceModel {

  /** A descriptor of the configuration. */
  static final class Item {
    final String key;
    final String value;
    final List<Item> items = new ArrayList<>();
    @Nullable RateLimit limit;
    boolean unlimited;
    boolean shadow;
    boolean quota;
    boolean shared;
    List<String> replaces = List.of();

    Item(String key, String value) {
      this.key = key;
      this.value = value;
    }

    String composite() {
      return value.isEmpty() ? key : key + "_" + value;
    }

    /** As YAML in flow style. */
    String yaml() {
      StringBuilder yaml = new StringBuilder("{key: '" + key + "'");
      yaml.append(value.isEmpty() ? "" : ", value: '" + value + "'");
      yaml.append(", shadow_mode: " + shadow + ", quota_mode: " + quota);
      yaml.append(shared ? ", share_threshold: true" : "");
      if (unlimited) {
        yaml.append(", rate_limit: {unlimited: true, name: '" + nameOf(limit) + "'" + replacing());
        yaml.append("}");
      } else if (limit != null) {
        yaml.append(
            ", rate_limit: {unit: %s, requests_per_unit: %d, name: '%s'%s}"
                .formatted(
                    limit.getUnit(), limit.getRequestsPerUnit(), limit.getName(), replacing()));
      }
      yaml.append(", descriptors: [");
      items.forEach(item -> yaml.append(item.yaml()).append(", "));
      return yaml.append("]}").toString();
    }

    private static String nameOf(@Nullable RateLimit limit) {
      return limit == null ? "" : limit.getName();
    }

    private String replacing() {
      StringBuilder yaml = new StringBuilder();
      replaces.forEach(name -> yaml.append("{name: '" + name + "'}, "));
      return replaces.isEmpty() ? "" : ", replaces: [" + yaml + "]";
    }
  }

  /** The item that holds for a descriptor, and how it is counted. */
  private record Found(
      @Nullable Item item, RateLimit limit, String counter, String statsKey, boolean unlimited) {}

  private final Item top;
  private final Map<String, BigInteger> counters = new HashMap<>();
  final Map<String, EnvoyStats.RuleCounts> stats = new HashMap<>();
  long noMatch;

  ReferenceModel(Item top) {
    this.top = top;
  }

  RateLimitResponse decide(RateLimitRequest request, long nowSeconds) {
    List<@Nullable Found> all = new ArrayList<>();
    Set<String> replaced = new HashSet<>();
    for (RateLimitDescriptor descriptor : request.getDescriptorsList()) {
      Found found = request.getDomain().equals(top.key) ? find(descriptor, nowSeconds) : null;
      all.add(found);
      if (found == null) {
        noMatch++;
      } else if (found.item != null) {
        replaced.addAll(found.item.replaces);
      }
    }
    RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    boolean isOver = false;
    int quotas = 0;
    int quotasOver = 0;
    for (int i = 0; i < all.size(); i++) {
      Found found = all.get(i);
      if (found != null && !found.unlimited && replaced.contains(found.limit.getName())) {
        found = null;
      }
      DescriptorStatus status = status(found, request, request.getDescriptors(i), nowSeconds);
      response.addStatuses(status);
      boolean isQuota = found != null && found.item != null && found.item.quota && !found.unlimited;
      boolean over = status.getCode() == Code.OVER_LIMIT;
      quotas += isQuota ? 1 : 0;
      quotasOver += isQuota && over ? 1 : 0;
      isOver |= over && !isQuota;
    }
    isOver |= quotas > 0 && quotas == quotasOver;
    return response.setOverallCode(isOver ? Code.OVER_LIMIT : Code.OK).build();
  }

  private @Nullable Found find(RateLimitDescriptor descriptor, long nowSeconds) {
    if (descriptor.hasLimit()) {
      RateLimit limit =
          RateLimit.newBuilder()
              .setRequestsPerUnit(descriptor.getLimit().getRequestsPerUnit())
              .setUnitValue(descriptor.getLimit().getUnitValue())
              .build();
      return new Found(
          null, limit, counter(descriptor, limit, nowSeconds), top.key + ".override", false);
    }
    Item item = top;
    StringBuilder counter = new StringBuilder(top.key);
    StringBuilder statsKey = new StringBuilder(top.key);
    for (Entry entry : descriptor.getEntriesList()) {
      Item next = child(item, entry);
      if (next == null) {
        return null;
      }
      counter.append(
          "|" + entry.getKey() + "|" + (next.shared ? next.composite() : entry.getValue()));
      statsKey.append("." + next.composite());
      item = next;
    }
    RateLimit limit = item.limit;
    if (item == top || limit == null) {
      return null;
    }
    return new Found(
        item, limit, counter + window(limit, nowSeconds), statsKey.toString(), item.unlimited);
  }

  /** Of a limit that a caller brings along: by the values of the descriptor, and never shared. */
  private String counter(RateLimitDescriptor descriptor, RateLimit limit, long nowSeconds) {
    StringBuilder counter = new StringBuilder(top.key);
    descriptor.getEntriesList().forEach(e -> counter.append("|" + e.getKey() + "|" + e.getValue()));
    return counter + window(limit, nowSeconds);
  }

  private static @Nullable Item child(Item item, Entry entry) {
    String composite = entry.getKey() + "_" + entry.getValue();
    for (Item each : item.items) {
      if (each.composite().equals(composite)) {
        return each;
      }
    }
    for (Item each : item.items) {
      boolean isPattern = each.composite().contains("*");
      String pattern = each.composite().replace(".", "\\.").replace("*", ".*");
      if (isPattern && composite.matches("(?s)" + pattern)) {
        return each;
      }
    }
    for (Item each : item.items) {
      if (each.composite().equals(entry.getKey())) {
        return each;
      }
    }
    return null;
  }

  private static String window(RateLimit limit, long nowSeconds) {
    long seconds = seconds(limit);
    return "|" + limit.getUnit() + "|" + nowSeconds / seconds;
  }

  private static long seconds(RateLimit limit) {
    return switch (limit.getUnit()) {
      case SECOND -> 1;
      case MINUTE -> 60;
      case HOUR -> 3_600;
      case DAY -> 86_400;
      case WEEK -> 7 * 86_400;
      case MONTH -> 30 * 86_400;
      case YEAR -> 365 * 86_400;
      // What is unlimited has no window.
      case UNKNOWN, UNRECOGNIZED -> 1;
    };
  }

  private DescriptorStatus status(
      @Nullable Found found,
      RateLimitRequest request,
      RateLimitDescriptor descriptor,
      long nowSeconds) {
    DescriptorStatus.Builder status = DescriptorStatus.newBuilder().setCode(Code.OK);
    if (found == null) {
      return status.build();
    }
    if (found.unlimited) {
      return status.setLimitRemaining(-1).build();
    }
    BigInteger hits =
        descriptor.hasHitsAddend()
            ? new BigInteger(Long.toUnsignedString(descriptor.getHitsAddend().getValue()))
            : BigInteger.valueOf(Math.max(1, Integer.toUnsignedLong(request.getHitsAddend())));
    BigInteger permits =
        BigInteger.valueOf(Integer.toUnsignedLong(found.limit.getRequestsPerUnit()));
    // A limit of 0 has no counter, and does not see that of another limit.
    BigInteger before =
        permits.signum() == 0
            ? BigInteger.ZERO
            : counters.getOrDefault(found.counter, BigInteger.ZERO);
    BigInteger after = before.add(hits);
    boolean isShadow = found.item != null && found.item.shadow;
    boolean isOver;
    if (descriptor.getIsNegativeHits()) {
      after = before.subtract(hits).max(BigInteger.ZERO);
      isOver = false;
      add(found.statsKey, 0, 0, 0, 0, 0, hits.longValue());
    } else {
      isOver = after.compareTo(permits) > 0;
      count(found.statsKey, before.longValue(), hits.longValue(), permits.longValue(), isShadow);
    }
    if (permits.signum() > 0) {
      counters.put(found.counter, after);
    }
    long seconds = seconds(found.limit);
    status.setCurrentLimit(found.limit);
    status.getDurationUntilResetBuilder().setSeconds(seconds - nowSeconds % seconds);
    if (isOver) {
      return status.setCode(isShadow ? Code.OK : Code.OVER_LIMIT).build();
    }
    return status
        .setLimitRemaining(permits.subtract(after).max(BigInteger.ZERO).intValue())
        .build();
  }

  /** Hit by hit, up to the limit. */
  private void count(String key, long before, long hits, long limit, boolean isShadow) {
    long near = 0;
    long end = before + hits;
    for (long at = before + 1; at <= Math.min(limit, end); at++) {
      near += at > limit * 8 / 10 ? 1 : 0;
    }
    long over = Math.max(0, end - Math.max(limit, before));
    add(key, hits, over, near, before + hits > limit ? 0 : hits, isShadow ? over : 0, 0);
  }

  private void add(
      String key, long total, long over, long near, long within, long shadow, long negative) {
    stats.merge(
        key,
        new EnvoyStats.RuleCounts(key, total, over, near, within, shadow, negative),
        (a, b) ->
            new EnvoyStats.RuleCounts(
                key,
                a.totalHits() + b.totalHits(),
                a.overLimit() + b.overLimit(),
                a.nearLimit() + b.nearLimit(),
                a.withinLimit() + b.withinLimit(),
                a.shadowMode() + b.shadowMode(),
                a.totalNegativeHits() + b.totalNegativeHits()));
  }
}
