package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.PenaltyCounter;
import dev.weir.TimeSource;
import dev.weir.testkit.CounterStoreContract;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of all counter stores, on one real server. */
class RedisCounterStoreContractIT extends CounterStoreContract {
  private static final AtomicLong STORES = new AtomicLong();
  private static volatile TimeSource time = TimeSource.system();
  private static @Nullable RedisServer server;
  private static @Nullable RedisCounterStore shared;

  @BeforeAll
  static void start() {
    RedisServer started = RedisServer.start();
    server = started;
    RedisCounterStore opened =
        RedisCounterStore.openAt(
            () -> time.nowMicros(),
            started.uri(),
            // No test is about slowness, and the machine may be busy.
            RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(20)));
    Awaitility.await().until(opened::isReachable);
    shared = opened;
  }

  @AfterAll
  static void stop() {
    if (shared != null) {
      shared.close();
    }
    if (server != null) {
      server.close();
    }
  }

  /** Ten thousand stores, which share a connection and have keys of their own. */
  @Override
  public CounterStore createStore(ManualTime manual) {
    time = manual;
    CounterStore all = shared;
    if (all == null) {
      throw new IllegalStateException("there is no server");
    }
    String prefix = "s" + STORES.incrementAndGet() + ":";
    return new CounterStore() {
      @Override
      public CompletionStage<Decision> apply(Operation operation) {
        return all.apply(renamed(operation, prefix));
      }

      @Override
      public void close() {}
    };
  }

  private static Operation renamed(Operation operation, String prefix) {
    List<Counter> counters =
        operation.counters().stream()
            .map(each -> new Counter(each.name(), prefix + each.key(), each.limit()))
            .toList();
    List<PenaltyCounter> penalties =
        operation.penalties().stream()
            .map(each -> new PenaltyCounter(each.name(), prefix + each.key(), each.penalty()))
            .toList();
    if (operation instanceof Operation.Acquire acquire) {
      return new Operation.Acquire(counters, penalties, acquire.cost());
    }
    if (operation instanceof Operation.Peek peek) {
      return new Operation.Peek(counters, penalties, peek.cost());
    }
    if (operation instanceof Operation.Refund refund) {
      return new Operation.Refund(counters, refund.cost());
    }
    return new Operation.Reset(counters, penalties);
  }

  /** Later a bucket that takes a century to fill would be full after 2^53 microseconds. */
  @Override
  protected Instant lastInstant() {
    return Instant.parse("2150-01-01T00:00:00Z");
  }

  @Override
  protected long historyOperations() {
    return Long.getLong("weir.redis.history.operations", 100_000);
  }

  @Override
  protected long retryAfterCases() {
    return historyOperations() / 100;
  }
}
