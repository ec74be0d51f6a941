package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.testkit.redis.FaultyProxy;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How soon a refusal that is remembered gives way to what has happened elsewhere. */
@Tag("long")
class RefusalsTimingLongIT {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Operation.Acquire TEN = acquire("10/h");
  private static final RedisOptions OPTIONS =
      RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(10));

  private final RedisServer server = RedisServer.start();
  private final RedisCounterStore store = RedisCounterStore.open(server.uri(), OPTIONS);
  private final RedisCounterStore elsewhere = RedisCounterStore.open(server.uri(), OPTIONS);

  @BeforeEach
  void exhaust() {
    awaitRemembered(store);
  }

  @AfterEach
  void close() {
    store.close();
    elsewhere.close();
    server.close();
  }

  private static Operation.Acquire acquire(String limit) {
    return new Operation.Acquire(List.of(new Counter("n", "a", Limit.parse(limit))), 1);
  }

  private static Decision ask(RedisCounterStore of, Operation operation) throws Exception {
    return of.apply(operation).toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private static void awaitRemembered(RedisCounterStore of) {
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> !ask(of, TEN).allowed() && of.recalledRefusals() > 0);
  }

  @Test
  void aRefusalEndsWithItsRetryAfter() throws Exception {
    Operation.Acquire other =
        new Operation.Acquire(List.of(new Counter("n", "b", Limit.parse("1/s"))), 1);
    Decision refused;
    do {
      refused = ask(store, other);
    } while (refused.allowed());
    TimeUnit.MICROSECONDS.sleep(refused.retryAfterMicros());

    assertThat(ask(store, other).allowed()).isTrue();
  }

  @Test
  void whatIsGivenBackElsewhereIsThereWithinASecond() throws Exception {
    ask(elsewhere, new Operation.Refund(TEN.counters(), 1));
    long start = System.nanoTime();
    await().atMost(SECOND).until(() -> ask(store, TEN).allowed());
    System.out.printf("refund heard after %d us%n", (System.nanoTime() - start) / 1_000);
  }

  @Test
  void aResetElsewhereIsHeardWithinASecond() throws Exception {
    ask(elsewhere, new Operation.Reset(TEN.counters()));

    await().atMost(SECOND).until(() -> ask(store, TEN).allowed());
  }

  @Test
  void aCounterThatIsCountedAnotherWayElsewhereIsAskedAgainSoon() throws Exception {
    assertThat(ask(elsewhere, acquire("20/s")).allowed()).isTrue();

    await().atMost(Duration.ofSeconds(3)).until(() -> ask(store, TEN).allowed());
  }

  @Test
  void whatIsWipedIsForgottenWithinASecond() {
    try (RespClient admin = server.client()) {
      admin.call("FLUSHALL");
    }

    await().atMost(SECOND).until(() -> ask(store, TEN).allowed());
  }

  @Test
  void withinASecondNothingIsRememberedWhileNewsCannotBeHeard() throws Exception {
    try (FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore cutOff = RedisCounterStore.open(proxy.uri(), OPTIONS)) {
      awaitRemembered(cutOff);
      proxy.blackHole();
      TimeUnit.SECONDS.sleep(1);
      long before = cutOff.recalledRefusals();
      cutOff.apply(TEN);
      assertThat(cutOff.recalledRefusals()).isEqualTo(before);
    }
  }
}
