package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.PenaltyCounter;
import dev.weir.TimeSource;
import dev.weir.testkit.CounterStoreContract;
import dev.weir.testkit.TestLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/**
 * The contract of all counter stores, on real servers.
 *
 * <p>Refusals are not remembered here: a remembered one tells what was left when it was refused.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisContract extends CounterStoreContract {
  private final AtomicLong prefixes = new AtomicLong();
  private final AutoCloseable servers;
  private final RedisTopology topology;
  private final Amount amount;

  /** Those that are open and those of them that nobody uses. */
  private final Queue<Clocked> open = new ConcurrentLinkedQueue<>();

  private final Queue<Clocked> free = new ConcurrentLinkedQueue<>();

  /**
   * How much is done every day; in the long run it is the same on all topologies.
   *
   * @param operations see {@link #historyOperations}
   * @param keys see {@link #contendedKeys}
   */
  record Amount(long operations, int keys) {
    /** For the topology on which the script and the protocol are tested. */
    static final Amount FULL = new Amount(12_000, 100);

    /** For the others, which differ in how a server is found and what can go together. */
    static final Amount SMALL = new Amount(1_500, 64);
  }

  /** A store, and the clock that it lives by for the time being. */
  private static final class Clocked {
    private volatile TimeSource time = TimeSource.system();
    private final RedisCounterStore store;

    Clocked(RedisTopology topology) {
      store =
          RedisCounterStore.openAt(
              () -> time.nowMicros(),
              topology,
              // No test is about slowness, and the machine may be busy.
              RedisOptions.defaults()
                  .withCommandTimeout(Duration.ofSeconds(20))
                  .withoutRemembering());
      Eventually.await().until(store::isReachable);
    }
  }

  /**
   * The contract.
   *
   * @param servers have been started; closed at the end
   * @param topology how they are opened
   * @param amount how much is done every day
   */
  <S extends AutoCloseable> RedisContract(
      S servers, Function<S, RedisTopology> topology, Amount amount) {
    this.servers = servers;
    this.amount = amount;
    this.topology = topology.apply(servers);
  }

  @AfterAll
  void stop() throws Exception {
    open.forEach(each -> each.store.close());
    servers.close();
  }

  /** Ten thousand stores, which share connections and have keys of their own. */
  @Override
  public CounterStore createStore(ManualTime time) {
    Clocked unused = free.poll();
    Clocked clocked = unused == null ? new Clocked(topology) : unused;
    if (unused == null) {
      open.add(clocked);
    }
    clocked.time = time;
    String prefix = "s" + prefixes.incrementAndGet() + ":";
    return new CounterStore() {
      @Override
      public CompletionStage<Decision> apply(Operation operation) {
        return clocked.store.apply(renamed(operation, prefix));
      }

      @Override
      public void close() {
        free.add(clocked);
      }
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
  protected boolean keepsOrder() {
    return true;
  }

  @Override
  protected long historyOperations() {
    return TestLevel.amount("weir.redis.history.operations", amount.operations, 500_000L);
  }

  @Override
  protected int contendedKeys() {
    return TestLevel.isLong() ? super.contendedKeys() : amount.keys;
  }

  @Override
  protected long retryAfterCases() {
    return historyOperations() / 100;
  }
}
