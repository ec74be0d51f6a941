package dev.weir;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The store of one limiter: turns a key and a cost into the operation under the current limits. */
final class LimiterStore {
  final CounterStore store;
  private final String name;
  private final @Nullable Penalty penalty;
  private volatile List<Limit> limits;

  LimiterStore(String name, CounterStore store, @Nullable Penalty penalty, List<Limit> limits) {
    this.name = name;
    this.store = store;
    this.penalty = penalty;
    this.limits = requireLimits(limits);
  }

  private static List<Limit> requireLimits(List<Limit> limits) {
    if (limits.isEmpty()) {
      throw new IllegalArgumentException(
          "limits must have at least one element, for example 100/s, got []");
    }
    return List.copyOf(limits);
  }

  List<Limit> limits() {
    return limits;
  }

  void changeLimits(List<Limit> limits) {
    this.limits = requireLimits(limits);
  }

  Operation acquire(String key, long cost) {
    return new Operation.Acquire(counters(key), penalties(key), cost);
  }

  Operation peek(String key, long cost) {
    return new Operation.Peek(counters(key), penalties(key), cost);
  }

  Operation refund(String key, long cost) {
    return new Operation.Refund(counters(key), cost);
  }

  Operation reset(String key) {
    return new Operation.Reset(counters(key), penalties(key));
  }

  /** The direct way to the counters under the current limits, if the store is in memory. */
  @Nullable MemoryPath memoryPath() {
    return store instanceof MemoryCounterStore inMemory
        ? new MemoryPath(inMemory, counters(""), penalties(""))
        : null;
  }

  /** What has to be free for a request behind others, as far as a limit can tell. */
  long behindOthers(long ahead, long cost) {
    long most = limits.stream().mapToLong(Limit::capacity).min().orElseThrow();
    return Math.max(cost, Math.min(most, ahead + cost));
  }

  /** Waits for the decision. */
  Decision apply(Operation operation) {
    if (store instanceof DirectCounterStore direct) {
      return direct.applyNow(operation);
    }
    try {
      return store.apply(operation).toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw unwrapped(failed.getCause());
    }
  }

  /** Never waits, and fails by its stage only, whatever the store does. */
  @SuppressWarnings("CatchingUnchecked") // A store may throw anything; a waiter must hear of it.
  CompletionStage<Decision> applyAsync(Operation operation) {
    try {
      return Objects.requireNonNull(store.apply(operation), "stage");
    } catch (Exception | Error failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  static RuntimeException unwrapped(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException failure ? failure : new CompletionException(cause);
  }

  private List<Counter> counters(String key) {
    List<Limit> current = limits;
    Counter[] counters = new Counter[current.size()];
    for (int i = 0; i < counters.length; i++) {
      counters[i] = new Counter(i == 0 ? name : name + "#" + (i + 1), key, current.get(i));
    }
    return List.of(counters);
  }

  private List<PenaltyCounter> penalties(String key) {
    return penalty == null ? List.of() : List.of(new PenaltyCounter(name, key, penalty));
  }
}
