package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Asks a store for permits of one counter at a steady rate, and writes down what came of it. */
@Tag("long")
final class Load {
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final CounterStore store;
  private final Operation operation;
  private long asked;

  /** What came of one request: a decision, or a failure, and how long it took. */
  record Answer(
      long atNanos, long tookNanos, @Nullable Decision decision, @Nullable Throwable failure) {
    boolean isAllowed() {
      return decision != null && decision.allowed();
    }

    /** What sort of failure it was; null if it was none of the store. */
    RedisStoreException.@Nullable Kind kind() {
      return failure instanceof RedisStoreException of ? of.kind() : null;
    }
  }

  Load(CounterStore store, String limit, String key) {
    this.store = store;
    this.operation =
        new Operation.Acquire(List.of(new Counter("load", key, Limit.parse(limit))), 1);
  }

  /**
   * Asks that many times a second for that long; returns when all have been answered, of earlier
   * runs as well.
   */
  List<Answer> run(int perSecond, Duration duration) throws InterruptedException {
    asked += steadily(perSecond, duration, this::ask);
    while (answers.size() < asked) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return new ArrayList<>(answers);
  }

  /** Does something that many times a second for that long; what is late is made up for. */
  static long steadily(int perSecond, Duration duration, Runnable task)
      throws InterruptedException {
    long start = System.nanoTime();
    long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long count = duration.toNanos() / interval;
    for (long i = 0; i < count; i++) {
      long due = start + i * interval;
      long early = due - System.nanoTime();
      if (early > 0) {
        TimeUnit.NANOSECONDS.sleep(early);
      }
      task.run();
    }
    return count;
  }

  private void ask() {
    long asked = System.nanoTime();
    store
        .apply(operation)
        .whenComplete(
            (decision, failure) ->
                answers.add(new Answer(asked, System.nanoTime() - asked, decision, failure)));
  }

  /** The decision on one more request, which must come. */
  Decision once() throws InterruptedException, ExecutionException, TimeoutException {
    return store.apply(operation).toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  static Duration quantile(List<Answer> answers, double part) {
    return Duration.ofNanos(quantile(answers.stream().mapToLong(Answer::tookNanos), part));
  }

  /** The value that this part of all lies below. */
  static long quantile(LongStream values, double part) {
    long[] sorted = values.sorted().toArray();
    return sorted[(int) Math.min(sorted.length - 1, part * sorted.length)];
  }
}
