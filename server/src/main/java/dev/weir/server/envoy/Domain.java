package dev.weir.server.envoy;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitDescriptor.Entry;
import dev.weir.envoy.api.RateLimitDescriptor.RateLimitOverride;
import dev.weir.envoy.api.RateLimitResponse.RateLimit;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rules of one domain. Immutable. */
final class Domain {

  /**
   * A rule that holds for a descriptor.
   *
   * @param key whom it is counted for
   * @param isShared whether the key stands for several values, by {@code share_threshold}
   * @param stats where hits are counted
   */
  record Match(Rule rule, String key, boolean isShared, RuleStats stats) {}

  private final String name;
  private final Node root;
  private final EnvoyStats stats;

  /** Counters of limits that callers bring along. */
  private final Map<LimitUnit, String> overrideCounters;

  Domain(String name, Node root, EnvoyStats stats) {
    this.name = name;
    this.root = root;
    this.stats = stats;
    this.overrideCounters = CounterName.ofOverrides(name);
  }

  /**
   * The rule for a descriptor; null if there is none. It has to be as deep as the descriptor has
   * entries.
   */
  @Nullable Match match(RateLimitDescriptor descriptor) {
    int last = descriptor.getEntriesCount() - 1;
    if (last < 0) {
      return null;
    }
    StringBuilder key = new StringBuilder(32);
    boolean isShared = false;
    Node node = root;
    for (int i = 0; ; i++) {
      Entry entry = descriptor.getEntries(i);
      Node next = node.child(entry.getKey(), entry.getValue());
      if (next == null || (i < last && next.isLeaf())) {
        return null;
      }
      next.appendTo(key, entry);
      isShared |= next.isShared();
      if (i == last) {
        Rule rule = next.rule();
        return rule == null
            ? null
            : new Match(
                rule, key.toString(), isShared, statsFor(rule, next.isDetailed(), descriptor));
      }
      node = next;
    }
  }

  private RuleStats statsFor(Rule rule, boolean withAllValues, RateLimitDescriptor descriptor) {
    if (!rule.tellsValuesApart()) {
      return rule.stats();
    }
    StringBuilder key = new StringBuilder(name);
    Node node = root;
    for (int i = 0; i < descriptor.getEntriesCount(); i++) {
      Entry entry = descriptor.getEntries(i);
      Node next = node.child(entry.getKey(), entry.getValue());
      if (next == null) {
        return rule.stats();
      }
      next.appendTo(key, entry, withAllValues);
      node = next;
    }
    return stats.ofValues(key.toString(), rule.stats());
  }

  /**
   * The caller's own limit; null if its unit is unknown. It is counted with the rule that it
   * replaces if both have one unit, since the two are one counter in envoyproxy/ratelimit. A rule
   * with a shared counter is the exception there, too: the caller's limit is for the given value.
   */
  @Nullable Match override(RateLimitDescriptor descriptor) {
    RateLimitOverride limit = descriptor.getLimit();
    LimitUnit unit = LimitUnit.numbered(limit.getUnitValue());
    if (unit == null) {
      return null;
    }
    RateLimit current =
        RateLimit.newBuilder()
            .setRequestsPerUnit(limit.getRequestsPerUnit())
            .setUnitValue(limit.getUnitValue())
            .build();
    RuleStats overrideStats = stats.ofRule(name + ".override");
    Match replaced = match(descriptor);
    String counter = Objects.requireNonNull(overrideCounters.get(unit));
    String key;
    if (replaced != null && !replaced.isShared && replaced.rule.countsOnIn(unit)) {
      counter = replaced.rule.counter();
      key = replaced.key;
    } else {
      key = keyOf(descriptor);
    }
    long permits = Integer.toUnsignedLong(limit.getRequestsPerUnit());
    Rule rule = Rule.override(permits, unit, current, counter, overrideStats);
    return new Match(rule, key, /* isShared= */ false, overrideStats);
  }

  /** Of a limit that replaces no rule of its unit; else the two have one counter. */
  private static String keyOf(RateLimitDescriptor descriptor) {
    StringBuilder key = new StringBuilder(32);
    for (Entry entry : descriptor.getEntriesList()) {
      key.append(entry.getKey().length()).append('=').append(entry.getKey());
      key.append(entry.getValue().length()).append(':').append(entry.getValue());
    }
    return key.toString();
  }
}
