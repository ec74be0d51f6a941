package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Refusals that are given again without asking Redis, and when they are not. */
class RefusalsIT {
  private static final RedisOptions OPTIONS =
      RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(10));

  private final RedisServer server = RedisServer.start();
  private final RespClient admin = server.client();
  private final RedisCounterStore store = RedisCounterStore.open(server.uri(), OPTIONS);
  private final RedisCounterStore elsewhere = RedisCounterStore.open(server.uri(), OPTIONS);

  @BeforeEach
  void exhaust() throws Exception {
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
    admin.close();
    server.close();
  }

  private static Operation.Acquire acquire(String key, String limit) {
    return new Operation.Acquire(List.of(new Counter("n", key, Limit.parse(limit))), 1);
  }

  private static Decision ask(RedisCounterStore of, Operation operation) throws Exception {
    return of.apply(operation).toCompletableFuture().get(10, TimeUnit.SECONDS);
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
    exhaust(store, "a", "1/s");
    Decision refused = ask(store, acquire("a", "1/s"));
    TimeUnit.MICROSECONDS.sleep(refused.retryAfterMicros());

    assertThat(ask(store, acquire("a", "1/s")).allowed()).isTrue();
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
  void whatIsGivenBackElsewhereIsThereWithinASecond() throws Exception {
    exhaust(store, "a", "10/h");
    assertThat(ask(store, acquire("a", "10/h")).allowed()).isFalse();
    ask(elsewhere, new Operation.Refund(acquire("a", "10/h").counters(), 1));
    long start = System.nanoTime();
    await().atMost(Duration.ofSeconds(1)).until(() -> ask(store, acquire("a", "10/h")).allowed());
    System.out.printf("refund heard after %d us%n", (System.nanoTime() - start) / 1_000);

    assertThat(ask(store, acquire("a", "10/h")).allowed()).isFalse();
  }

  @Test
  void aResetElsewhereIsHeardWithinASecond() throws Exception {
    exhaust(store, "a", "10/h");
    ask(elsewhere, new Operation.Reset(acquire("a", "10/h").counters()));

    await().atMost(Duration.ofSeconds(1)).until(() -> ask(store, acquire("a", "10/h")).allowed());
  }

  @Test
  void aCounterThatIsCountedAnotherWayElsewhereIsAskedAgain() throws Exception {
    exhaust(store, "a", "10/h");
    // Counts the ten that are used in a window of its own from now on.
    assertThat(ask(elsewhere, acquire("a", "20/s")).allowed()).isTrue();

    await().atMost(Duration.ofSeconds(3)).until(() -> ask(store, acquire("a", "10/h")).allowed());
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
    await().atMost(Duration.ofSeconds(1)).until(() -> ask(store, operation).allowed());
  }

  @Test
  void whatIsWipedIsForgottenWithinASecond() throws Exception {
    exhaust(store, "a", "10/h");
    admin.call("FLUSHALL");

    await().atMost(Duration.ofSeconds(1)).until(() -> ask(store, acquire("a", "10/h")).allowed());
  }

  @Test
  void nothingIsRememberedWhileNewsCannotBeHeard() throws Exception {
    try (FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore cutOff = RedisCounterStore.open(proxy.uri(), OPTIONS)) {
      exhaust(cutOff, "a", "10/h");
      await()
          .until(
              () -> {
                ask(cutOff, acquire("a", "10/h"));
                return cutOff.recalledRefusals() > 0;
              });
      proxy.blackHole();
      ask(elsewhere, new Operation.Reset(acquire("a", "10/h").counters()));
      // The news is swallowed. Within a second it is noticed that none comes.
      TimeUnit.SECONDS.sleep(1);
      long before = cutOff.recalledRefusals();
      cutOff.apply(acquire("a", "10/h"));
      assertThat(cutOff.recalledRefusals()).isEqualTo(before);
      proxy.pass();

      await()
          .ignoreExceptions()
          .atMost(Duration.ofSeconds(10))
          .until(() -> ask(cutOff, acquire("a", "10/h")).allowed());
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
