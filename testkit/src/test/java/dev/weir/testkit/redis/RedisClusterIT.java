package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisClusterIT {
  private static final int SLOTS_MOVED = 1_000;

  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void servesAllSlots() {
    assertThat(cluster.initialMasters()).hasSize(3).isEqualTo(cluster.nodes());
    assertThat(cluster.initialMasters().stream().mapToInt(cluster::slotCount).sum())
        .isEqualTo(RedisCluster.SLOTS);
    assertThat(cluster.slotOf("123456789")).isEqualTo(0x31C3);
    String key = "key";
    RedisServer owner = cluster.nodeOfSlot(cluster.slotOf(key));
    for (RedisServer node : cluster.nodes()) {
      try (RespClient client = node.client()) {
        if (node == owner) {
          assertThat(client.call("SET", key, "1")).isEqualTo("OK");
        } else {
          assertThatThrownBy(() -> client.call("SET", key, "1"))
              .hasMessage("MOVED %d 127.0.0.1:%d".formatted(cluster.slotOf(key), owner.port()));
        }
      }
    }
  }

  @Test
  void movesSlotsWithTheirKeys() {
    RedisServer from = cluster.initialMasters().get(0);
    RedisServer to = cluster.initialMasters().get(1);
    List<List<String>> writes =
        IntStream.range(0, 20_000)
            .mapToObj(i -> "key" + i)
            .filter(key -> slot(key) < SLOTS_MOVED)
            .map(key -> List.of("SET", key, "value of " + key))
            .toList();
    assertThat(writes).hasSizeGreaterThan(500);
    int before = cluster.slotCount(to);
    try (RespClient client = from.client()) {
      client.callAll(writes);
    }

    assertThat(cluster.moveSlots(from, to, SLOTS_MOVED))
        .isEqualTo(IntStream.range(0, SLOTS_MOVED).boxed().toList());

    assertThat(cluster.slotCount(to)).isEqualTo(before + SLOTS_MOVED);
    assertThat(cluster.nodeOfSlot(0)).isSameAs(to);
    try (RespClient client = to.client()) {
      for (List<String> write : writes) {
        assertThat(client.call("GET", write.get(1))).isEqualTo(write.get(2));
      }
    }
    assertThatThrownBy(() -> cluster.moveSlots(from, to, RedisCluster.SLOTS))
        .hasMessageMatching(
            "count must be between 1 and \\d+, the slots of the node, got " + RedisCluster.SLOTS);
  }

  @Test
  void aReplicaTakesOverFromAKilledMaster() {
    try (RedisCluster replicated =
        RedisCluster.start(1, RedisConfig.plain().withPassword("secret"))) {
      assertThat(replicated.nodes()).hasSize(6);
      RedisServer master = replicated.initialMasters().get(0);
      replicated.moveSlots(replicated.initialMasters().get(1), master, 10);
      master.kill();
      replicated.awaitHealthy();
      assertThat(replicated.nodeOfSlot(0)).isSameAs(replicated.nodes().get(3));
    }
  }

  /** CRC16 as in the specification of Redis Cluster, for keys without a hash tag. */
  private static int slot(String key) {
    int crc = 0;
    for (int i = 0; i < key.length(); i++) {
      crc ^= key.charAt(i) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
      }
      crc &= 0xFFFF;
    }
    return crc % RedisCluster.SLOTS;
  }
}
