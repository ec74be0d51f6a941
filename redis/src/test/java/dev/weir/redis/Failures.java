package dev.weir.redis;

import dev.weir.CounterStore;
import dev.weir.Operation;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What operations fail with that must fail. */
final class Failures {
  private Failures() {}

  static RedisStoreException of(CounterStore store, Operation operation)
      throws InterruptedException, TimeoutException {
    Object answer;
    try {
      answer = store.apply(operation).toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisStoreException expected) {
        return expected;
      }
      throw new AssertionError("no failure of the store", e);
    }
    throw new AssertionError("no failure, but " + answer);
  }
}
