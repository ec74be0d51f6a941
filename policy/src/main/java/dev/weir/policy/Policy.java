package dev.weir.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All rules of a moment, compiled and immutable: which limits hold for which request. Tiers,
 * endpoints and the default have become rules, so that there is one way to match.
 */
public final class Policy {
  private final PolicyDefinition definition;
  private final String version;
  private final List<Step> steps;
  private final RuleIndex index;
  private final List<EndpointPath> endpointPaths;
  private final Members exempt;

  /** A pattern of an endpoint. */
  private record EndpointPath(PathPattern path, String endpoint, SortedSet<String> methods) {}

  private Policy(PolicyDefinition definition) {
    this.definition = definition;
    this.version = PolicyText.version(definition);
    this.steps = steps(definition);
    this.endpointPaths = endpointPaths(definition);
    this.index = RuleIndex.of(steps, endpointPaths.stream().map(EndpointPath::path).toList());
    this.exempt = new Members(definition.exempt());
  }

  /** The policy that the definition says. */
  public static Policy compile(PolicyDefinition definition) {
    return new Policy(definition);
  }

  /** What it was compiled from. */
  public PolicyDefinition definition() {
    return definition;
  }

  /** Names its content: policies that say the same have the same version. */
  public String version() {
    return version;
  }

  private static List<Step> steps(PolicyDefinition definition) {
    List<Step> steps = new ArrayList<>();
    for (Rule rule : definition.rules()) {
      if (rule.isEnabled()) {
        steps.add(Step.of(rule));
      }
    }
    for (Tier tier : definition.tiers()) {
      int rank = 0;
      for (PathPattern path : new TreeMap<>(tier.overrides()).keySet()) {
        steps.add(Step.of(tier, path, rank++));
      }
      steps.add(Step.of(tier));
    }
    for (Endpoint endpoint : definition.endpoints()) {
      if (endpoint.limit() != null) {
        steps.add(Step.of(endpoint, endpoint.limit()));
      }
    }
    steps.add(Step.ofDefault(definition.defaultLimit()));
    steps.sort(Step.ORDER);
    return List.copyOf(steps);
  }

  private static List<EndpointPath> endpointPaths(PolicyDefinition definition) {
    List<EndpointPath> paths = new ArrayList<>();
    for (Endpoint endpoint : definition.endpoints()) {
      for (PathPattern path : endpoint.paths()) {
        paths.add(new EndpointPath(path, endpoint.name(), endpoint.methods()));
      }
    }
    paths.sort(
        Comparator.comparing(EndpointPath::path)
            // Of two equal patterns the one for some methods is more specific than the one for all.
            .thenComparing(path -> path.methods.isEmpty())
            .thenComparing(EndpointPath::endpoint));
    return List.copyOf(paths);
  }

  /**
   * A request to that endpoint, for what is known by the endpoint only: with the first of its
   * methods, on the most specific of its paths that no other endpoint has; null if there is none.
   */
  public @Nullable Request requestTo(String endpoint, Client client, long cost) {
    for (EndpointPath candidate : endpointPaths) {
      if (candidate.endpoint.equals(endpoint)) {
        String method = candidate.methods.isEmpty() ? "GET" : candidate.methods.first();
        Request request =
            new Request(method, candidate.path.example(), client, cost, Headers.none());
        if (locate(request).endpoint.equals(endpoint)) {
          return request;
        }
      }
    }
    Request other = new Request("GET", "/", client, cost, Headers.none());
    return locate(other).endpoint.equals(endpoint) ? other : null;
  }

  /** All rules in the order of the walk, with those that are switched off where they would be. */
  public List<EffectiveRule> effectiveRules() {
    Set<Step> off = new HashSet<>();
    for (Rule rule : definition.rules()) {
      if (!rule.isEnabled()) {
        off.add(Step.of(rule));
      }
    }
    List<Step> all = new ArrayList<>(steps);
    all.addAll(off);
    all.sort(Step.ORDER);
    return all.stream().map(step -> EffectiveRule.of(step, !off.contains(step))).toList();
  }

  /** All steps in the order of the walk. */
  List<Step> steps() {
    return steps;
  }

  /** Whether it names the client as one that is never counted. */
  public boolean isExempt(Client client) {
    return exempt.contains(client);
  }

  /** The tier that the client has under this policy. */
  @Nullable String tierOf(Client client) {
    return client.tier() == null ? definition.defaultTier() : client.tier();
  }

  /** Finds where a request belongs; valid until this thread's next call. */
  Match locate(Request request) {
    Match match = Match.empty();
    match.tier = tierOf(request.client());
    index.walk(request, match);
    match.atEndpoint(endpoint(request, match));
    return match;
  }

  /** Finds what holds for a request; valid until this thread's next call. */
  Match match(Request request) {
    Match match = locate(request);
    complete(match, request);
    return match;
  }

  /**
   * Limits by the name that verdicts have for them, such as {@code endpoint:chat}; that of an
   * endpoint will do without the {@code endpoint:} if no rule has it. Null if there are none.
   */
  public @Nullable NamedLimits named(String name) {
    for (String each : List.of(name, "endpoint:" + name)) {
      for (Step step : steps) {
        if (step.name.equals(each) && !step.limits.isEmpty()) {
          return new NamedLimits(step);
        }
      }
    }
    return null;
  }

  /**
   * Whether it matters for the limits of a request who its user is: whether any of them counts by
   * more than the address. Of a request whose user is not known yet, this tells whether it has to
   * be.
   */
  public boolean countsByUser(Request request) {
    Match match = match(request);
    if (match.ending != null) {
      return false;
    }
    for (Step step : match.enforced) {
      if (step.scope != Scope.IP && step.scope != Scope.GLOBAL) {
        return true;
      }
    }
    return false;
  }

  /** Finds what holds for a request that was located before. */
  void complete(Match match, Request request) {
    match.found.clear();
    index.find(request, match);
    match.found.sort();
    walk(request, match);
    match.takeQuota(request.client());
  }

  private String endpoint(Request request, Match match) {
    int best = Integer.MAX_VALUE;
    for (int i = 0; i < match.onPath.size(); i++) {
      int number = match.onPath.get(i) - steps.size();
      if (number >= 0 && number < best) {
        SortedSet<String> methods = endpointPaths.get(number).methods;
        best = methods.isEmpty() || methods.contains(request.method()) ? number : best;
      }
    }
    return best == Integer.MAX_VALUE ? Endpoint.OTHER : endpointPaths.get(best).endpoint;
  }

  private void walk(Request request, Match match) {
    Client client = request.client();
    boolean hasOwn = client.keyLimits() != null || client.userLimits() != null;
    int before = -1;
    for (int i = 0; i < match.found.size(); i++) {
      int number = match.found.get(i);
      Step step = steps.get(number);
      if (hasOwn && step.level.compareTo(Step.Level.OWN) > 0) {
        match.takeOwn(client);
        return;
      }
      boolean isNew = number != before;
      before = number;
      if (isNew && applies(step, request, match) && match.take(step)) {
        return;
      }
    }
  }

  private static boolean applies(Step step, Request request, Match match) {
    if (step.level == Step.Level.DEFAULT) {
      return match.enforced.isEmpty();
    }
    for (Conditions.Part part : step.rest) {
      if (!part.holds(request, match.endpoint, match.tier)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "policy " + version + " of " + steps.size() + " rules";
  }
}
