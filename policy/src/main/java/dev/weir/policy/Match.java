package dev.weir.policy;

import dev.weir.Counter;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Penalty;
import dev.weir.PenaltyCounter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which steps of a policy hold for one request, and the operations on counters that come of it.
 * Used again and again by one thread, so that matching allocates nothing.
 */
final class Match {
  private static final ThreadLocal<Match> OF_THREAD = ThreadLocal.withInitial(Match::new);
  private static final String PENALTY_COUNTER = "penalty";

  final PathTree.Walk walk = new PathTree.Walk();

  /** What the index has under the path: steps and, with numbers behind theirs, endpoints. */
  final IntBag onPath = new IntBag();

  /** The steps that may hold. */
  final IntBag found = new IntBag();

  /** Steps that give limits which hold. */
  final List<Step> enforced = new StepList();

  /** Steps that are only tried. */
  final List<Step> shadows = new StepList();

  String endpoint = Endpoint.OTHER;
  @Nullable String tier;

  /** The step that ended the walk by allowing or blocking. */
  @Nullable Step ending;

  /** This thread's match, emptied. */
  static Match empty() {
    Match match = OF_THREAD.get();
    match.enforced.clear();
    match.shadows.clear();
    match.ending = null;
    match.onPath.clear();
    match.found.clear();
    return match;
  }

  /** Mostly the one before, which need not be written again, see {@link StepList}. */
  @SuppressWarnings("ReferenceEquality")
  void atEndpoint(String name) {
    if (endpoint != name) {
      endpoint = name;
    }
  }

  /** What was found, for longer than until this thread's next match. */
  Match copy() {
    Match copy = new Match();
    copy.enforced.addAll(enforced);
    copy.shadows.addAll(shadows);
    copy.endpoint = endpoint;
    copy.tier = tier;
    copy.ending = ending;
    return copy;
  }

  /** Takes a step that matches; returns whether the walk ends with it. */
  boolean take(Step step) {
    if (step.mode == Mode.SHADOW) {
      // What only looks on changes nothing, so the walk goes on as if it were not there.
      shadows.add(step);
      return false;
    }
    if (step.action == Action.THROTTLE) {
      enforced.add(step);
      return step.isFinal;
    }
    ending = step;
    return true;
  }

  /**
   * Takes the limits that the client has of its own; those of its key and of its user hold both.
   */
  void takeOwn(Client client) {
    addIfAny(client.keyLimits());
    addIfAny(client.userLimits());
  }

  /** Takes the quota of the client's user, unless the request is not counted at all. */
  void takeQuota(Client client) {
    if (ending == null) {
      addIfAny(client.quota());
    }
  }

  private void addIfAny(@Nullable Step step) {
    if (step != null) {
      enforced.add(step);
    }
  }

  /** The steps that give limits which hold, to keep. */
  Step[] enforcedSteps() {
    return enforced.size() == 1 ? enforced.get(0).alone : enforced.toArray(new Step[0]);
  }

  Operation acquire(Request request, Policy policy) {
    return new Operation.Acquire(counters(request), penalties(request, policy), request.cost());
  }

  /** As {@link #acquire}, of what this instance may grant when each counts alone. */
  Operation acquireShare(Request request, Policy policy) {
    return new Operation.Acquire(
        shares(request, policy), penalties(request, policy), request.cost());
  }

  /** As {@link #peek}, of what this instance may grant when each counts alone. */
  Operation peekShare(Request request, Policy policy) {
    return new Operation.Peek(shares(request, policy), penalties(request, policy), request.cost());
  }

  private List<Counter> shares(Request request, Policy policy) {
    List<Counter> shares = new ArrayList<>();
    for (Counter counter : counters(request)) {
      Limit share = LimitShare.dividedBy(counter.limit(), policy.definition().localNodes());
      shares.add(new Counter(counter.name(), counter.key(), share));
    }
    return shares;
  }

  Operation peek(Request request, Policy policy) {
    return new Operation.Peek(counters(request), penalties(request, policy), request.cost());
  }

  /** What a step in shadow mode would do by itself. */
  Operation peek(Step step, Request request) {
    return new Operation.Peek(counters(step, request), List.of(), request.cost());
  }

  Operation refund(Request request) {
    return new Operation.Refund(counters(request), request.cost());
  }

  Operation refund(Step step, Request request) {
    return new Operation.Refund(counters(step, request), request.cost());
  }

  /** What a step in shadow mode does by itself. */
  Operation tryOut(Step step, Request request) {
    return new Operation.Acquire(counters(step, request), request.cost());
  }

  /** Charges a step's limits, as if they were wide enough for it. */
  static Operation charge(Step step, Client client, long used) {
    long cost = Math.min(used, Limit.MAX_PERMITS);
    String[] names = step.counterNames(Endpoint.OTHER);
    String key = step.scope.keyOf(client, null);
    List<Counter> counters = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      Limit limit = step.limits.get(i);
      long permits = Math.max(cost, limit.permits());
      counters.add(new Counter(names[i], key, LimitShare.withPermits(limit, permits)));
    }
    return new Operation.Acquire(counters, cost);
  }

  private List<Counter> counters(Request request) {
    if (enforced.size() == 1) {
      return counters(enforced.get(0), request);
    }
    int count = 0;
    for (int i = 0; i < enforced.size(); i++) {
      count += enforced.get(i).limits.size();
    }
    Counter[] counters = new Counter[count];
    int filled = 0;
    for (int i = 0; i < enforced.size(); i++) {
      filled = fill(counters, filled, enforced.get(i), request);
    }
    return List.of(counters);
  }

  private List<Counter> counters(Step step, Request request) {
    if (step.limits.size() == 1) {
      String key = step.scope.keyOf(request.client(), tier);
      return List.of(new Counter(step.counterNames(endpoint)[0], key, step.limits.get(0)));
    }
    Counter[] counters = new Counter[step.limits.size()];
    fill(counters, 0, step, request);
    return List.of(counters);
  }

  /** Puts the counters of a step there; returns where those of the next one go. */
  private int fill(Counter[] counters, int from, Step step, Request request) {
    String[] names = step.counterNames(endpoint);
    String key = step.scope.keyOf(request.client(), tier);
    for (int i = 0; i < names.length; i++) {
      counters[from + i] = new Counter(names[i], key, step.limits.get(i));
    }
    return from + names.length;
  }

  private static List<PenaltyCounter> penalties(Request request, Policy policy) {
    return penalties(request.client(), policy);
  }

  /** The penalties that a client may have. */
  static List<PenaltyCounter> penalties(Client client, Policy policy) {
    Penalty penalty = policy.definition().penalty();
    return penalty == null
        ? List.of()
        : List.of(new PenaltyCounter(PENALTY_COUNTER, client.id(), penalty));
  }

  /** The strictest of what the steps say about counters that cannot be reached. */
  FailureMode failureMode(Policy policy) {
    FailureMode strictest = FailureMode.OPEN;
    for (Step step : enforced) {
      FailureMode mode =
          step.failureMode == null ? policy.definition().failureMode() : step.failureMode;
      if (mode == FailureMode.CLOSED || strictest == FailureMode.OPEN) {
        strictest = mode;
      }
    }
    return strictest;
  }
}
