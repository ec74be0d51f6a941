package dev.weir.server.envoy;

import dev.weir.Period;
import dev.weir.envoy.api.RateLimitResponse.RateLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of all domains, compiled. Immutable; replaced as a whole when a file changes. */
public final class EnvoyConfig {
  private final Map<String, Domain> domains;

  private EnvoyConfig(Map<String, Domain> domains) {
    this.domains = Map.copyOf(domains);
  }

  /**
   * Compiles what was read.
   *
   * @param roots the top of each domain
   * @param stats where the hits on rules are counted
   */
  static EnvoyConfig compile(Map<String, NodeDraft> roots, EnvoyStats stats) {
    Map<String, Domain> domains = new HashMap<>();
    roots.forEach(
        (name, root) -> {
          Node top = new Compiler(stats).node(root, CounterName.ofDomain(name), name, false);
          domains.put(name, new Domain(name, top, stats));
        });
    return new EnvoyConfig(domains);
  }

  /** The names of the domains. */
  public Set<String> domains() {
    return domains.keySet();
  }

  @Nullable Domain domain(String name) {
    return domains.get(name);
  }

  /** Makes nodes of drafts, from the top down. */
  private record Compiler(EnvoyStats stats) {

    /**
     * Compiles a draft and all below it.
     *
     * @param counter the name of its counters
     * @param statsKey its name in statistics
     * @param hasValueAbove whether statistics tell a value above it apart
     */
    Node node(NodeDraft draft, String counter, String statsKey, boolean hasValueAbove) {
      boolean hasValue = hasValueAbove || (draft.hasValueInMetric && !draft.isShared);
      List<Node> children = new ArrayList<>();
      for (NodeDraft child : draft.children.values()) {
        children.add(
            node(
                child,
                CounterName.below(counter, child.composite),
                statsKey + "." + child.composite,
                hasValue));
      }
      RuleDraft rule = draft.rule;
      return new Node(
          draft, rule == null ? null : rule(draft, rule, counter, statsKey, hasValue), children);
    }

    private Rule rule(
        NodeDraft draft, RuleDraft rule, String counter, String statsKey, boolean hasValue) {
      RateLimit.Builder current =
          RateLimit.newBuilder().setRequestsPerUnit((int) rule.permits()).setName(rule.name());
      Period.Span span = rule.span();
      if (span != null) {
        current.setUnit(LimitUnit.unitOf(span));
      }
      return new Rule(
          rule.name(),
          rule.replaces(),
          rule.isUnlimited(),
          draft.isShadow,
          draft.isQuota,
          rule.limit(),
          span == null ? 0 : span.micros(),
          current.build(),
          counter,
          draft.metadata,
          stats.ofRule(statsKey),
          hasValue || draft.isDetailed);
    }
  }
}
