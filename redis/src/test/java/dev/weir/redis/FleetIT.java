package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Many processes with many connections count together. The system property {@code
 * weir.redis.fleet.decisions} says how many decisions they ask for, 100,000 unless given.
 */
class FleetIT {
  private static final int MEMBERS = 4;

  /** They live so short that compiling with care would take longer than all they do. */
  private static final List<String> OPTIONS =
      List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final int STORES = 32;

  /** Each has six connections there; fewer stores in the everyday run. */
  private static final int CLUSTER_STORES =
      Integer.getInteger("weir.redis.fleet.decisions") == null ? 8 : STORES;

  private static final int KEYS = 1_000;
  private static final int ASKED_EACH =
      Integer.getInteger("weir.redis.fleet.decisions", 100_000) / KEYS / MEMBERS;
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
  @DisplayName("of each key exactly its capacity is allowed, by 128 stores in 4 JVMs (T32)")
  void countsTogether() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      assertExact(FleetMember.Opening.SERVER, server.uri(), () -> {});
    }
  }

  @Test
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
    long started = System.nanoTime();
    int stores = opening == FleetMember.Opening.CLUSTER ? CLUSTER_STORES : STORES;
    List<ChildJvm> members = start(opening, stores, uri);
    try {
      List<Integer> threads = new ArrayList<>();
      for (ChildJvm member : members) {
        threads.add(Integer.parseInt(member.hear()));
      }
      long asked = System.nanoTime();
      CompletableFuture<Void> happens = CompletableFuture.runAsync(meanwhile);
      Sum sum = askAll(members);
      happens.join();
      long done = System.nanoTime();
      long decisions = (long) ASKED * KEYS;
      long above = 0;
      long below = 0;
      for (int key = 0; key < KEYS; key++) {
        long more = sum.allowed.getOrDefault(key, 0L) - FleetMember.capacity(key, ASKED);
        above += Math.max(0, more);
        below += Math.max(0, -more);
      }
      System.out.printf(
          "fleet: %d decisions of %d stores on %d keys in %d ms, %d a second; %d above, %d below"
              + " capacity, %d failed; started in %d ms; for %d stores a JVM has %s threads more,"
              + " %d at most%n",
          decisions,
          MEMBERS * stores,
          KEYS,
          (done - asked) / 1_000_000,
          decisions * 1_000_000_000L / (done - asked),
          above,
          below,
          sum.failed,
          (asked - started) / 1_000_000,
          stores,
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
