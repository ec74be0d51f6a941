package dev.weir.policy;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.DirectCounterStore;
import dev.weir.MemoryCounterStore;
import dev.weir.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The whole way of a request: who is exempt or blocked, which limits hold, what the counters say,
 * and who is told. Thread-safe; the policy can be replaced while requests go on, and each request
 * is decided by one policy.
 */
public final class Gate {
  private static final System.Logger LOGGER = System.getLogger(Gate.class.getName());

  private final CounterStore store;

  /** The store, if it decides on the caller's thread. */
  private final @Nullable DirectCounterStore direct;

  /** Counts in place of a store that cannot be reached. */
  private final DirectCounterStore local = new MemoryCounterStore();

  private final FailureLog failures = new FailureLog(LOGGER, System::nanoTime);
  private final ClientList blocks;
  private final ClientList exemptions;
  private final GateListener[] listeners;
  private volatile Policy policy;

  /** A gate on those counters with nobody blocked and nobody listening. */
  public Gate(Policy policy, CounterStore store) {
    this(policy, store, new ClientList(), List.of());
  }

  /** A gate with nobody exempt beyond those that the policy names. */
  public Gate(
      Policy policy,
      CounterStore store,
      ClientList blocks,
      List<? extends GateListener> listeners) {
    this(policy, store, blocks, new ClientList(), listeners);
  }

  /**
   * A gate.
   *
   * @param policy what holds at first
   * @param store where counts live
   * @param blocks who is blocked
   * @param exemptions who is exempt, besides those that the policy names
   * @param listeners who is notified of every verdict
   */
  public Gate(
      Policy policy,
      CounterStore store,
      ClientList blocks,
      ClientList exemptions,
      List<? extends GateListener> listeners) {
    this.policy = Objects.requireNonNull(policy, "policy");
    this.store = Objects.requireNonNull(store, "store");
    this.direct = store instanceof DirectCounterStore now ? now : null;
    this.blocks = Objects.requireNonNull(blocks, "blocks");
    this.exemptions = Objects.requireNonNull(exemptions, "exemptions");
    this.listeners = listeners.toArray(GateListener[]::new);
  }

  /** The policy that holds now. */
  public Policy policy() {
    return policy;
  }

  /** Replaces the policy from the next request on. Counters keep their counts. */
  public void use(Policy next) {
    policy = Objects.requireNonNull(next, "next");
  }

  /** Who is blocked. */
  public ClientList blocks() {
    return blocks;
  }

  /** Who is exempt, besides those that the policy names. */
  public ClientList exemptions() {
    return exemptions;
  }

  /** Decides a request; waits for the counters if they are elsewhere. */
  public Verdict check(Request request) {
    return check(request, null);
  }

  /** As {@link #check(Request)}, under those limits alone, whatever the request matches. */
  public Verdict check(Request request, @Nullable NamedLimits alone) {
    if (direct == null) {
      return joined(checkAsync(request, alone));
    }
    long start = startNanos();
    return announce(checkNow(request, alone, direct), start);
  }

  /** Decides a request without holding a thread. */
  public CompletionStage<Verdict> checkAsync(Request request) {
    return checkAsync(request, null);
  }

  /** As {@link #checkAsync(Request)}, under those limits alone, whatever the request matches. */
  public CompletionStage<Verdict> checkAsync(Request request, @Nullable NamedLimits alone) {
    if (direct != null) {
      return CompletableFuture.completedStage(check(request, alone));
    }
    long start = startNanos();
    Policy current = policy;
    Match found = current.locate(request);
    Verdict early = beforeRules(request, alone, current, found);
    if (early != null) {
      return CompletableFuture.completedStage(announce(early, start));
    }
    complete(found, request, alone, current);
    Match match = found.copy();
    CompletionStage<List<Verdict.Shadow>> shadows =
        tryShadows(match, step -> match.tryOut(step, request));
    Step ending = match.ending;
    if (ending != null) {
      return uncancelled(
          shadows.thenApply(
              tried -> announce(Verdict.byRule(request, current, match, ending, tried), start)));
    }
    return uncancelled(
        applyAsync(match.acquire(request, current))
            .handle(
                (decision, failure) ->
                    decision == null
                        ? degraded(request, current, match, failure)
                        : Verdict.decided(request, current, match, decision, false, List.of()))
            .thenCombine(shadows, (verdict, tried) -> announce(verdict.withShadows(tried), start)));
  }

  /**
   * A stage of the caller's own. Reactive callers cancel the stage they were given when their
   * client disconnects; a cancelled stage would skip the notification of what was counted.
   */
  private static <T> CompletionStage<T> uncancelled(CompletionStage<T> stage) {
    return stage.thenApply(Function.identity());
  }

  private static void complete(
      Match found, Request request, @Nullable NamedLimits alone, Policy current) {
    if (alone == null) {
      current.complete(found, request);
    } else {
      found.enforced.add(alone.step);
    }
  }

  private Verdict checkNow(
      Request request, @Nullable NamedLimits alone, DirectCounterStore counters) {
    Policy current = policy;
    Match match = current.locate(request);
    Verdict early = beforeRules(request, alone, current, match);
    if (early != null) {
      return early;
    }
    complete(match, request, alone, current);
    List<Verdict.Shadow> shadows =
        match.shadows.isEmpty() ? List.of() : tryShadowsNow(request, match, counters);
    Step ending = match.ending;
    if (ending != null) {
      return Verdict.byRule(request, current, match, ending, shadows);
    }
    try {
      Decision decision = counters.applyNow(match.acquire(request, current));
      return Verdict.decided(request, current, match, decision, false, shadows);
    } catch (RuntimeException failure) {
      return degraded(request, current, match, failure).withShadows(shadows);
    }
  }

  private @Nullable Verdict beforeRules(Request request, Policy current, Match match) {
    return beforeRules(request, null, current, match);
  }

  private @Nullable Verdict beforeRules(
      Request request, @Nullable NamedLimits alone, Policy current, Match match) {
    Client client = request.client();
    if (!current.definition().isEnabled()) {
      return Verdict.withoutLimits(request, current, match, Outcome.ALLOWED, Cause.DISABLED);
    }
    boolean isForAll = alone != null && alone.scope() == Scope.GLOBAL;
    if (client.isUnknown() && !isForAll) {
      Outcome outcome =
          current.definition().unknownClients() == Action.ALLOW ? Outcome.ALLOWED : Outcome.BLOCKED;
      return Verdict.withoutLimits(request, current, match, outcome, Cause.MISSING_CLIENT);
    }
    // First: a block is somebody's act in need, also against those who are exempt.
    ListedClient block = blocks.find(client);
    if (block != null) {
      return Verdict.blocked(request, current, match, block);
    }
    return current.isExempt(client) || exemptions.find(client) != null
        ? Verdict.withoutLimits(request, current, match, Outcome.ALLOWED, Cause.EXEMPT)
        : null;
  }

  /**
   * Each rule in shadow mode is counted on its own, as if it alone held. One whose counters cannot
   * be reached is left out.
   */
  private static List<Verdict.Shadow> tryShadowsNow(
      Request request, Match match, DirectCounterStore counters) {
    List<Verdict.Shadow> shadows = new ArrayList<>();
    for (Step step : match.shadows) {
      try {
        boolean refuses =
            step.action == Action.THROTTLE
                ? !counters.applyNow(match.tryOut(step, request)).allowed()
                : step.action == Action.BLOCK;
        shadows.add(new Verdict.Shadow(step.name, refuses));
      } catch (RuntimeException failure) {
        logUncounted(step, failure);
      }
    }
    return List.copyOf(shadows);
  }

  /** As {@link #tryShadowsNow}, by the operation that is given for each rule. */
  private CompletionStage<List<Verdict.Shadow>> tryShadows(
      Match match, Function<Step, Operation> operation) {
    CompletionStage<List<Verdict.Shadow>> all = CompletableFuture.completedStage(List.of());
    for (Step step : match.shadows) {
      CompletionStage<@Nullable Boolean> refuses =
          step.action == Action.THROTTLE
              ? applyAsync(operation.apply(step))
                  .handle((decision, failure) -> refusesOrNull(step, decision, failure))
              : CompletableFuture.completedStage(step.action == Action.BLOCK);
      all =
          all.thenCombine(
              refuses,
              (before, refused) -> {
                List<Verdict.Shadow> more = new ArrayList<>(before);
                if (refused != null) {
                  more.add(new Verdict.Shadow(step.name, refused));
                }
                return List.copyOf(more);
              });
    }
    return all;
  }

  private static @Nullable Boolean refusesOrNull(
      Step step, @Nullable Decision decision, @Nullable Throwable failure) {
    if (decision == null) {
      logUncounted(step, failure);
      return null;
    }
    return !decision.allowed();
  }

  /** No warning: nobody's request is decided by it, and the store's failures are told anyway. */
  private static void logUncounted(Step step, @Nullable Throwable failure) {
    LOGGER.log(
        System.Logger.Level.DEBUG, "the shadow rule " + step.name + " was not counted", failure);
  }

  /** Fails by its stage only, whatever the store does. */
  private CompletionStage<Decision> applyAsync(Operation operation) {
    try {
      return store.apply(operation);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedStage(failure);
    }
  }

  private Verdict degraded(
      Request request, Policy current, Match match, @Nullable Throwable failure) {
    Throwable cause = causeOf(failure);
    failures.failed(cause, match.failureMode(current));
    for (GateListener listener : listeners) {
      try {
        listener.failed(request, cause);
      } catch (RuntimeException mistake) {
        logFailed(mistake);
      }
    }
    return withoutStore(request, current, match, match.acquireShare(request, current));
  }

  /** What the mode says; {@code share} is what this instance does on its own if that is it. */
  private Verdict withoutStore(Request request, Policy current, Match match, Operation share) {
    return switch (match.failureMode(current)) {
      case OPEN -> Verdict.unreachable(request, current, match, Outcome.ALLOWED);
      case CLOSED -> Verdict.unreachable(request, current, match, Outcome.THROTTLED);
      case LOCAL ->
          Verdict.decided(request, current, match, local.applyNow(share), true, List.of());
    };
  }

  private static Throwable causeOf(@Nullable Throwable failure) {
    if (failure == null) {
      return new IllegalStateException("the store gave neither a decision nor a failure");
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
    return cause == null ? failure : cause;
  }

  /**
   * Gives back what a request of that cost consumed, under the policy that holds now.
   *
   * @return completes when it is done
   */
  public CompletionStage<@Nullable Void> refund(Request request) {
    Policy current = policy;
    Match match = current.match(request).copy();
    boolean isCounted = match.ending == null && beforeRules(request, current, match) == null;
    if (request.cost() == 0 || !isCounted) {
      return CompletableFuture.completedStage(null);
    }
    List<CompletableFuture<Decision>> refunds = new ArrayList<>();
    refunds.add(applyAsync(match.refund(request)).toCompletableFuture());
    for (Step step : match.shadows) {
      if (step.action == Action.THROTTLE) {
        refunds.add(applyAsync(match.refund(step, request)).toCompletableFuture());
      }
    }
    return CompletableFuture.allOf(refunds.toArray(new CompletableFuture<?>[0]));
  }

  /** What would be decided now, found out without consuming anything or telling anybody. */
  public CompletionStage<Verdict> peekAsync(Request request) {
    Policy current = policy;
    Match match = current.match(request).copy();
    return peek(request, current, match, beforeRules(request, current, match));
  }

  private CompletionStage<Verdict> peek(
      Request request, Policy current, Match match, @Nullable Verdict early) {
    if (early != null) {
      return CompletableFuture.completedStage(early);
    }
    CompletionStage<List<Verdict.Shadow>> shadows =
        tryShadows(match, step -> match.peek(step, request));
    Step ending = match.ending;
    if (ending != null) {
      return shadows.thenApply(tried -> Verdict.byRule(request, current, match, ending, tried));
    }
    return applyAsync(match.peek(request, current))
        .handle(
            (decision, failure) ->
                decision == null
                    ? withoutStore(request, current, match, match.peekShare(request, current))
                    : Verdict.decided(request, current, match, decision, false, List.of()))
        .thenCombine(shadows, Verdict::withShadows);
  }

  /** Why a request would be decided as it would; consumes nothing and tells nobody. */
  public Explanation explain(Request request) {
    return joined(explainAsync(request));
  }

  /** As {@link #explain}, without holding a thread. */
  public CompletionStage<Explanation> explainAsync(Request request) {
    Policy current = policy;
    Match match = current.match(request).copy();
    Verdict early = beforeRules(request, current, match);
    return peek(request, current, match, early)
        .thenApply(verdict -> Explanation.of(verdict, current, match, early != null));
  }

  /**
   * What a client has used of the counters that are kept for it alone, under the policy that holds
   * now. Those that it shares with others, for its tier or for all, are not among them.
   */
  public CompletionStage<Usage> usage(Client client) {
    return usage(client, List.of());
  }

  /** As {@link #usage(Client)}, and of the counters of limits that are in no policy. */
  public CompletionStage<Usage> usage(Client client, Collection<NamedLimits> named) {
    ClientCounters counters = ClientCounters.of(client, policy, named);
    CompletionStage<Usage> all = CompletableFuture.completedStage(Usage.none(client));
    for (Operation peek : counters.peeks()) {
      all = all.thenCombine(applyAsync(peek), Usage::plus);
    }
    return all;
  }

  /**
   * Forgets what a client has used, and its penalty; the same counters as of {@link
   * #usage(Client)}.
   */
  public CompletionStage<@Nullable Void> reset(Client client) {
    return reset(client, List.of());
  }

  /** As {@link #reset(Client)}, and of the counters of limits that are in no policy. */
  public CompletionStage<@Nullable Void> reset(Client client, Collection<NamedLimits> named) {
    CompletionStage<@Nullable Void> all = CompletableFuture.completedStage(null);
    for (Operation reset : ClientCounters.of(client, policy, named).resets()) {
      local.applyNow(reset);
      all = all.thenCombine(applyAsync(reset), (before, done) -> null);
    }
    return all;
  }

  /**
   * Tells the counter of the monthly quota of a client's user what was used before it began to
   * count. That is needed where counters are forgotten with the process, and does nothing
   * elsewhere.
   *
   * @param used what was used in this month
   */
  public void chargeQuota(Client client, long used) {
    Step quota = client.quota();
    if (quota != null && used > 0 && direct != null) {
      direct.applyNow(Match.charge(quota, client, used));
    }
  }

  private static <T> T joined(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  /** When a decision began; 0 without reading the clock if there is no listener. */
  private long startNanos() {
    return listeners.length == 0 ? 0 : System.nanoTime();
  }

  /** Notifies the listeners. Every decision, of whatever kind, passes here once. */
  private Verdict announce(Verdict verdict, long startNanos) {
    if (listeners.length == 0) {
      return verdict;
    }
    long latencyNanos = System.nanoTime() - startNanos;
    for (GateListener listener : listeners) {
      try {
        listener.decided(verdict, latencyNanos);
      } catch (RuntimeException mistake) {
        logFailed(mistake);
      }
    }
    return verdict;
  }

  private static void logFailed(RuntimeException mistake) {
    LOGGER.log(System.Logger.Level.WARNING, "a gate listener failed; the verdict stands", mistake);
  }
}
