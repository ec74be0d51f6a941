package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static dev.weir.redis.Requests.used;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisStoreException.Kind;
import dev.weir.testkit.redis.FaultyProxy;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A server that is frozen, killed, or forgets. How soon all is well again, and what happens under a
 * steady load, is in {@link RedisFaultTimingLongIT}.
 */
class RedisFaultsIT {
  private static final String LIMIT = "1000000/30d fixed_window";
  private static final int MANY = 300;

  /** So short that a fault is noticed soon; what else is slow must not matter to a test. */
  private static final Duration SHORT = Duration.ofMillis(100);

  /** A connection is replaced well after the answers on it have become late. */
  private static final Timings QUICK =
      new Timings(
          Duration.ofMillis(10),
          SHORT.multipliedBy(4),
          Duration.ofMillis(50),
          Duration.ofMillis(50),
          SHORT.multipliedBy(4),
          Duration.ofMillis(50));

  private static RedisCounterStore impatient(String uri) {
    return open(
        uri, RedisOptions.defaults().withCommandTimeout(SHORT).withConnectTimeout(SHORT), QUICK);
  }

  /** A store whose answers come, however busy the machine is. */
  private static RedisCounterStore patient(RedisServer server) {
    return open(
        server.uri(),
        RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(30)),
        Timings.DEFAULT);
  }

  private static RedisCounterStore open(String uri, RedisOptions options, Timings timings) {
    RedisCounterStore store =
        RedisCounterStore.open(new RedisTopology.Single(uri), options, timings);
    await().until(store::isReachable);
    return store;
  }

  @Test
  @DisplayName("a frozen server is left alone, and nothing is counted late (T48, T51)")
  void aFrozenServerIsLeftAlone() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore store = impatient(proxy.uri());
        RedisCounterStore patient = patient(server)) {
      await().until(() -> new Requests(store, LIMIT, "before").ask().get().isAllowed());
      Requests requests = new Requests(store, LIMIT, "frozen");
      server.pause();
      long connections = proxy.connections();

      assertThat(requests.ask(MANY))
          .extracting(Requests.Answer::kind)
          .contains(Kind.TIMEOUT, Kind.NOT_ASKED)
          .isSubsetOf(Kind.TIMEOUT, Kind.NOT_ASKED, Kind.UNREACHABLE);
      CompletableFuture<Requests.Answer> atOnce = requests.ask();
      assertThat(atOnce).isDone();
      assertThat(atOnce.get().kind()).isIn(Kind.NOT_ASKED, Kind.UNREACHABLE);

      // By then what was sent is late, also by a clock of the server that was read slowly.
      await().until(() -> proxy.connections() > connections);
      server.resume();
      await().until(patient::isReachable);
      // Only this last request was counted.
      assertThat(used(new Requests(patient, LIMIT, "frozen").once())).isEqualTo(1);
      await().until(() -> requests.ask().get().isAllowed());
    }
  }

  @Test
  @DisplayName("a server that was killed is asked again when it is back (T47)")
  void aKilledServerIsAskedAgain() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisCounterStore store = patient(server)) {
      Requests requests = new Requests(store, LIMIT, "killed");
      assertThat(requests.once().allowed()).isTrue();
      server.kill();
      await().until(() -> !store.isReachable());
      List<Requests.Answer> down = requests.ask(MANY);
      server.restartEmpty();
      await().until(store::isReachable);

      assertThat(down)
          .extracting(Requests.Answer::kind)
          .isSubsetOf(Kind.NOT_ASKED, Kind.UNREACHABLE);
      assertThat(used(requests.once())).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a connection that swallows everything is replaced (T49)")
  void aSilentConnectionIsReplaced() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore store = impatient(proxy.uri())) {
      Requests requests = new Requests(store, LIMIT, "silent");
      await().until(() -> requests.ask().get().isAllowed());
      proxy.blackHole();
      assertThat(requests.ask(1).get(0).failure()).isInstanceOf(RedisStoreException.class);
      long connections = proxy.connections();
      await().until(() -> proxy.connections() > connections);
      proxy.pass();

      await().until(() -> requests.ask().get().isAllowed());
    }
  }

  @Test
  @DisplayName("a connection that swallows everything is replaced also when nobody asks (T49)")
  void aSilentConnectionIsNoticedWithoutRequests() {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore store = impatient(proxy.uri())) {
      proxy.blackHole();
      await().until(() -> !store.isReachable());
      proxy.pass();

      await().until(store::isReachable);
    }
  }

  @Test
  @DisplayName("of the connections that a frozen server was asked for, one stays")
  void aServerThatThawsHasOneConnection() throws Exception {
    RedisOptions options =
        RedisOptions.defaults()
            .withCommandTimeout(SHORT)
            .withConnectTimeout(SHORT)
            .withoutRemembering();
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        RedisCounterStore store = open(proxy.uri(), options, QUICK)) {
      server.pause();
      Requests requests = new Requests(store, LIMIT, "thawed");
      assertThat(requests.ask(1).get(0).failure()).isInstanceOf(RedisStoreException.class);
      long connections = proxy.connections();
      await().until(() -> proxy.connections() > connections + 4);
      server.resume();

      await().until(() -> requests.ask().get().isAllowed());
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
        RedisCounterStore store = patient(server);
        RespClient admin = server.client()) {
      Requests requests = new Requests(store, LIMIT, "flushed");
      List<CompletableFuture<Requests.Answer>> asked = new ArrayList<>();
      for (int i = 0; i < 2 * MANY; i++) {
        asked.add(requests.ask());
        if (i % 100 == 0) {
          admin.call("SCRIPT", "FLUSH");
        }
      }

      assertThat(Requests.all(asked)).allMatch(Requests.Answer::isAllowed);
      assertThat(used(requests.once())).isEqualTo(2 * MANY + 1);
    }
  }
}
