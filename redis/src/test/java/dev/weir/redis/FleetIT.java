package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many processes with many connections count together. The system property {@code
 * weir.redis.fleet.decisions} says how many decisions they ask for; by default 20,000 of 16 stores
 * in 2 processes, and a million of 128 stores in 4 in the long run.
 */
class FleetIT {
  private static final int MEMBERS = TestLevel.isLong() ? 4 : 2;

  /** They live so short that compiling with care would take longer than all they do. */
  private static final List<String> OPTIONS =
      List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final int STORES = TestLevel.isLong() ? 32 : 8;

  private static final int KEYS = TestLevel.isLong() ? 1_000 : 200;
  private static final int ASKED_EACH =
      TestLevel.amount("weir.redis.fleet.decisions", 20_000, 1_000_000) / KEYS / MEMBERS;
  private static final int ASKED = ASKED_EACH * MEMBERS;

  /** So many slots move as take about as long as the decisions. */
  private static final int MOVED = ASKED * KEYS / 200;

  /** What the members said when they had done. */
  private record Sum(Map<Integer, Long> allowed, long failed, int threads) {}

  private static List<ChildJvm> start(FleetMember.Opening opening, int stores, String uri)
      throws Exception {
    List<ChildJvm> members = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      members.add(
          ChildJvm.start(
              FleetMember.class, OPTIONS, opening, uri, stores, KEYS, ASKED_EACH, ASKED));
    }
    return members;
  }

  private static Sum askAll(List<ChildJvm> members) throws Exception {
    Map<Integer, Long> allowed = new HashMap<>();
    long failed = 0;
    int threads = 0;
    for (ChildJvm member : members) {
      member.say("go");
    }
    for (ChildJvm member : members) {
      threads = Math.max(threads, Integer.parseInt(member.hear()));
      failed += Long.parseLong(member.hear());
      List<String> counts = List.of(member.hear().split(" ", -1));
      for (int key = 0; key < KEYS; key++) {
        allowed.merge(key, Long.valueOf(counts.get(key)), Long::sum);
      }
    }
    return new Sum(allowed, failed, threads);
  }

  @Test
  @DisplayName("of each key exactly its capacity is allowed, by many stores in several JVMs (T32)")
  void countsTogether() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      assertExact(FleetMember.Opening.SERVER, server.uri(), () -> {});
    }
  }

  /** Every day {@link ClusterIT} moves slots under stores of one process. */
  @Test
  @Tag("long")
  @DisplayName("the same on a cluster whose slots move meanwhile, without an error (T55)")
  void countsTogetherWhileSlotsMove() throws Exception {
    try (RedisCluster cluster = RedisCluster.start()) {
      List<RedisServer> masters = cluster.initialMasters();
      assertExact(
          FleetMember.Opening.CLUSTER,
          cluster.uris(),
          () -> {
            int moved = cluster.moveSlots(masters.get(0), masters.get(1), MOVED / 2).size();
            moved += cluster.moveSlots(masters.get(1), masters.get(2), MOVED / 2).size();
            System.out.printf("%d slots have moved%n", moved);
          });
    }
  }

  /**
   * Asks, and compares with what the limits allow.
   *
   * @param meanwhile what happens while the members ask
   */
  private static void assertExact(FleetMember.Opening opening, String uri, Runnable meanwhile)
      throws Exception {
    List<ChildJvm> members = start(opening, STORES, uri);
    try {
      List<Integer> threads = new ArrayList<>();
      for (ChildJvm member : members) {
        threads.add(Integer.parseInt(member.hear()));
      }
      CompletableFuture<Void> happens = CompletableFuture.runAsync(meanwhile);
      Sum sum = askAll(members);
      happens.join();
      long decisions = (long) ASKED * KEYS;
      long above = 0;
      long below = 0;
      for (int key = 0; key < KEYS; key++) {
        long more = sum.allowed.getOrDefault(key, 0L) - FleetMember.capacity(key, ASKED);
        above += Math.max(0, more);
        below += Math.max(0, -more);
      }
      System.out.printf(
          "fleet: %d decisions of %d stores on %d keys; %d above, %d below capacity, %d failed; for"
              + " %d stores a JVM has %s threads more, %d at most%n",
          decisions,
          MEMBERS * STORES,
          KEYS,
          above,
          below,
          sum.failed,
          STORES,
          threads,
          sum.threads);

      assertThat(sum.failed).isZero();
      assertThat(above).isZero();
      assertThat(below).isZero();
    } finally {
      members.forEach(ChildJvm::close);
    }
  }
}
