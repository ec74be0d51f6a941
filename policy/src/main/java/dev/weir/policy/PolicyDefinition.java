package dev.weir.policy;

import dev.weir.Limit;
import dev.weir.Penalty;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a policy says, as it is written down; {@link Policy} is what comes of it.
 *
 * @param isEnabled false: everything passes, nothing is counted
 * @param defaultTier the tier of clients that have none; null: they have none
 * @param defaultLimit what holds for each client where nothing else gives a limit
 * @param tiers the classes of clients
 * @param endpoints the groups of paths
 * @param rules the rules
 * @param penalty cool-downs for those who are refused again and again; null: none
 * @param exempt clients that are never counted
 * @param unknownClients whether clients of which nothing is known are allowed or blocked
 * @param failureMode what happens when counters cannot be reached
 * @param localNodes among how many instances the limits are divided while each counts alone
 */
public record PolicyDefinition(
    boolean isEnabled,
    @Nullable String defaultTier,
    Limit defaultLimit,
    List<Tier> tiers,
    List<Endpoint> endpoints,
    List<Rule> rules,
    @Nullable Penalty penalty,
    ClientSet exempt,
    Action unknownClients,
    FailureMode failureMode,
    int localNodes) {

  public PolicyDefinition {
    Objects.requireNonNull(defaultLimit, "defaultLimit");
    Objects.requireNonNull(exempt, "exempt");
    Objects.requireNonNull(failureMode, "failureMode");
    if (unknownClients == Action.THROTTLE) {
      throw new IllegalArgumentException("on_missing_client must be allow or block, got throttle");
    }
    if (localNodes < 1) {
      throw new IllegalArgumentException("local_nodes must be at least 1, got " + localNodes);
    }
    tiers = List.copyOf(tiers);
    endpoints = List.copyOf(endpoints);
    rules = List.copyOf(rules);
    requireUnique("tier", tiers.stream().map(Tier::name).toList());
    requireUnique("endpoint", endpoints.stream().map(Endpoint::name).toList());
    requireUnique("rule", rules.stream().map(Rule::name).toList());
    if (defaultTier != null && tiers.stream().noneMatch(tier -> tier.name().equals(defaultTier))) {
      throw new IllegalArgumentException(
          "default_tier must be the name of a tier, got \"" + defaultTier + "\"");
    }
  }

  /** The same with other rules. */
  public PolicyDefinition withRules(List<Rule> others) {
    return new PolicyDefinition(
        isEnabled,
        defaultTier,
        defaultLimit,
        tiers,
        endpoints,
        others,
        penalty,
        exempt,
        unknownClients,
        failureMode,
        localNodes);
  }

  private static void requireUnique(String kind, List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new IllegalArgumentException(
            "%s \"%s\" must be given once, got it twice".formatted(kind, name));
      }
    }
  }
}
