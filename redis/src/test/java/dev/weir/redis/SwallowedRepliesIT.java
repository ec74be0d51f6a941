package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.redis.RedisStoreException.Kind;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.redis.FaultyProxy;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A network that loses replies after the server has acted. The system property {@code
 * weir.redis.swallowed} says how many decisions it loses; by default 300, and 10,000 in the long
 * run.
 */
class SwallowedRepliesIT {
  private static final int SWALLOWED = TestLevel.amount("weir.redis.swallowed", 300, 10_000);

  /** As many as go into the two batches that are on their way at once. */
  private static final int EACH_ROUND = 2 * 64;

  private static final Operation ONE =
      new Operation.Acquire(
          List.of(
              new Counter("n", "k", Limit.parse("1000000/30d fixed_window align first_request"))),
          1);

  private final List<Requests.Answer> answers = new ArrayList<>();

  private static RedisCounterStore open(String uri, Duration timeout) {
    RedisOptions options = RedisOptions.defaults().withCommandTimeout(timeout);
    RedisCounterStore store = RedisCounterStore.open(uri, options);
    await().until(store::isReachable);
    return store;
  }

  private static CompletableFuture<Requests.Answer> ask(RedisCounterStore store) {
    return store.apply(ONE).handle(Requests.Answer::new).toCompletableFuture();
  }

  /** Asks, and waits until the reply is on its way. */
  private static CompletableFuture<Requests.Answer> askAndHoldReply(
      RedisCounterStore store, FaultyProxy proxy) {
    long before = proxy.bytesHeld();
    CompletableFuture<Requests.Answer> asked = ask(store);
    // On a busy machine the store may have given it up.
    await().until(() -> proxy.bytesHeld() > before || asked.isDone());
    return asked;
  }

  /**
   * Two requests go alone; those that wait for them go together when they are answered, and to
   * these no reply comes.
   */
  private void loseReplies(RedisCounterStore store, FaultyProxy proxy) throws Exception {
    proxy.holdReplies();
    List<CompletableFuture<Requests.Answer>> asked = new ArrayList<>();
    asked.add(askAndHoldReply(store, proxy));
    asked.add(askAndHoldReply(store, proxy));
    for (int i = 0; i < EACH_ROUND; i++) {
      asked.add(ask(store));
    }
    proxy.swallowReplies();
    answers.addAll(Requests.all(asked));
    proxy.pass();
    await().until(store::isReachable);
  }

  private long lost() {
    return answers.stream()
        .filter(answer -> answer.kind() == Kind.TIMEOUT || answer.kind() == Kind.LOST)
        .count();
  }

  @Test
  @DisplayName("what gets no reply is counted at most once, and no permit is given twice (T50)")
  void countsAtMostOnce() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore store = open(proxy.uri(), Duration.ofMillis(200));
        RedisCounterStore direct = open(server.uri(), Duration.ofSeconds(30))) {
      int rounds = 0;
      for (; lost() < SWALLOWED && rounds < SWALLOWED; rounds++) {
        loseReplies(store, proxy);
      }
      long lost = lost();
      List<Decision> answered =
          answers.stream().map(Requests.Answer::decision).filter(Objects::nonNull).toList();
      Decision last = direct.apply(ONE).toCompletableFuture().get(60, TimeUnit.SECONDS);
      long counted = last.limit() - last.remaining() - 1;
      System.out.printf(
          "%d asked in %d rounds: %d answered, %d lost, %d not sent; Redis counted %d%n",
          answers.size(),
          rounds,
          answered.size(),
          lost,
          answers.size() - answered.size() - lost,
          counted);

      assertThat(lost).isGreaterThanOrEqualTo(SWALLOWED);
      assertThat(answered).allMatch(Decision::allowed);
      // Each permit has a number: how many are left after it.
      assertThat(answered).extracting(Decision::remaining).doesNotHaveDuplicates();
      assertThat(counted).isBetween((long) answered.size(), answered.size() + lost);
    }
  }
}
