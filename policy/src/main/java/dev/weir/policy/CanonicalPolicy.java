package dev.weir.policy;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Period;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Definitions that say the same, brought to one form: limits of equal length are written alike, and
 * what is in no order is sorted. Rules are walked by priority and name, of an endpoint's patterns
 * the most specific counts, and of a condition's values any does. The limits of a rule keep their
 * order, by which counters are named and answers list them, and so do multipliers.
 */
final class CanonicalPolicy {
  private CanonicalPolicy() {}

  static PolicyDefinition of(PolicyDefinition policy) {
    return new PolicyDefinition(
        policy.isEnabled(),
        policy.defaultTier(),
        limit(policy.defaultLimit()),
        policy.tiers().stream()
            .map(tier -> new Tier(tier.name(), limit(tier.limit()), tier.overrides()))
            .sorted(Comparator.comparing(Tier::name))
            .toList(),
        policy.endpoints().stream()
            .map(CanonicalPolicy::endpoint)
            .sorted(Comparator.comparing(Endpoint::name))
            .toList(),
        policy.rules().stream()
            .map(CanonicalPolicy::rule)
            .sorted(Comparator.comparing(Rule::name))
            .toList(),
        policy.penalty(),
        new ClientSet(
            sorted(policy.exempt().ips()), policy.exempt().users(), policy.exempt().keys()),
        policy.unknownClients(),
        policy.failureMode(),
        policy.localNodes());
  }

  private static Endpoint endpoint(Endpoint endpoint) {
    @Nullable Limit limit = endpoint.limit();
    return new Endpoint(
        endpoint.name(),
        sorted(endpoint.paths()),
        endpoint.methods(),
        limit == null ? null : limit(limit),
        endpoint.scope());
  }

  private static Rule rule(Rule rule) {
    List<Limit> limits = new ArrayList<>();
    boolean isCanonical = rule.match().paths().size() < 2 && rule.match().ips().size() < 2;
    for (Limit limit : rule.limits()) {
      Limit canonical = limit(limit);
      limits.add(canonical);
      isCanonical &= canonical == limit;
    }
    if (isCanonical) {
      return rule;
    }
    return new Rule(
        rule.name(),
        rule.priority(),
        conditions(rule.match()),
        limits,
        rule.scope(),
        rule.action(),
        rule.isFinal(),
        rule.mode(),
        rule.failureMode(),
        rule.refusal(),
        rule.isEnabled());
  }

  private static Conditions conditions(Conditions match) {
    return new Conditions(
        match.tiers(),
        match.endpoints(),
        sorted(match.paths()),
        match.methods(),
        sorted(match.ips()),
        match.users(),
        match.keys(),
        match.headers());
  }

  /** By their texts, each once. */
  private static <T> List<T> sorted(Collection<T> values) {
    return values.stream().sorted(Comparator.comparing(Object::toString)).distinct().toList();
  }

  /** The limit itself if it is written in the one form. */
  private static Limit limit(Limit limit) {
    if (!(limit.period() instanceof Period.Span written)) {
      return limit;
    }
    Period.Span span = Period.Span.of(written.toDuration());
    if (span.unit() == written.unit()) {
      return limit;
    }
    if (limit instanceof TokenBucket bucket) {
      return new TokenBucket(bucket.permits(), span, bucket.burst());
    }
    if (limit instanceof SlidingWindow window) {
      return new SlidingWindow(window.permits(), span);
    }
    return limit instanceof FixedWindow window
        ? new FixedWindow(window.permits(), span, window.align())
        : new SlidingLog(limit.permits(), span);
  }
}
