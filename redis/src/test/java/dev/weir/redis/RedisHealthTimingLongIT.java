package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How soon a store notices under load that all counters are gone. */
@Tag("long")
class RedisHealthTimingLongIT {
  private static final String LIMIT = "1000000/30d fixed_window";
  private static final Duration LOOSE = Duration.ofSeconds(3);

  private static RedisCounterStore open(RedisServer server) {
    RedisCounterStore store =
        RedisCounterStore.open(
            server.uri(), RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(10)));
    await().until(() -> server(store).version().isPresent());
    return store;
  }

  private static RedisHealth.Server server(RedisCounterStore store) {
    return store.health().servers().get(0);
  }

  @Test
  @DisplayName("FLUSHALL under load is noticed in time, by each store of a fleet (T61)")
  void noticesThatAllIsWiped() throws Exception {
    try (RedisServer redis = RedisServer.start();
        RedisCounterStore store = open(redis);
        RedisCounterStore other = open(redis);
        RespClient admin = redis.client()) {
      Load load = new Load(store, LIMIT, "wiped");
      ExecutorService asking = Executors.newSingleThreadExecutor();
      try {
        Future<List<Load.Answer>> answers =
            asking.submit(() -> load.run(2_000, Duration.ofSeconds(6)));
        List<Long> took = new ArrayList<>();
        for (int times = 1; times <= 3; times++) {
          TimeUnit.MILLISECONDS.sleep(600);
          int expected = times;
          admin.call("FLUSHALL");
          long wiped = System.nanoTime();
          await()
              .pollInterval(Duration.ofMillis(10))
              .atMost(LOOSE)
              .until(() -> server(store).losses() == expected);
          took.add((System.nanoTime() - wiped) / 1_000_000);
          await().atMost(LOOSE).until(() -> server(other).losses() == expected);
        }
        System.out.println("FLUSHALL under load: noticed after " + took + " ms");

        assertThat(answers.get()).hasSize(12_000).allMatch(Load.Answer::isAllowed);
        assertThat(server(store).isReachable()).isTrue();
        assertThat(server(store).lastFailure()).isEmpty();
      } finally {
        asking.shutdownNow();
      }
    }
  }
}
