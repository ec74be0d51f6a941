package dev.weir.policy.config;

import dev.weir.policy.Endpoint;
import dev.weir.policy.Rule;
import dev.weir.policy.Tier;
import java.util.List;

/**
 * What a policy has several of, each in the order of the text.
 *
 * @param tiers classes of clients
 * @param endpoints groups of paths
 * @param rules rules
 * @param warnings what is not wrong, but perhaps not what was meant
 */
public record PolicyParts(
    List<Tier> tiers, List<Endpoint> endpoints, List<Rule> rules, List<Mistake> warnings) {
  public PolicyParts {
    tiers = List.copyOf(tiers);
    endpoints = List.copyOf(endpoints);
    rules = List.copyOf(rules);
    warnings = List.copyOf(warnings);
  }
}
