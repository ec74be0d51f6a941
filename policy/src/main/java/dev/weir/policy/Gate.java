package dev.weir.policy;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.DirectCounterStore;
import dev.weir.MemoryCounterStore;
import dev.weir.Operation;
import java.util.ArrayList;
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

  /** Counts in place of a store that cannot be reached. */
  private final DirectCounterStore local = new MemoryCounterStore();

  private final FailureLog failures = new FailureLog(LOGGER, System::nanoTime);
  private final BlockList blocks;
  private final List<GateListener> listeners;
  private volatile Policy policy;

  /** A gate on those counters with nobody blocked and nobody listening. */
  public Gate(Policy policy, CounterStore store) {
    this(policy, store, new BlockList(), List.of());
  }

  /**
   * A gate.
   *
   * @param policy what holds at first
   * @param store where counts live
   * @param blocks who is blocked
   * @param listeners who is told of every verdict
   */
  public Gate(
      Policy policy, CounterStore store, BlockList blocks, List<? extends GateListener> listeners) {
    this.policy = Objects.requireNonNull(policy, "policy");
    this.store = Objects.requireNonNull(store, "store");
    this.blocks = Objects.requireNonNull(blocks, "blocks");
    this.listeners = List.copyOf(listeners);
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
  public BlockList blocks() {
    return blocks;
  }

  /** Decides a request; waits for the counters if they are elsewhere. */
  public Verdict check(Request request) {
    if (store instanceof DirectCounterStore direct) {
      return told(checkNow(request, direct));
    }
    return joined(checkAsync(request));
  }

  /** Decides a request without holding a thread. */
  public CompletionStage<Verdict> checkAsync(Request request) {
    if (store instanceof DirectCounterStore) {
      return CompletableFuture.completedStage(check(request));
    }
    Policy current = policy;
    Match found = current.locate(request);
    Verdict early = beforeRules(request, current, found);
    if (early != null) {
      return CompletableFuture.completedStage(told(early));
    }
    current.complete(found, request);
    Match match = found.copy();
    CompletionStage<List<Verdict.Shadow>> shadows =
        tryShadows(match, step -> match.tryOut(step, request));
    Step ending = match.ending;
    if (ending != null) {
      return shadows.thenApply(
          tried -> told(Verdict.byRule(request, current, match, ending, tried)));
    }
    return applyAsync(match.acquire(request, current))
        .handle(
            (decision, failure) ->
                decision == null
                    ? degraded(request, current, match, failure, List.of())
                    : Verdict.decided(request, current, match, decision, false, List.of()))
        .thenCombine(shadows, (verdict, tried) -> told(verdict.withShadows(tried)));
  }

  private Verdict checkNow(Request request, DirectCounterStore direct) {
    Policy current = policy;
    Match match = current.locate(request);
    Verdict early = beforeRules(request, current, match);
    if (early != null) {
      return early;
    }
    current.complete(match, request);
    List<Verdict.Shadow> shadows =
        match.shadows.isEmpty() ? List.of() : tryShadowsNow(request, match, direct);
    Step ending = match.ending;
    if (ending != null) {
      return Verdict.byRule(request, current, match, ending, shadows);
    }
    try {
      Decision decision = direct.applyNow(match.acquire(request, current));
      return Verdict.decided(request, current, match, decision, false, shadows);
    } catch (RuntimeException failure) {
      return degraded(request, current, match, failure, shadows);
    }
  }

  private @Nullable Verdict beforeRules(Request request, Policy current, Match match) {
    Client client = request.client();
    if (!current.definition().isEnabled()) {
      return Verdict.withoutLimits(request, current, match, Outcome.ALLOWED, Cause.DISABLED);
    }
    if (client.isUnknown()) {
      Outcome outcome =
          current.definition().unknownClients() == Action.ALLOW ? Outcome.ALLOWED : Outcome.BLOCKED;
      return Verdict.withoutLimits(request, current, match, outcome, Cause.MISSING_CLIENT);
    }
    // First: a block is somebody's act in need, also against those who are exempt.
    Block block = blocks.find(client);
    if (block != null) {
      return Verdict.blocked(request, current, match, block);
    }
    return current.isExempt(client)
        ? Verdict.withoutLimits(request, current, match, Outcome.ALLOWED, Cause.EXEMPT)
        : null;
  }

  /**
   * Each rule in shadow mode is counted on its own, as if it alone held. One whose counters cannot
   * be reached is left out.
   */
  private static List<Verdict.Shadow> tryShadowsNow(
      Request request, Match match, DirectCounterStore direct) {
    List<Verdict.Shadow> shadows = new ArrayList<>();
    for (Step step : match.shadows) {
      try {
        boolean refuses =
            step.action == Action.THROTTLE
                ? !direct.applyNow(match.tryOut(step, request)).allowed()
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
      Request request,
      Policy current,
      Match match,
      @Nullable Throwable failure,
      List<Verdict.Shadow> shadows) {
    Throwable cause = causeOf(failure);
    FailureMode mode = match.failureMode(current);
    failures.failed(cause, mode);
    for (GateListener listener : listeners) {
      quietly(() -> listener.failed(request, cause));
    }
    return switch (mode) {
      case OPEN -> Verdict.unreachable(request, current, match, Outcome.ALLOWED, shadows);
      case CLOSED -> Verdict.unreachable(request, current, match, Outcome.THROTTLED, shadows);
      case LOCAL ->
          Verdict.decided(
              request,
              current,
              match,
              local.applyNow(match.acquireShare(request, current)),
              true,
              shadows);
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

  /** Why a request would be decided as it would; consumes nothing and tells nobody. */
  public Explanation explain(Request request) {
    Policy current = policy;
    Match match = current.match(request).copy();
    Verdict early = beforeRules(request, current, match);
    Step ending = match.ending;
    Verdict verdict;
    if (early != null) {
      verdict = early;
    } else if (ending != null) {
      verdict = Verdict.byRule(request, current, match, ending, peekShadows(request, match));
    } else {
      Decision decision = joined(applyAsync(match.peek(request, current)));
      List<Verdict.Shadow> shadows = peekShadows(request, match);
      verdict = Verdict.decided(request, current, match, decision, false, shadows);
    }
    return Explanation.of(verdict, current, match, early != null);
  }

  private List<Verdict.Shadow> peekShadows(Request request, Match match) {
    return joined(tryShadows(match, step -> match.peek(step, request)));
  }

  private static <T> T joined(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private Verdict told(Verdict verdict) {
    for (GateListener listener : listeners) {
      quietly(() -> listener.decided(verdict));
    }
    return verdict;
  }

  private static void quietly(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException failure) {
      LOGGER.log(
          System.Logger.Level.WARNING, "a gate listener failed; the verdict stands", failure);
    }
  }
}
