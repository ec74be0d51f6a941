package dev.weir.policy;

import dev.weir.Counter;
import dev.weir.Operation;
import dev.weir.PenaltyCounter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The counters that a policy may keep for one client alone, whatever it asks for: of every rule in
 * a scope that tells clients apart, for every endpoint where the rule counts them one by one.
 */
final class ClientCounters {
  /** Few enough that one operation does not keep others waiting. */
  private static final int MOST_AT_ONCE = 64;

  private final List<Counter> counters = new ArrayList<>();
  private final List<PenaltyCounter> penalties;

  private ClientCounters(List<PenaltyCounter> penalties) {
    this.penalties = penalties;
  }

  /**
   * The counters of a client.
   *
   * @param named limits that are in no policy; where two have one name, the first of them counts
   */
  static ClientCounters of(Client client, Policy policy, Collection<NamedLimits> named) {
    ClientCounters found = new ClientCounters(Match.penalties(client, policy));
    List<String> endpoints = new ArrayList<>(List.of(Endpoint.OTHER));
    policy.definition().endpoints().forEach(endpoint -> endpoints.add(endpoint.name()));
    Map<String, Step> others = new LinkedHashMap<>();
    named.forEach(limits -> others.putIfAbsent(limits.name(), limits.step));
    for (Step step : concat(policy.steps(), others.values())) {
      if (step.scope != Scope.TIER && step.scope != Scope.GLOBAL) {
        found.add(step, step.scope.keyOf(client, policy.tierOf(client)), endpoints);
      }
    }
    for (Step own :
        new @Nullable Step[] {client.keyLimits(), client.userLimits(), client.quota()}) {
      if (own != null) {
        found.add(own, own.scope.keyOf(client, null), endpoints);
      }
    }
    return found;
  }

  private static List<Step> concat(Collection<Step> some, Collection<Step> others) {
    List<Step> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  private void add(Step step, String key, List<String> endpoints) {
    String[] before = {};
    for (String endpoint : endpoints) {
      String[] names = step.counterNames(endpoint);
      if (names == before) {
        // One counter does for all endpoints.
        return;
      }
      before = names;
      for (int i = 0; i < names.length; i++) {
        counters.add(new Counter(names[i], key, step.limits.get(i)));
      }
    }
  }

  /** Operations that look at all of them. */
  List<Operation> peeks() {
    return operations((some, with) -> new Operation.Peek(some, with, 0));
  }

  /** Operations that forget all of them. */
  List<Operation> resets() {
    return operations(Operation.Reset::new);
  }

  /** The first one has the penalties. */
  private List<Operation> operations(
      BiFunction<List<Counter>, List<PenaltyCounter>, Operation> operation) {
    List<Operation> all = new ArrayList<>();
    for (int i = 0; i < counters.size(); i += MOST_AT_ONCE) {
      List<Counter> some = counters.subList(i, Math.min(counters.size(), i + MOST_AT_ONCE));
      all.add(operation.apply(some, i == 0 ? penalties : List.of()));
    }
    return all;
  }
}
