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
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is frozen, killed, or forgets, under load, and how soon all is well again. */
@Tag("long")
class RedisFaultTimingLongIT {
  private static final String LIMIT = "1000000/30d fixed_window";

  /** Longer than the machine of a test stands still by itself, so that only faults time out. */
  private static final Duration TIMEOUT = Duration.ofMillis(250);

  private static RedisCounterStore open(String uri) {
    RedisOptions options = RedisOptions.defaults().withCommandTimeout(TIMEOUT);
    RedisCounterStore store = RedisCounterStore.open(uri, options);
    await().until(store::isReachable);
    return store;
  }

  private static long used(Decision decision) {
    return decision.limit() - decision.remaining();
  }

  @Test
  @DisplayName("a frozen server is left alone, and nothing is counted late (T48, T51)")
  void aFrozenServerIsLeftAlone() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisCounterStore store = open(server.uri())) {
      Load load = new Load(store, LIMIT, "frozen");
      assertThat(load.run(1_000, Duration.ofMillis(500))).allMatch(Load.Answer::isAllowed);
      // Nothing is under way: what the server had counted and not yet answered would be lost.
      server.pause();
      ExecutorService asking = Executors.newSingleThreadExecutor();
      try {
        Future<List<Load.Answer>> answers =
            asking.submit(() -> load.run(1_000, Duration.ofMillis(4_500)));
        TimeUnit.SECONDS.sleep(3);
        long resuming = System.nanoTime() - TIMEOUT.toNanos();
        server.resume();
        long resumed = System.nanoTime();
        List<Load.Answer> all = answers.get();
        long allowed = all.stream().filter(Load.Answer::isAllowed).count();

        assertThat(all).hasSize(5_000);
        assertThat(all)
            .filteredOn(answer -> answer.failure() != null)
            .hasSizeBetween(2_000, 4_000)
            .extracting(Load.Answer::kind)
            .contains(Kind.TIMEOUT)
            .isSubsetOf(Kind.TIMEOUT, Kind.NOT_ASKED, Kind.UNREACHABLE);
        assertThat(all)
            .filteredOn(answer -> answer.isAllowed() && answer.atNanos() > resumed)
            .isNotEmpty();
        // Only what was answered was counted, and this last request. What was asked after the
        // server
        // went on and then not answered in time may have been counted as well.
        long unknown =
            all.stream()
                .filter(answer -> answer.kind() == Kind.TIMEOUT || answer.kind() == Kind.LOST)
                .filter(answer -> answer.atNanos() > resuming)
                .count();
        assertThat(used(load.once())).isBetween(allowed + 1, allowed + 1 + unknown);
      } finally {
        asking.shutdownNow();
      }
    }
  }

  @Test
  @DisplayName("a server that was killed is asked again when it is back (T47)")
  void aKilledServerIsAskedAgain() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisCounterStore store = open(server.uri())) {
      Load load = new Load(store, LIMIT, "killed");
      assertThat(load.once().allowed()).isTrue();
      server.kill();
      await().until(() -> !store.isReachable());
      List<Load.Answer> down = load.run(1_000, Duration.ofMillis(500));
      server.restartEmpty();
      await().atMost(Duration.ofSeconds(5)).until(store::isReachable);

      assertThat(down)
          .extracting(Load.Answer::kind)
          .hasSize(500)
          .isSubsetOf(Kind.NOT_ASKED, Kind.UNREACHABLE);
      assertThat(used(load.once())).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a connection that swallows everything is replaced within 5 s (T49)")
  void aSilentConnectionIsReplaced() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore store = open(proxy.uri())) {
      Load load = new Load(store, LIMIT, "silent");
      assertThat(load.once().allowed()).isTrue();
      proxy.blackHole();
      CompletableFuture<?> lost =
          store
              .apply(new Operation.Peek(List.of(new Counter("n", "k", Limit.perSecond(1))), 1))
              .toCompletableFuture();
      assertThat(lost).failsWithin(Duration.ofSeconds(5));
      long connections = proxy.connections();
      await().atMost(Duration.ofSeconds(5)).until(() -> proxy.connections() > connections);
      proxy.pass();
      await().atMost(Duration.ofSeconds(5)).until(store::isReachable);

      assertThat(load.once().allowed()).isTrue();
    }
  }

  @Test
  @DisplayName("a connection that swallows everything is replaced also when nobody asks (T49)")
  void aSilentConnectionIsNoticedWithoutRequests() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore store = open(proxy.uri())) {
      proxy.blackHole();
      await().atMost(Duration.ofSeconds(5)).until(() -> !store.isReachable());
      proxy.pass();

      await().atMost(Duration.ofSeconds(5)).until(store::isReachable);
    }
  }

  @Test
  @DisplayName("of the connections that a frozen server was asked for, one stays")
  void aServerThatThawsHasOneConnection() throws Exception {
    RedisOptions impatient =
        new RedisOptions(
            "ratelimit", Duration.ofMillis(25), Duration.ofMillis(200), Optional.empty(), false);
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore store = RedisCounterStore.open(proxy.uri(), impatient)) {
      await().until(store::isReachable);
      server.pause();
      Load load = new Load(store, LIMIT, "thawed");
      assertThat(load.run(100, Duration.ofMillis(100)))
          .extracting(Load.Answer::kind)
          .contains(Kind.TIMEOUT);
      await().atMost(Duration.ofSeconds(20)).until(() -> proxy.connections() > 5);
      server.resume();

      // It is impatient, so one request alone may find the machine busy.
      await()
          .until(
              () -> load.run(10, Duration.ofSeconds(1)).stream().anyMatch(Load.Answer::isAllowed));
      try (RespClient admin = server.client()) {
        await()
            .untilAsserted(
                () ->
                    assertThat(admin.text("CLIENT", "LIST").lines())
                        .filteredOn(line -> line.contains(" name=weir "))
                        .hasSize(1));
      }
    }
  }

  @Test
  @DisplayName("scripts that are lost under load are not missed (T52)")
  void lostScriptsAreNotMissed() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisCounterStore store =
            RedisCounterStore.open(
                server.uri(), RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(5)));
        RespClient admin = server.client()) {
      await().until(store::isReachable);
      Load load = new Load(store, LIMIT, "flushed");
      ExecutorService asking = Executors.newSingleThreadExecutor();
      try {
        Future<List<Load.Answer>> answers =
            asking.submit(() -> load.run(2_000, Duration.ofSeconds(2)));
        while (!answers.isDone()) {
          admin.call("SCRIPT", "FLUSH");
          TimeUnit.MILLISECONDS.sleep(100);
        }

        assertThat(answers.get()).hasSize(4_000).allMatch(Load.Answer::isAllowed);
        assertThat(used(load.once())).isEqualTo(4_001);
      } finally {
        asking.shutdownNow();
      }
    }
  }

  @Test
  @DisplayName("replies that are lost were counted at most once each (T50)")
  void lostRepliesAreCountedOnce() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore store = open(proxy.uri());
        RedisCounterStore direct = open(server.uri())) {
      Load load = new Load(store, LIMIT, "lost");
      load.run(1_000, Duration.ofMillis(300));
      proxy.swallowReplies();
      List<Load.Answer> swallowed = load.run(1_000, Duration.ofMillis(300));
      proxy.pass();
      await().atMost(Duration.ofSeconds(5)).until(store::isReachable);
      List<Load.Answer> all = load.run(1_000, Duration.ofMillis(300));
      long answered = all.stream().filter(Load.Answer::isAllowed).count();
      long asked = all.size();
      long counted = used(new Load(direct, LIMIT, "lost").once()) - 1;

      assertThat(swallowed).anyMatch(answer -> answer.failure() != null);
      assertThat(counted).isBetween(answered, asked);
    }
  }
}
