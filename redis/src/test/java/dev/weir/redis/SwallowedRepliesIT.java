package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.redis.RedisStoreException.Kind;
import dev.weir.testkit.redis.FaultyProxy;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A network that loses replies after the server has acted. The system property {@code
 * weir.redis.swallowed} says how many decisions it loses, 2,000 unless given.
 */
class SwallowedRepliesIT {
  private static final int SWALLOWED = Integer.getInteger("weir.redis.swallowed", 2_000);

  /** As many as go into the two batches that are on their way at once. */
  private static final int EACH_ROUND = 2 * 64;

  private static final Duration REPLIES_TAKE = Duration.ofMillis(30);

  private static final Operation ONE =
      new Operation.Acquire(
          List.of(
              new Counter("n", "k", Limit.parse("1000000/30d fixed_window align first_request"))),
          1);

  private final List<Load.Answer> answers = new ArrayList<>();

  private static RedisCounterStore open(String uri) {
    // A request that waits until those before it are answered needs twice the time of a reply.
    RedisOptions options = RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(150));
    RedisCounterStore store = RedisCounterStore.open(uri, options);
    await().until(store::isReachable);
    return store;
  }

  private static CompletableFuture<Load.Answer> ask(RedisCounterStore store) {
    long asked = System.nanoTime();
    return store
        .apply(ONE)
        .handle(
            (decision, failure) ->
                new Load.Answer(asked, System.nanoTime() - asked, decision, failure))
        .toCompletableFuture();
  }

  /**
   * Two requests go alone; those that wait for them go together when they are answered, and to
   * these no reply comes.
   */
  private void loseReplies(RedisCounterStore store, FaultyProxy proxy) throws Exception {
    proxy.delay(REPLIES_TAKE);
    List<CompletableFuture<Load.Answer>> alone = List.of(ask(store), ask(store));
    List<CompletableFuture<Load.Answer>> together =
        IntStream.range(0, EACH_ROUND).mapToObj(i -> ask(store)).toList();
    note(alone);
    proxy.swallowReplies();
    note(together);
    proxy.pass();
    await().atMost(Duration.ofSeconds(10)).until(store::isReachable);
  }

  private void note(List<CompletableFuture<Load.Answer>> asked) throws Exception {
    for (CompletableFuture<Load.Answer> each : asked) {
      answers.add(each.get(10, TimeUnit.SECONDS));
    }
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
        RedisCounterStore store = open(proxy.uri());
        RedisCounterStore direct = open(server.uri())) {
      int rounds = 0;
      for (; lost() < SWALLOWED && rounds < SWALLOWED; rounds++) {
        loseReplies(store, proxy);
      }
      long lost = lost();
      List<Decision> answered =
          answers.stream().map(Load.Answer::decision).filter(Objects::nonNull).toList();
      Decision last = direct.apply(ONE).toCompletableFuture().get(10, TimeUnit.SECONDS);
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
