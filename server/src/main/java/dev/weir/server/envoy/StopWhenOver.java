package dev.weir.server.envoy;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Charges a request to all of its counters, or only to those that it takes over their limits.
 *
 * <p>As in envoyproxy/ratelimit, all counts are read first. If one descriptor would take its
 * counter over the limit, only such descriptors are charged, and the others report their counts.
 * Each charge then decides by the count that it returns, so requests between the two steps cannot
 * get more than the limit; at worst a request that is refused is charged to all of its counters.
 * Two descriptors of one counter are charged one after the other, and each reports the count after
 * it.
 *
 * <p>Descriptors in shadow mode and quotas do not stop the others: they do not refuse the request.
 */
final class StopWhenOver {
  /** A descriptor with its limit. */
  private record Limited(Check check, RuleLimit limit) {}

  private final CounterStore store;
  private final List<Limited> all;
  private final boolean isBlocked;

  /**
   * Prepares the descriptors of a request.
   *
   * @param checks those with a limit of 0 are decided elsewhere, and stop all others
   * @param share the part of each limit that applies
   */
  StopWhenOver(CounterStore store, List<Check> checks, UnaryOperator<RuleLimit> share) {
    this.store = store;
    this.all = new ArrayList<>(checks.size());
    for (Check check : checks) {
      RuleLimit limit = check.limit();
      if (limit != null) {
        all.add(new Limited(check, share.apply(limit)));
      }
    }
    this.isBlocked =
        checks.stream()
            .anyMatch(check -> check.isBlocked() && check.isEnforced() && check.isRefused());
  }

  /** Charges the descriptors and records the results; fails if the store does. */
  CompletableFuture<@Nullable Void> apply() {
    return ask(Check::peek)
        .thenCompose(
            peeked -> {
              boolean isStopped = isBlocked;
              for (int i = 0; i < all.size() && !isStopped; i++) {
                isStopped = all.get(i).check.isEnforced() && wouldBeOver(i, peeked);
              }
              return isStopped ? chargeOver(peeked) : charge();
            });
  }

  private boolean wouldBeOver(int index, List<Decision> peeked) {
    return all.get(index).check.wouldBeOver(peeked.get(index), all.get(index).limit);
  }

  private CompletableFuture<@Nullable Void> charge() {
    return ask(Check::operation)
        .thenAccept(
            decisions -> {
              for (int i = 0; i < all.size(); i++) {
                all.get(i).check.counted(decisions.get(i), all.get(i).limit);
              }
            });
  }

  private CompletableFuture<@Nullable Void> chargeOver(List<Decision> peeked) {
    boolean[] isCharged = new boolean[all.size()];
    for (int i = 0; i < isCharged.length; i++) {
      isCharged[i] = !all.get(i).check.isCharging() || wouldBeOver(i, peeked);
    }
    List<CompletableFuture<Decision>> parts = new ArrayList<>(all.size());
    for (int i = 0; i < isCharged.length; i++) {
      Limited each = all.get(i);
      parts.add(ask(isCharged[i] ? each.check.operation(each.limit) : each.check.peek(each.limit)));
    }
    return joined(parts)
        .thenAccept(
            decisions -> {
              for (int i = 0; i < isCharged.length; i++) {
                Limited each = all.get(i);
                if (isCharged[i]) {
                  each.check.counted(decisions.get(i), each.limit);
                } else {
                  each.check.skipped(decisions.get(i), each.limit);
                }
              }
            });
  }

  /** Sends one operation for each descriptor before any result is waited for. */
  private CompletableFuture<List<Decision>> ask(BiFunction<Check, RuleLimit, Operation> operation) {
    List<CompletableFuture<Decision>> parts = new ArrayList<>(all.size());
    for (Limited each : all) {
      parts.add(ask(operation.apply(each.check, each.limit)));
    }
    return joined(parts);
  }

  private CompletableFuture<Decision> ask(Operation operation) {
    try {
      return store.apply(operation).toCompletableFuture();
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private static CompletableFuture<List<Decision>> joined(List<CompletableFuture<Decision>> parts) {
    return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> parts.stream().map(CompletableFuture::join).toList());
  }
}
