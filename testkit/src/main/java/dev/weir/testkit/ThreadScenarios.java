package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.Period;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** 64 threads at once: exactly as many requests pass as one after the other would. */
abstract class ThreadScenarios extends StoreScenarios {

  private static final int THREADS = 64;
  private static final int REQUESTS_EACH = 50;

  /** Half as many as the others ask, so that neither they nor the one with the clock win alone. */
  private static final int DRAINED_TOGETHER = THREADS / 2;

  /**
   * Every day threads leave the processor after some operations. Else the one that moves the clock
   * waits for the whole time slices of all others, over and over.
   */
  private static final boolean YIELDS = !TestLevel.isLong();

  private static final int OPERATIONS_BEFORE_YIELD = 64;

  /** How the clock runs, in microseconds; a bucket overflows once and windows end within. */
  private static final List<Long> TICKS =
      List.of(100_000L, 1L, 250_000L, 900_000L, 10_000L, 2_500_000L, 333_333L, 999_999L);

  private final int manyKeys;

  /**
   * The scenarios.
   *
   * @param manyKeys see {@link CounterStoreContract#contendedKeys}
   */
  ThreadScenarios(Function<ManualTime, CounterStore> stores, int manyKeys) {
    super(stores);
    this.manyKeys = manyKeys;
  }

  private static List<Limit> ofEachAlgorithm(long permits) {
    Duration second = seconds(1);
    return List.of(
        Limit.perSecond(permits),
        Limit.fixedWindow(permits, second),
        new FixedWindow(permits, Period.Span.of(second), FixedWindow.Align.FIRST_REQUEST),
        Limit.slidingWindow(permits, second),
        Limit.slidingLog(permits, second));
  }

  private static List<Counter> keys(int count, Limit limit) {
    return IntStream.range(0, count).mapToObj(i -> new Counter("limit", "k" + i, limit)).toList();
  }

  @Test
  @DisplayName("grants exactly the capacity to 64 threads on a frozen clock (T32)")
  void grantsExactlyTheCapacityOnAFrozenClock() {
    for (Limit limit : ofEachAlgorithm(1_000)) {
      for (long cost : List.of(1L, 3L)) {
        Subject store = subjectAt(MONDAY);
        Operation acquire = new Operation.Acquire(keys(1, limit), cost);
        Tally granted =
            Threads.run(
                THREADS,
                tally -> {
                  for (int i = 0; i < REQUESTS_EACH; i++) {
                    tally.add("k0", store.apply(acquire));
                  }
                });
        assertThat(granted.total()).as("%s, cost %d", limit, cost).isEqualTo(1_000 / cost);
      }
    }
  }

  @Test
  @DisplayName("makes one counter of a key that 64 threads ask for at once (T33)")
  void grantsExactlyTheCapacityOfEachOfManyKeys() {
    for (Limit limit : ofEachAlgorithm(7)) {
      Subject store = subjectAt(MONDAY);
      List<Counter> keys = keys(manyKeys, limit);
      Tally granted =
          Threads.run(
              THREADS,
              tally -> {
                for (Counter key : keys) {
                  tally.add(key.key(), store.apply(new Operation.Acquire(List.of(key), 1)));
                }
              });
      assertThat(granted.perKey()).as("%s", limit).hasSize(manyKeys).allSatisfy(Tally.exactly(7));
    }
  }

  @Test
  void chargesAllLimitsOrNoneUnderContention() {
    for (Limit limit : ofEachAlgorithm(500)) {
      Subject store = subjectAt(MONDAY);
      Counter own = new Counter("own", "client", limit);
      Counter shared = new Counter("shared", "all", Limit.perMinute(300));
      List<List<Counter>> orders = List.of(List.of(own, shared), List.of(shared, own));
      Tally granted =
          Threads.run(
              THREADS,
              tally -> {
                for (int i = 0; i < REQUESTS_EACH; i++) {
                  tally.add("both", store.apply(new Operation.Acquire(orders.get(i % 2), 1)));
                }
              });
      assertThat(granted.total()).as("%s", limit).isEqualTo(300);
      Decision standing = store.apply(new Operation.Peek(orders.get(0), 0));
      assertThat(standing.limits().get(0).remaining()).as("%s", limit).isEqualTo(200);
    }
  }

  @Test
  void grantsAtEachTickOfOneKeyWhatTheOracleGrants() {
    ofEachAlgorithm(100)
        .forEach(limit -> compareWithOracle(keys(1, limit), TestLevel.isLong() ? 4 : 1));
  }

  @Test
  void grantsAtEachTickOfManyKeysWhatTheOracleGrants() {
    ofEachAlgorithm(3).forEach(limit -> compareWithOracle(keys(manyKeys, limit), 1));
  }

  /**
   * The clock ticks only when this thread has seen every key refuse, so demand is never short, and
   * what passes at an instant does not depend on who asks.
   */
  // It yields for speed only: nothing depends on the scheduler.
  @SuppressWarnings("ThreadPriorityCheck")
  private void compareWithOracle(List<Counter> keys, int rounds) {
    List<Long> ticks = new ArrayList<>();
    IntStream.range(0, rounds).forEach(i -> ticks.addAll(TICKS));
    ManualTime time = new ManualTime(Instant.parse(MONDAY));
    Subject oracle = new Subject(new OracleCounterStore(time), time);
    Tally expected = new Tally();
    drainAtEachTick(oracle, keys, ticks, expected);

    Subject store = subjectAt(MONDAY);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger starts = new AtomicInteger();
    Tally own = new Tally();
    Tally others =
        Threads.runBeside(
            THREADS - 1,
            tally -> {
              // Spread over the keys, for the clock does not wait until they have seen them all.
              int first = starts.getAndIncrement() * keys.size() / THREADS;
              for (int i = first; !over.get(); i++) {
                Counter key = keys.get(i % keys.size());
                tally.add(key.key(), store.apply(new Operation.Acquire(List.of(key), 1)));
                if (YIELDS && i % OPERATIONS_BEFORE_YIELD == 0) {
                  Thread.yield();
                }
              }
            },
            () -> {
              try {
                drainAtEachTick(store, keys, ticks, own);
              } finally {
                over.set(true);
              }
            });
    others.addAll(own);
    assertThat(others.differencesFrom(expected))
        .as("differences from the oracle on %s", keys.get(0).limit())
        .isEmpty();
  }

  private static void drainAtEachTick(
      Subject store, List<Counter> keys, List<Long> ticks, Tally tally) {
    drain(store, keys, tally);
    for (long tick : ticks) {
      store.advanceMicros(tick);
      drain(store, keys, tally);
    }
  }

  /** Asks for some keys at once, so that a store far away is not waited for a key at a time. */
  private static void drain(Subject store, List<Counter> keys, Tally tally) {
    for (int i = 0; i < keys.size(); i += DRAINED_TOGETHER) {
      List<Counter> open = keys.subList(i, Math.min(i + DRAINED_TOGETHER, keys.size()));
      while (!open.isEmpty()) {
        open = passing(store, open, tally);
      }
    }
  }

  /** Asks once for each key, and returns those that have not refused. */
  private static List<Counter> passing(Subject store, List<Counter> keys, Tally tally) {
    List<CompletableFuture<Decision>> answers =
        keys.stream().map(key -> store.ask(new Operation.Acquire(List.of(key), 1))).toList();
    List<Counter> passing = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Counter key = keys.get(i);
      if (tally.add(key.key(), answers.get(i).join())) {
        passing.add(key);
      }
    }
    return passing;
  }
}
