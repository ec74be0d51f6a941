package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.testkit.redis.FakeRedis;
import dev.weir.testkit.redis.RedisConfig;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import dev.weir.testkit.redis.RespReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a store finds out about its servers, and says. */
class RedisHealthIT {
  private static final String LIMIT = "1000000/30d fixed_window";
  private static final String MARKERS = "ratelimit:{weir}#*";

  /** Checks more often than the usual ones. */
  private static final Timings QUICK =
      new Timings(
          Timings.DEFAULT.ping(),
          Timings.DEFAULT.silence(),
          Duration.ofMillis(20),
          Timings.DEFAULT.newsPing(),
          Timings.DEFAULT.newsSilence(),
          Timings.DEFAULT.newsRetry());

  private final LogLines logged = new LogLines(Caretaker.class.getName());

  @AfterEach
  void stopListening() {
    logged.close();
  }

  /** A store that has looked at its server. */
  private static RedisCounterStore open(String uri) {
    // No test is about slowness, and the machine may be busy.
    RedisCounterStore store =
        RedisCounterStore.open(
            new RedisTopology.Single(uri),
            RedisOptions.defaults()
                .withCommandTimeout(Duration.ofSeconds(30))
                .withConnectTimeout(Duration.ofSeconds(30)),
            QUICK);
    await().until(() -> server(store).version().isPresent());
    return store;
  }

  private static RedisHealth.Server server(RedisCounterStore store) {
    return store.health().servers().get(0);
  }

  /** Keys of 30 days each, until there are so many. */
  private static void flood(RedisCounterStore store, int keys) throws Exception {
    List<CompletableFuture<Decision>> answers = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      Counter counter = new Counter("flood", "client-" + i, Limit.parse(LIMIT));
      answers.add(store.apply(new Operation.Acquire(List.of(counter), 1)).toCompletableFuture());
      if (answers.size() == 500) {
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
            .get(60, TimeUnit.SECONDS);
        answers.clear();
      }
    }
  }

  @Test
  @DisplayName("keys that are thrown away raise an alert, and so does the policy (T58)")
  void tellsOfEvictions() throws Exception {
    RedisConfig config = RedisConfig.plain().with("maxmemory 4mb", "maxmemory-policy allkeys-lru");
    try (RedisServer redis = RedisServer.start(config);
        RedisCounterStore store = open(redis.uri())) {
      assertThat(server(store).warnings())
          .anyMatch(warning -> warning.startsWith("maxmemory-policy is allkeys-lru: "));
      assertThat(server(store).evictedKeys()).isZero();
      flood(store, 40_000);
      await().until(() -> server(store).evictedKeys() > 0);
      flood(store, 20_000);
      await().until(() -> server(store).evictedKeys() > 20_000);

      assertThat(logged.count("maxmemory-policy is allkeys-lru: ")).isEqualTo(1);
      assertThat(logged.count("throws keys away for want of memory")).isEqualTo(1);
      // The marker is among what was thrown away, and yet nobody has wiped anything.
      assertThat(logged.count("were wiped")).isZero();
    }
  }

  @Test
  @DisplayName("FLUSHALL is noticed by each store of a fleet (T61)")
  void noticesThatAllIsWiped() throws Exception {
    try (RedisServer redis = RedisServer.start();
        RedisCounterStore store = open(redis.uri());
        RedisCounterStore other = open(redis.uri());
        RespClient admin = redis.client()) {
      Requests requests = new Requests(store, LIMIT, "wiped");
      for (int times = 1; times <= 3; times++) {
        int expected = times;
        assertThat(requests.ask(100)).allMatch(Requests.Answer::isAllowed);
        admin.call("FLUSHALL");
        // Who has noticed a loss has written its marker anew.
        await().until(() -> server(store).losses() == expected);
        await().until(() -> server(other).losses() == expected);
      }

      assertThat(logged.count("the counters on Redis at %s".formatted(server(store).target())))
          .isEqualTo(6);
      assertThat(server(store).isReachable()).isTrue();
      assertThat(server(store).lastFailure()).isEmpty();
    }
  }

  /** Waits until the only store has written its marker again, which it does at every look. */
  private static void awaitLook(RespClient admin) {
    await().until(() -> !admin.list("KEYS", MARKERS).isEmpty());
    String marker = String.valueOf(admin.list("KEYS", MARKERS).get(0));
    admin.call("PEXPIRE", marker, "30000");
    await().until(() -> admin.number("PTTL", marker) > 30_000);
  }

  @Test
  @DisplayName("a server that comes back empty is told from one that was wiped (T61)")
  void noticesARestartWithoutData() {
    try (RedisServer redis = RedisServer.start();
        RedisCounterStore store = open(redis.uri())) {
      redis.restartEmpty();
      await().until(() -> server(store).losses() == 1);

      assertThat(
              logged.count("Redis at 127.0.0.1:%d has restarted without".formatted(redis.port())))
          .isEqualTo(1);
      assertThat(logged.count("were wiped")).isZero();
      assertThat(server(store).lastFailure()).isPresent();
    }
  }

  @Test
  @DisplayName("a server that comes back with its data has lost nothing")
  void aRestartWithDataIsNoLoss() {
    try (RedisServer redis = RedisServer.start();
        RedisCounterStore store = open(redis.uri());
        RespClient before = redis.client()) {
      String run = runId(before);
      redis.restartKeepingData();
      await().until(store::isReachable);
      try (RespClient admin = redis.client()) {
        assertThat(runId(admin)).isNotEqualTo(run);
        awaitLook(admin);
        // That it finds this loss says that the look before is over.
        admin.call("FLUSHALL");
        await().until(() -> server(store).losses() > 0);
      }

      assertThat(server(store).losses()).isEqualTo(1);
      assertThat(logged.count("has restarted without")).isZero();
    }
  }

  private static String runId(RespClient client) {
    return client
        .text("INFO", "server")
        .lines()
        .filter(line -> line.startsWith("run_id:"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("the marker is there while the store is, and no longer than a minute (T57)")
  void theMarkerExpires() {
    try (RedisServer redis = RedisServer.start();
        RespClient admin = redis.client()) {
      List<?> keys;
      try (RedisCounterStore store = open(redis.uri())) {
        assertThat(store.isReachable()).isTrue();
        keys = admin.list("KEYS", "*");
      }
      String marker = String.valueOf(keys.get(0));

      assertThat(keys).hasSize(1);
      assertThat(marker).startsWith("ratelimit:{weir}#");
      assertThat(admin.number("PTTL", marker)).isBetween(1L, 60_000L);
    }
  }

  @Test
  @DisplayName("a setting that changes while the store is open is told once each time")
  void tellsOfChanges() {
    try (RedisServer redis = RedisServer.start();
        RedisCounterStore store = open(redis.uri());
        RespClient admin = redis.client()) {
      int other = server(store).warnings().size();
      admin.call("CONFIG", "SET", "maxmemory", "100mb");
      for (String policy : List.of("volatile-ttl", "noeviction", "volatile-ttl")) {
        admin.call("CONFIG", "SET", "maxmemory-policy", policy);
        int more = policy.equals("noeviction") ? 0 : 1;
        await().until(() -> server(store).warnings().size() == other + more);
      }

      assertThat(logged.count("maxmemory-policy is volatile-ttl")).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("a master under sentinels should stop when it is alone (T59)")
  void warnsOfAMasterThatIsNotFenced() {
    String warning = "min-replicas-to-write is not set";
    try (RedisSentinels redis = RedisSentinels.start(1);
        RedisCounterStore store = open(redis.uri());
        RespClient admin = redis.master().client()) {
      assertThat(server(store).target()).isEqualTo("master weir");
      assertThat(server(store).warnings()).filteredOn(each -> each.startsWith(warning)).hasSize(1);
      admin.call("CONFIG", "SET", "min-replicas-to-write", "1");
      await()
          .until(
              () -> server(store).warnings().stream().noneMatch(each -> each.startsWith(warning)));

      assertThat(logged.count(warning)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a failover is no loss: the marker is replicated like the counters (T59)")
  void aFailoverIsNoLoss() {
    try (RedisSentinels redis = RedisSentinels.start(1);
        RedisCounterStore store = open(redis.uri())) {
      try (RespClient admin = redis.master().client()) {
        awaitLook(admin);
        await().until(() -> admin.number("WAIT", "1", "1000") == 1);
      }
      RedisServer master = redis.awaitFailover(redis.killMaster());
      await().until(store::isReachable);
      try (RespClient admin = master.client()) {
        awaitLook(admin);
        admin.call("FLUSHALL");
        // It is logged before it can be seen.
        await().until(() -> server(store).losses() > 0);
      }

      assertThat(server(store).losses()).isEqualTo(1);
      assertThat(logged.count("were wiped")).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("an old version is told, and what it cannot do (T62)")
  void warnsOfAnOldVersion() {
    try (FakeRedis fake =
            FakeRedis.start(
                command -> {
                  if (RedisErrorsIT.runsScript(command)) {
                    return RedisErrorsIT.NOTHING_DONE;
                  }
                  return switch (command.get(0)) {
                    case "INFO" -> RespReply.bulk("# Server\r\nredis_version:6.0.16\r\n");
                    case "SET" -> RespReply.error("ERR syntax error");
                    default -> null;
                  };
                });
        RedisCounterStore store = open(fake.uri())) {
      List<String> expected =
          List.of(
              "Redis 6.0.16 is older than 6.2, the oldest that this store is for",
              "the marker is refused, so that a loss of counters stays unknown: ERR syntax error");

      assertThat(server(store).version()).contains("Redis 6.0.16");
      assertThat(server(store).warnings()).isEqualTo(expected);
      assertThat(expected).allSatisfy(each -> assertThat(logged.count(each)).isEqualTo(1));
      assertThat(store.isReachable()).isTrue();
    }
  }

  @Test
  void saysWhyThereIsNoConnection() {
    try (RedisServer gone = RedisServer.start()) {
      gone.kill();
      String uri = "redis://:secret-word@%s:%d".formatted(gone.host(), gone.port());
      try (RedisCounterStore store = RedisCounterStore.open(uri, RedisOptions.defaults())) {
        await().until(() -> server(store).lastFailure().isPresent());
        RedisHealth.Server server = server(store);

        assertThat(server.target()).isEqualTo("127.0.0.1:" + gone.port());
        assertThat(server.isReachable()).isFalse();
        assertThat(server.version()).isEmpty();
        assertThat(server.warnings()).isEmpty();
        assertThat(server.lastFailure().orElseThrow()).startsWith("cannot connect: ");
        assertThat(server.toString()).doesNotContain("secret-word");
      }
    }
  }
}
