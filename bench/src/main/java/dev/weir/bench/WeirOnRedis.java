package dev.weir.bench;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Penalty;
import dev.weir.PenaltyCounter;
import dev.weir.redis.RedisCounterStore;
import dev.weir.redis.RedisOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Weir's store on Redis, asked for one client under all the limits. */
final class WeirOnRedis implements RedisLimiter {
  private static final Duration LONGEST_START = Duration.ofSeconds(60);

  private final CounterStore store;
  private final List<Limit> limits;
  private final List<String> names;
  private final @Nullable Penalty penalty;

  private WeirOnRedis(CounterStore store, List<Limit> limits, @Nullable Penalty penalty) {
    this.store = store;
    this.limits = limits;
    this.names =
        limits.size() == 1
            ? List.of(ENDPOINT)
            : limits.stream().map(limit -> ENDPOINT + "." + limits.indexOf(limit)).toList();
    this.penalty = penalty;
  }

  /** Also waits for the connection, which on a busy machine comes after the store is open. */
  static RedisLimiter open(
      String uri, RedisOptions options, List<Limit> limits, @Nullable Penalty penalty)
      throws InterruptedException {
    RedisCounterStore store = RedisCounterStore.open(uri, options);
    long start = System.nanoTime();
    while (!store.isReachable()) {
      if (System.nanoTime() - start > LONGEST_START.toNanos()) {
        store.close();
        throw new IllegalStateException("no connection within " + LONGEST_START);
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return new WeirOnRedis(store, limits, penalty);
  }

  @Override
  public CompletionStage<Boolean> ask(String client) {
    return store.apply(operation(client)).thenApply(Decision::allowed);
  }

  /** Made anew for each request, as a limiter has to. */
  private Operation operation(String client) {
    List<Counter> counters = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      counters.add(new Counter(names.get(i), client, limits.get(i)));
    }
    return penalty == null
        ? new Operation.Acquire(counters, 1)
        : new Operation.Acquire(
            counters, List.of(new PenaltyCounter(ENDPOINT, client, penalty)), 1);
  }

  @Override
  public void close() {
    store.close();
  }
}
