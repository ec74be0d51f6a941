package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A cluster whose slots move and whose masters die. */
class ClusterIT {
  private static final int KEYS = TestLevel.isLong() ? 1_000 : 200;
  private static final int CAPACITY = TestLevel.isLong() ? 40 : 10;

  /** How many slots one master gives to the next, twice. */
  private static final int SLOTS = TestLevel.isLong() ? 2_500 : 150;

  /** No test is about slowness, and the machine may be busy. All is to be asked. */
  private static final RedisOptions PATIENT =
      RedisOptions.defaults()
          .withCommandTimeout(Duration.ofSeconds(30))
          .withConnectTimeout(Duration.ofSeconds(30))
          .withoutRemembering();

  private static final AtomicInteger TESTS = new AtomicInteger();

  /** Without replicas, and for all tests that kill no node; each has clients of its own. */
  private static RedisCluster cluster;

  private final String client = "test" + TESTS.incrementAndGet() + ":user:";

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(0);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static RedisCounterStore open(RedisCluster cluster) {
    RedisCounterStore store =
        RedisCounterStore.open(
            new RedisTopology.Cluster(
                cluster.initialMasters().stream().map(RedisServer::uri).toList()),
            PATIENT);
    await().until(store::isReachable);
    return store;
  }

  private Operation acquire(int key, int limits) {
    List<Counter> counters =
        IntStream.range(0, limits)
            .mapToObj(
                i ->
                    new Counter("n" + i, client + key, Limit.parse(CAPACITY + "/30d fixed_window")))
            .toList();
    return new Operation.Acquire(counters, 1);
  }

  /** Asks for every key until told to stop, and until each was refused; tells how often it may. */
  private long[] exhaust(RedisCounterStore store, int limits, AtomicBoolean isOver)
      throws Exception {
    long[] allowed = new long[KEYS];
    int round = 0;
    for (; round <= CAPACITY || !isOver.get(); round++) {
      List<CompletableFuture<Decision>> answers = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        answers.add(store.apply(acquire(key, limits)).toCompletableFuture());
      }
      for (int key = 0; key < KEYS; key++) {
        if (answers.get(key).get(60, TimeUnit.SECONDS).allowed()) {
          allowed[key]++;
        }
      }
    }
    System.out.printf("%d decisions of %d limits while slots moved%n", round * KEYS, limits);
    return allowed;
  }

  @Test
  @DisplayName("slots move under load: no error, and exact counts (T54, T55)")
  void slotsMoveUnnoticed() throws Exception {
    try (RedisCounterStore store = open(cluster);
        RedisCounterStore other = open(cluster)) {
      AtomicBoolean isOver = new AtomicBoolean();
      ExecutorService asking = Executors.newFixedThreadPool(2);
      try {
        Future<long[]> one = asking.submit(() -> exhaust(store, 1, isOver));
        Future<long[]> several = asking.submit(() -> exhaust(other, 3, isOver));
        List<RedisServer> masters = cluster.initialMasters();
        int moved = cluster.moveSlots(masters.get(0), masters.get(1), SLOTS).size();
        moved += cluster.moveSlots(masters.get(1), masters.get(2), SLOTS).size();
        isOver.set(true);
        // Both ask for "n0"; the other two counters go along.
        long[] first = one.get();
        long[] second = several.get();

        assertThat(moved).isEqualTo(2 * SLOTS);
        for (int key = 0; key < KEYS; key++) {
          assertThat(first[key] + second[key]).as(client + key).isEqualTo(CAPACITY);
        }
      } finally {
        asking.shutdownNow();
      }
    }
  }

  @Test
  @DisplayName("a node that had no slots gets some under load (T52, T55)")
  void slotsMoveToANodeThatHadNone() throws Exception {
    List<RedisServer> masters = cluster.initialMasters();
    RedisServer idle = masters.get(2);
    cluster.moveSlots(idle, masters.get(1), cluster.slotCount(idle));
    try (RespClient admin = idle.client()) {
      admin.call("SCRIPT", "FLUSH");
    }
    try (RedisCounterStore store =
        RedisCounterStore.open(new RedisTopology.Cluster(List.of(masters.get(0).uri())), PATIENT)) {
      await().until(store::isReachable);
      assertThat(store.health().servers()).hasSize(2);
      AtomicBoolean isOver = new AtomicBoolean();
      ExecutorService asking = Executors.newSingleThreadExecutor();
      try {
        Future<long[]> allowed = asking.submit(() -> exhaust(store, 3, isOver));
        cluster.moveSlots(masters.get(0), idle, TestLevel.isLong() ? 1_000 : 150);
        isOver.set(true);

        assertThat(allowed.get()).containsOnly(CAPACITY);
        await().until(() -> store.health().servers().size() == 3);
      } finally {
        asking.shutdownNow();
      }
    }
  }

  @Test
  @DisplayName("after the death of a master its replica goes on counting (T52, T59)")
  void followsANewMaster() throws Exception {
    try (RedisCluster cluster = RedisCluster.start(1);
        RedisCounterStore store = open(cluster)) {
      RedisServer dead = cluster.initialMasters().get(0);
      int key =
          IntStream.range(0, 1_000)
              .filter(
                  i ->
                      cluster.nodeOfSlot(cluster.slotOf("{" + client + i + "}")).port()
                          == dead.port())
              .findFirst()
              .orElseThrow();
      assertThat(ask(store, acquire(key, 1)).remaining()).isEqualTo(CAPACITY - 1);
      try (RespClient admin = dead.client()) {
        await().until(() -> admin.number("WAIT", "1", "1000") == 1);
      }
      dead.kill();
      await().until(() -> !store.isReachable());
      assertThat(Failures.of(store, acquire(key, 1))).isInstanceOf(RedisStoreException.class);
      await().until(store::isReachable);

      assertThat(ask(store, acquire(key, 1)).remaining()).isEqualTo(CAPACITY - 2);
    }
  }

  @Test
  @DisplayName("limits of a user and of everybody are charged both or none, in any slots (T46)")
  void chargesBothOrNone() throws Exception {
    try (RedisCounterStore store = open(cluster)) {
      Counter everybody = new Counter("all", client, Limit.parse("100/30d fixed_window"));
      List<CompletableFuture<Decision>> answers = new ArrayList<>();
      for (int i = 0; i < (TestLevel.isLong() ? 3_000 : 600); i++) {
        Counter user = new Counter("n", client + i % 30, Limit.parse("10/30d fixed_window"));
        answers.add(
            store.apply(new Operation.Acquire(List.of(user, everybody), 1)).toCompletableFuture());
      }
      long allowed = 0;
      for (CompletableFuture<Decision> answer : answers) {
        allowed += answer.get(60, TimeUnit.SECONDS).allowed() ? 1 : 0;
      }
      long used = 0;
      for (int i = 0; i < 30; i++) {
        Counter user = new Counter("n", client + i, Limit.parse("10/30d fixed_window"));
        used += 10 - ask(store, new Operation.Peek(List.of(user), 0)).remaining();
      }

      System.out.printf("of 100 for everybody %d were granted under contention%n", allowed);
      assertThat(allowed).isBetween(1L, 100L);
      assertThat(used).isEqualTo(allowed);
      assertThat(100 - ask(store, new Operation.Peek(List.of(everybody), 0)).remaining())
          .isEqualTo(allowed);
    }
  }

  @Test
  void saysWhyNoNodeAnswers() throws Exception {
    try (RedisServer gone = RedisServer.start()) {
      gone.kill();
      try (RedisCounterStore store =
          RedisCounterStore.open(
              new RedisTopology.Cluster(List.of(gone.uri())),
              PATIENT.withConnectTimeout(Duration.ofMillis(200)))) {
        await()
            .untilAsserted(
                () ->
                    assertThat(Failures.of(store, acquire(1, 1)))
                        .hasMessageStartingWith(
                            "Redis Cluster: no node has answered; %s:%d: cannot connect: ",
                            gone.host(), gone.port()));
      }
    }
  }

  @Test
  void refusesSentinelsInPlaceOfNodes() {
    RedisTopology sentinels =
        new RedisTopology.Cluster(List.of("redis-sentinel://localhost:26379#weir"));

    assertThatThrownBy(() -> RedisCounterStore.open(sentinels, PATIENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "uris of a cluster must name its nodes, such as redis://localhost:6379, got one"
                + " without a host");
  }

  @Test
  @DisplayName("the rights that the guide names are enough for a cluster (T61)")
  void needsFewRights() throws Exception {
    String rules = RedisSecurityIT.RULES + " +cluster|slots +asking";
    List<RedisServer> masters = cluster.initialMasters();
    for (RedisServer node : masters) {
      try (RespClient admin = node.client()) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "weir", "on", ">secret"));
        command.addAll(List.of(rules.split(" ")));
        admin.call(command.toArray(String[]::new));
      }
    }
    List<String> uris =
        masters.stream().map(node -> node.uri().replace("://", "://weir:secret@")).toList();
    try (RedisCounterStore store =
        RedisCounterStore.open(new RedisTopology.Cluster(uris), PATIENT)) {
      await().until(store::isReachable);
      AtomicBoolean isOver = new AtomicBoolean();
      ExecutorService asking = Executors.newSingleThreadExecutor();
      try {
        Future<long[]> allowed = asking.submit(() -> exhaust(store, 1, isOver));
        cluster.moveSlots(masters.get(0), masters.get(1), TestLevel.isLong() ? 500 : 50);
        isOver.set(true);

        assertThat(allowed.get()).containsOnly(CAPACITY);
      } finally {
        asking.shutdownNow();
      }
    }
    for (RedisServer node : masters) {
      try (RespClient admin = node.client()) {
        assertThat(admin.list("ACL", "LOG")).isEmpty();
      }
    }
  }

  private static Decision ask(RedisCounterStore store, Operation operation) throws Exception {
    return store.apply(operation).toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
