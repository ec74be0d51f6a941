package dev.weir.policy;

import dev.weir.Limit;
import dev.weir.Penalty;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Builds definitions of policies from texts, with a default of 100/m. */
final class TestPolicy {
  private boolean isEnabled = true;
  private @Nullable String defaultTier;
  private Limit defaultLimit = Limit.parse("100/m");
  private final List<Tier> tiers = new ArrayList<>();
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();
  private @Nullable Penalty penalty;
  private ClientSet exempt = ClientSet.empty();
  private Action unknownClients = Action.ALLOW;
  private FailureMode failureMode = FailureMode.LOCAL;
  private int localNodes = 1;

  static TestPolicy of(TestRule... rules) {
    TestPolicy policy = new TestPolicy();
    for (TestRule rule : rules) {
      policy.rules.add(rule.build());
    }
    return policy;
  }

  TestPolicy disabled() {
    isEnabled = false;
    return this;
  }

  TestPolicy defaultTier(String tier) {
    defaultTier = tier;
    return this;
  }

  TestPolicy defaultLimit(String limit) {
    defaultLimit = Limit.parse(limit);
    return this;
  }

  TestPolicy tier(String name, String limit) {
    tiers.add(new Tier(name, Limit.parse(limit), new TreeMap<>()));
    return this;
  }

  /** Changes the tier that was added last. */
  TestPolicy override(String path, long permits) {
    Tier last = tiers.remove(tiers.size() - 1);
    TreeMap<PathPattern, Long> overrides = new TreeMap<>(last.overrides());
    overrides.put(PathPattern.parse(path), permits);
    tiers.add(new Tier(last.name(), last.limit(), overrides));
    return this;
  }

  /** An endpoint without a limit of its own. */
  TestPolicy endpoint(String name, String... paths) {
    return endpoint(name, new TreeSet<>(), null, Scope.CLIENT, paths);
  }

  TestPolicy limitedEndpoint(String name, String limit, Scope scope, String... paths) {
    return endpoint(name, new TreeSet<>(), Limit.parse(limit), scope, paths);
  }

  TestPolicy endpoint(
      String name, SortedSet<String> methods, @Nullable Limit limit, Scope scope, String... paths) {
    List<PathPattern> patterns = List.of(paths).stream().map(PathPattern::parse).toList();
    endpoints.add(new Endpoint(name, patterns, methods, limit, scope));
    return this;
  }

  TestPolicy rule(Rule rule) {
    rules.add(rule);
    return this;
  }

  TestPolicy penalty(Penalty value) {
    penalty = value;
    return this;
  }

  TestPolicy exempt(ClientSet clients) {
    exempt = clients;
    return this;
  }

  TestPolicy unknownClients(Action action) {
    unknownClients = action;
    return this;
  }

  TestPolicy failureMode(FailureMode mode) {
    failureMode = mode;
    return this;
  }

  TestPolicy localNodes(int nodes) {
    localNodes = nodes;
    return this;
  }

  PolicyDefinition define() {
    return new PolicyDefinition(
        isEnabled,
        defaultTier,
        defaultLimit,
        tiers,
        endpoints,
        rules,
        penalty,
        exempt,
        unknownClients,
        failureMode,
        localNodes);
  }

  Policy compile() {
    return Policy.compile(define());
  }
}
