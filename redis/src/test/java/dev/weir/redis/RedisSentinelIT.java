package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static dev.weir.redis.Requests.used;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisStoreException.Kind;
import dev.weir.testkit.redis.RedisConfig;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A master that sentinels replace. Each test has servers of its own and mostly waits for them, so
 * they run beside each other. How long it takes, and under load, is in {@link SentinelFaultsIT} and
 * {@link RedisSentinelTimingLongIT}.
 */
class RedisSentinelIT {
  private static final String LIMIT = "1000000/30d fixed_window align first_request";
  private static final int MANY = 300;

  /** A sentinel that is frozen is left for the next one soon. */
  private static final RedisOptions OPTIONS =
      RedisOptions.defaults()
          .withCommandTimeout(Duration.ofMillis(250))
          .withConnectTimeout(Duration.ofMillis(250));

  private static RedisCounterStore open(String uri) {
    RedisCounterStore store = RedisCounterStore.open(uri, OPTIONS);
    await().until(store::isReachable);
    return store;
  }

  private static void awaitAllowed(Requests requests) {
    await().until(() -> requests.ask().get().isAllowed());
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("after the death of the master its replica goes on counting (T53, T59)")
  void followsTheMaster() throws Exception {
    try (RedisSentinels redis = RedisSentinels.start(2, RedisConfig.plain().fenced());
        RedisCounterStore store = open(redis.uri())) {
      Requests requests = new Requests(store, LIMIT, "failover");
      awaitAllowed(requests);
      RedisServer old = redis.master();
      try (RespClient admin = old.client()) {
        await().until(() -> admin.number("WAIT", "2", "1000") == 2);
      }
      old.kill();

      assertThat(requests.ask(MANY))
          .extracting(Requests.Answer::failure)
          .allMatch(RedisStoreException.class::isInstance);
      assertThat(redis.awaitFailover(old)).isNotSameAs(old);
      await()
          .until(
              () -> {
                Requests.Answer answer = requests.ask().get();
                // What was counted before is counted still.
                return answer.decision() != null && used(answer.decision()) > 1;
              });
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("a fenced master that was frozen decides nothing when it goes on (T59)")
  void aZombieDecidesNothing() throws Exception {
    try (RedisSentinels redis = RedisSentinels.start(2, RedisConfig.plain().fenced())) {
      RedisServer old = redis.master();
      try (RedisCounterStore store = open(redis.uri());
          RedisCounterStore direct = open(old.uri())) {
        Requests onZombie = new Requests(direct, LIMIT, "zombie");
        Requests elsewhere = new Requests(store, LIMIT, "zombie");
        awaitAllowed(onZombie);
        old.pause();
        // From now on it is pinged first. What Redis reads at once when it goes on, it decides
        // before
        // it notices that its replicas have gone.
        assertThat(onZombie.ask().get().failure()).isInstanceOf(RedisStoreException.class);
        redis.awaitFailover(old);
        // Once it decides, the new master has a replica, which has left the old one.
        awaitAllowed(elsewhere);
        old.resume();

        await()
            .until(
                () -> {
                  Requests.Answer answer = onZombie.ask().get();
                  assertThat(answer.isAllowed()).isFalse();
                  // It was asked, and has refused.
                  return answer.kind() == Kind.TRANSIENT;
                });
        assertThat(onZombie.ask(MANY)).noneMatch(Requests.Answer::isAllowed);
        awaitAllowed(elsewhere);
      }
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("replicas are never asked (T60)")
  void replicasAreNeverAsked() throws Exception {
    try (RedisSentinels redis = RedisSentinels.start(1);
        RedisCounterStore store = open(redis.uri());
        RespClient admin = redis.servers().get(1).client()) {
      Requests requests = new Requests(store, LIMIT, "k");
      awaitAllowed(requests);
      requests.ask(MANY);
      // What the script wrote comes from the master.
      await().until(() -> commands(admin).stream().anyMatch(each -> each.startsWith("set:")));

      assertThat(commands(admin)).noneMatch(each -> each.matches("(eval|get|mget|getrange).*"));
      assertThat(admin.text("CLIENT", "LIST")).doesNotContain(" name=weir ");
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("a sentinel that is frozen keeps nobody from the master (T53)")
  void aFrozenSentinelIsPassedOver() {
    try (RedisSentinels redis = RedisSentinels.start(1)) {
      for (RedisServer sentinel : redis.sentinels()) {
        sentinel.pause();
        try (RedisCounterStore store = open(redis.uri())) {
          awaitAllowed(new Requests(store, LIMIT, "k"));
        }
        sentinel.resume();
      }
    }
  }

  private static List<String> commands(RespClient admin) {
    return admin
        .text("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_"))
        .map(line -> line.substring("cmdstat_".length(), line.indexOf(',')))
        .toList();
  }

  @Test
  @DisplayName("without a sentinel that answers there is no master, and the message says so")
  void saysThatNoSentinelAnswers() {
    try (RedisServer gone = RedisServer.start()) {
      gone.kill();
      String uri = "redis-sentinel://:secret-word@%s:%d/0#weir".formatted(gone.host(), gone.port());
      try (RedisCounterStore store = RedisCounterStore.open(uri, OPTIONS)) {
        Requests requests = new Requests(store, LIMIT, "none");
        await()
            .untilAsserted(
                () ->
                    assertThat(requests.ask().get().failure())
                        .hasMessageStartingWith("Redis at master weir: cannot connect: ")
                        .hasMessageNotContaining("secret-word"));
      }
    }
  }
}
