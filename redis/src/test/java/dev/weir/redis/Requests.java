package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks a store for permits of one counter, and says what came of it. */
final class Requests {
  private static final long TIMEOUT_SECONDS = 60;

  private final CounterStore store;
  private final Operation operation;

  /** What came of one request: a decision or a failure. */
  record Answer(@Nullable Decision decision, @Nullable Throwable failure) {
    boolean isAllowed() {
      return decision != null && decision.allowed();
    }

    /** What sort of failure it was; null if it was none of the store. */
    RedisStoreException.@Nullable Kind kind() {
      return failure instanceof RedisStoreException of ? of.kind() : null;
    }
  }

  Requests(CounterStore store, String limit, String key) {
    this.store = store;
    this.operation =
        new Operation.Acquire(List.of(new Counter("load", key, Limit.parse(limit))), 1);
  }

  /** Asks for one permit; the future never fails. */
  CompletableFuture<Answer> ask() {
    return store.apply(operation).handle(Answer::new).toCompletableFuture();
  }

  /** Asks so many times without waiting, then waits for all answers. */
  List<Answer> ask(int times) throws InterruptedException, ExecutionException, TimeoutException {
    return all(Stream.generate(this::ask).limit(times).toList());
  }

  /** Waits for all of these. */
  static List<Answer> all(List<CompletableFuture<Answer>> asked)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    return asked.stream().map(CompletableFuture::join).toList();
  }

  /** The decision on one more request, which must come. */
  Decision once() throws InterruptedException, ExecutionException, TimeoutException {
    return store.apply(operation).toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  /** How many permits are used after a decision. */
  static long used(Decision decision) {
    return decision.limit() - decision.remaining();
  }
}
