package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Penalty;
import dev.weir.PenaltyCounter;
import dev.weir.Reason;
import dev.weir.testkit.redis.FaultyProxy;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Refusals that are given again without asking Redis, and when they are not. */
class RefusalsIT {
  private static final RedisOptions OPTIONS =
      RedisOptions.defaults()
          .withCommandTimeout(Duration.ofSeconds(30))
          .withConnectTimeout(Duration.ofSeconds(30));

  /** Does not forget refusals because the machine is busy, and no news comes for a while. */
  private static final Timings PATIENT =
      new Timings(
          Duration.ofMillis(20),
          Duration.ofSeconds(60),
          Duration.ofMillis(100),
          Duration.ofMillis(200),
          Duration.ofSeconds(60),
          Duration.ofMillis(50));

  /** Soon notices that no news comes, and that a connection is dead. */
  private static final Timings QUICK =
      new Timings(
          Duration.ofMillis(20),
          Duration.ofMillis(500),
          Duration.ofMillis(100),
          Duration.ofMillis(20),
          Duration.ofMillis(200),
          Duration.ofMillis(50));

  private static RedisServer server;
  private static RespClient admin;
  private RedisCounterStore store;
  private RedisCounterStore elsewhere;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    admin = server.client();
  }

  @AfterAll
  static void stop() {
    admin.close();
    server.close();
  }

  @BeforeEach
  void exhaust() throws Exception {
    admin.call("FLUSHALL");
    store = open(server.uri());
    elsewhere = open(server.uri());
    for (RedisCounterStore each : List.of(store, elsewhere)) {
      exhaust(each, "warm-up", "1/h");
      await()
          .until(
              () -> {
                ask(each, acquire("warm-up", "1/h"));
                return each.recalledRefusals() > 0;
              });
    }
  }

  @AfterEach
  void close() {
    store.close();
    elsewhere.close();
  }

  private static RedisCounterStore open(String uri) {
    return RedisCounterStore.open(new RedisTopology.Single(uri), OPTIONS, PATIENT);
  }

  private static Operation.Acquire acquire(String key, String limit) {
    return new Operation.Acquire(List.of(new Counter("n", key, Limit.parse(limit))), 1);
  }

  private static Decision ask(RedisCounterStore of, Operation operation) throws Exception {
    return of.apply(operation).toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static void exhaust(RedisCounterStore of, String key, String limit) throws Exception {
    while (ask(of, acquire(key, limit)).allowed()) {
      // Until it is refused.
    }
  }

  /** How many decisions Redis makes meanwhile. */
  private long calls(ThrowingRunnable work) throws Exception {
    admin.call("CONFIG", "RESETSTAT");
    work.run();
    return admin
        .text("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_evalsha:calls="))
        .mapToLong(line -> Long.parseLong(line.replaceAll("cmdstat_evalsha:calls=(\\d+),.*", "$1")))
        .sum();
  }

  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  @Test
  void aClientThatHammersCostsRedisNothing() throws Exception {
    exhaust(store, "a", "10/h");
    Decision first = ask(store, acquire("a", "10/h"));
    long calls =
        calls(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                assertThat(ask(store, acquire("a", "10/h")).allowed()).isFalse();
              }
            });
    Decision last = ask(store, acquire("a", "10/h"));

    assertThat(calls).isZero();
    assertThat(last.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
    assertThat(last.limits()).isEqualTo(first.limits());
    assertThat(last.atMicros()).isGreaterThan(first.atMicros());
    assertThat(last.atMicros() + last.retryAfterMicros())
        .isBetween(
            first.atMicros() + first.retryAfterMicros(),
            first.atMicros() + first.retryAfterMicros() + 1_000_000);
  }

  @Test
  void aRefusalEndsWithItsRetryAfter() throws Exception {
    exhaust(store, "a", "2/s");

    await().until(() -> ask(store, acquire("a", "2/s")).allowed());
  }

  @Test
  void anotherCostAnotherLimitAndAPeekAreAsked() throws Exception {
    exhaust(store, "a", "10/h");
    long calls =
        calls(
            () -> {
              assertThat(ask(store, acquire("a", "20/h")).allowed()).isTrue();
              List<Counter> counters = acquire("a", "10/h").counters();
              assertThat(ask(store, new Operation.Peek(counters, 1)).allowed()).isFalse();
              assertThat(ask(store, new Operation.Acquire(counters, 2)).allowed()).isFalse();
            });

    assertThat(calls).isEqualTo(3);
  }

  @Test
  void whatIsGivenBackElsewhereIsThere() throws Exception {
    exhaust(store, "a", "10/h");
    assertThat(ask(store, acquire("a", "10/h")).allowed()).isFalse();
    ask(elsewhere, new Operation.Refund(acquire("a", "10/h").counters(), 1));
    await().until(() -> ask(store, acquire("a", "10/h")).allowed());

    assertThat(ask(store, acquire("a", "10/h")).allowed()).isFalse();
  }

  @Test
  void aResetElsewhereIsHeard() throws Exception {
    exhaust(store, "a", "10/h");
    ask(elsewhere, new Operation.Reset(acquire("a", "10/h").counters()));

    await().until(() -> ask(store, acquire("a", "10/h")).allowed());
  }

  @Test
  void aCounterThatIsCountedAnotherWayElsewhereIsAskedAgain() throws Exception {
    exhaust(store, "a", "10/h");
    // Counts the ten that are used in a window of its own from now on.
    assertThat(ask(elsewhere, acquire("a", "20/s")).allowed()).isTrue();

    await().until(() -> ask(store, acquire("a", "10/h")).allowed());
  }

  @Test
  void violationsAreCountedAndPenaltiesAreRemembered() throws Exception {
    Penalty penalty = new Penalty(Duration.ofMinutes(10), 3, List.of(1));
    Operation operation =
        new Operation.Acquire(
            acquire("a", "1/h").counters(), List.of(new PenaltyCounter("p", "a", penalty)), 1);
    assertThat(ask(store, operation).allowed()).isTrue();
    long violations =
        calls(
            () -> {
              for (int i = 0; i < 3; i++) {
                assertThat(ask(store, operation).reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
              }
            });
    assertThat(ask(store, operation).reason()).isEqualTo(Reason.PENALTY);
    long penalised =
        calls(
            () -> {
              for (int i = 0; i < 100; i++) {
                assertThat(ask(store, operation).reason()).isEqualTo(Reason.PENALTY);
              }
            });
    ask(elsewhere, new Operation.Reset(operation.counters(), operation.penalties()));

    assertThat(violations).isEqualTo(3);
    assertThat(penalised).isZero();
    await().until(() -> ask(store, operation).allowed());
  }

  @Test
  void whatIsWipedIsForgotten() throws Exception {
    exhaust(store, "a", "10/h");
    admin.call("FLUSHALL");

    await().until(() -> ask(store, acquire("a", "10/h")).allowed());
  }

  @Test
  void nothingIsRememberedWhileNewsCannotBeHeard() throws Exception {
    try (FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore cutOff =
            RedisCounterStore.open(new RedisTopology.Single(proxy.uri()), OPTIONS, QUICK)) {
      exhaust(cutOff, "a", "10/h");
      await()
          .until(
              () -> {
                ask(cutOff, acquire("a", "10/h"));
                return cutOff.recalledRefusals() > 0;
              });
      proxy.blackHole();
      ask(elsewhere, new Operation.Reset(acquire("a", "10/h").counters()));
      // The news is swallowed, and after a while it is noticed that none comes.
      await()
          .until(
              () -> {
                long before = cutOff.recalledRefusals();
                cutOff.apply(acquire("a", "10/h"));
                return cutOff.recalledRefusals() == before;
              });
      proxy.pass();

      await().ignoreExceptions().until(() -> ask(cutOff, acquire("a", "10/h")).allowed());
    }
  }

  @Test
  void withoutRememberingEveryRefusalIsAsked() throws Exception {
    try (RedisCounterStore asking =
        RedisCounterStore.open(server.uri(), OPTIONS.withoutRemembering())) {
      exhaust(asking, "a", "10/h");
      long calls =
          calls(
              () -> {
                for (int i = 0; i < 100; i++) {
                  assertThat(ask(asking, acquire("a", "10/h")).allowed()).isFalse();
                }
              });

      assertThat(calls).isEqualTo(100);
      assertThat(asking.recalledRefusals()).isZero();
    }
  }
}
