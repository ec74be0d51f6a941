package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.process.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisSentinelsIT {

  @Test
  void aReplicaTakesOverFromAKilledMaster() {
    try (RedisSentinels sentinels =
        RedisSentinels.start(1, RedisConfig.plain().withPassword("secret"))) {
      RedisServer first = sentinels.master();
      assertThat(first).isSameAs(sentinels.servers().get(0));
      assertThat(sentinels.uri())
          .matches("redis-sentinel://:secret@(127.0.0.1:\\d+,){2}127.0.0.1:\\d+/0#weir");
      incrOnReplica(first);

      assertThat(sentinels.killMaster()).isSameAs(first);
      RedisServer second = sentinels.awaitFailover(first);
      assertThat(second).isSameAs(sentinels.servers().get(1));
      assertThat(incr(second)).isEqualTo(2);
    }
  }

  @Test
  void aFencedMasterTakesNoWritesOnceItIsAlone() {
    try (RedisSentinels sentinels = RedisSentinels.start(2, RedisConfig.plain().fenced())) {
      RedisServer first = sentinels.master();
      assertThat(incr(first)).isEqualTo(1);

      first.pause();
      RedisServer second = sentinels.awaitFailover(first);
      first.resume();
      assertThatThrownBy(() -> incr(first))
          .satisfiesAnyOf(
              error -> assertThat(error).hasMessageStartingWith("NOREPLICAS "),
              error -> assertThat(error).hasMessageStartingWith("READONLY "));
      Await.until("the new master has a replica", Duration.ofSeconds(15), () -> incr(second) > 1);
    }
  }

  /** Returns once a replica has it, too. */
  private static void incrOnReplica(RedisServer server) {
    try (RespClient client = server.client()) {
      assertThat(client.number("INCR", "key")).isEqualTo(1);
      Await.until(
          "the replica has it",
          Duration.ofSeconds(60),
          () -> client.number("WAIT", "1", "1000") == 1);
    }
  }

  private static long incr(RedisServer server) {
    try (RespClient client = server.client()) {
      return client.number("INCR", "key");
    }
  }
}
