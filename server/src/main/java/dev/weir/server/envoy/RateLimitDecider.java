package dev.weir.server.envoy;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.DirectCounterStore;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.server.envoy.EnvoyOptions.WhenOver;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Takes a request of Envoy to its answer: which rules hold for its descriptors, what their counters
 * say, and what comes of it as a whole. Thread-safe; rules and options can be replaced while
 * requests go on, and each request is decided by one set of rules.
 */
public final class RateLimitDecider {
  private final CounterStore store;
  private final EnvoyStats stats;
  private final TimeSource time;
  private final StoreFailures failures;
  private volatile @Nullable EnvoyConfig config;
  private volatile EnvoyOptions options = EnvoyOptions.STANDARD;

  /** A decider on those counters, which has no rules yet. */
  public RateLimitDecider(CounterStore store, EnvoyStats stats) {
    this(store, stats, TimeSource.system());
  }

  /**
   * A decider that has no rules yet.
   *
   * @param store where counts live
   * @param stats where hits are counted
   * @param time the clock for what is decided without the store
   */
  public RateLimitDecider(CounterStore store, EnvoyStats stats, TimeSource time) {
    this.store = Objects.requireNonNull(store, "store");
    this.stats = Objects.requireNonNull(stats, "stats");
    this.time = Objects.requireNonNull(time, "time");
    this.failures =
        new StoreFailures(new MemoryCounterStore(time, MemoryCounterStore.DEFAULT_MAX_KEYS), stats);
  }

  /** Replaces the rules from the next request on. Counters keep their counts. */
  public void use(EnvoyConfig next) {
    config = Objects.requireNonNull(next, "next");
  }

  /** Replaces the options from the next request on. */
  public void use(EnvoyOptions next) {
    options = Objects.requireNonNull(next, "next");
  }

  /**
   * Decides a request without holding a thread.
   *
   * @return the answer, complete on return if the store decides on the caller's thread; or a {@link
   *     RateLimitException}, perhaps as the cause of a {@link CompletionException}
   */
  public CompletionStage<RateLimitResponse> decide(RateLimitRequest request) {
    EnvoyOptions how = options;
    List<Check> checks;
    try {
      checks = checks(request, how);
    } catch (RateLimitException wrong) {
      stats.countServiceError();
      return CompletableFuture.failedFuture(wrong);
    }
    try {
      if (store instanceof DirectCounterStore direct && how.whenOver() == WhenOver.COUNT_ALL) {
        for (int i = 0; i < checks.size(); i++) {
          decideNow(checks.get(i), direct, how);
        }
        return CompletableFuture.completedFuture(answer(request, checks, how));
      }
      return decideLater(checks, how).thenApply(done -> answer(request, checks, how));
    } catch (RateLimitException failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  private List<Check> checks(RateLimitRequest request, EnvoyOptions how) {
    RequestBounds.require(request);
    EnvoyConfig rules = config;
    if (rules == null) {
      throw RateLimitException.undecidable("no rate limit configuration loaded");
    }
    return Checks.of(request, rules, stats, how);
  }

  private RateLimitResponse answer(RateLimitRequest request, List<Check> checks, EnvoyOptions how) {
    return new Answer(request, checks, how).write(stats);
  }

  private void decideNow(Check check, DirectCounterStore direct, EnvoyOptions how) {
    RuleLimit limit = check.limit();
    if (limit == null) {
      decideUncounted(check);
      return;
    }
    Decision decision;
    try {
      decision = direct.applyNow(check.operation(limit));
    } catch (RuntimeException failure) {
      failures.decide(check, limit, failure, how);
      return;
    }
    check.counted(decision, limit);
  }

  private void decideUncounted(Check check) {
    if (check.isBlocked()) {
      check.blocked(time.nowMicros());
    }
  }

  /** Sends everything to the store before any result is waited for, where the mode allows it. */
  private CompletableFuture<@Nullable Void> decideLater(List<Check> checks, EnvoyOptions how) {
    for (Check check : checks) {
      if (check.limit() == null) {
        decideUncounted(check);
      }
    }
    return switch (how.whenOver()) {
      case COUNT_ALL -> decideEach(checks, how);
      case COUNT_OVER ->
          decideTogether(how, (at, share) -> new StopWhenOver(at, checks, share).apply());
      case COUNT_NOTHING -> decideAllOrNothing(checks, how);
    };
  }

  /** Only hits to charge to limits that refuse on their own are charged together. */
  private CompletableFuture<@Nullable Void> decideAllOrNothing(
      List<Check> checks, EnvoyOptions how) {
    List<Check> each = new ArrayList<>(checks.size());
    List<Check> together = new ArrayList<>(checks.size());
    for (Check check : checks) {
      (check.isCharging() && check.isEnforced() ? together : each).add(check);
    }
    CompletableFuture<@Nullable Void> others = decideEach(each, how);
    return together.isEmpty()
        ? others
        : CompletableFuture.allOf(
            others,
            decideTogether(how, (at, share) -> new AllOrNothing(at, together, share).apply()));
  }

  private CompletableFuture<@Nullable Void> decideEach(List<Check> checks, EnvoyOptions how) {
    List<CompletableFuture<@Nullable Void>> parts = new ArrayList<>(checks.size());
    for (Check check : checks) {
      RuleLimit limit = check.limit();
      if (limit != null) {
        parts.add(decideLater(check, limit, how));
      }
    }
    // Most requests have one.
    return parts.size() == 1
        ? parts.get(0)
        : CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new));
  }

  private CompletableFuture<@Nullable Void> decideLater(
      Check check, RuleLimit limit, EnvoyOptions how) {
    CompletionStage<Decision> answer;
    try {
      answer = store.apply(check.operation(limit));
    } catch (RuntimeException failure) {
      answer = CompletableFuture.failedStage(failure);
    }
    return answer
        .<@Nullable Void>handle(
            (decision, failure) -> {
              if (decision == null) {
                failures.decide(check, limit, failure, how);
              } else {
                check.counted(decision, limit);
              }
              return null;
            })
        .toCompletableFuture();
  }

  private CompletableFuture<@Nullable Void> decideTogether(EnvoyOptions how, Charging charging) {
    return charging
        .on(store, UnaryOperator.identity())
        .<@Nullable Void>handle(
            (done, failure) -> {
              if (failure != null) {
                failures.decideTogether(failure, how, charging);
              }
              return null;
            });
  }
}
