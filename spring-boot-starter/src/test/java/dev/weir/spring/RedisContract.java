package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counters on a real Redis. */
abstract class RedisContract {
  abstract TestApplication start(String... properties);

  private TestApplication start(RedisServer redis, String... properties) {
    List<String> all = new ArrayList<>(Arrays.asList(properties));
    all.add("ratelimit.redis.url=" + redis.uri() + "/0");
    all.add("ratelimit.redis.command-timeout=10s");
    TestApplication application = start(all.toArray(new String[0]));
    awaitReachable(application, true);
    return application;
  }

  private static void awaitReachable(TestApplication application, boolean isReachable) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> StoreState.of(application.bean(CounterStore.class)).isReachable() == isReachable);
  }

  private static int status(TestApplication application) {
    return WebContract.get(application, "/hello").status();
  }

  @Test
  void instancesShareTheirCounters() {
    try (RedisServer redis = RedisServer.start();
        TestApplication one = start(redis, "ratelimit.requests-per-minute=5");
        TestApplication other = start(redis, "ratelimit.requests-per-minute=5")) {
      for (int i = 0; i < 8; i++) {
        assertThat(status(i % 2 == 0 ? one : other)).isEqualTo(i < 5 ? 200 : 429);
      }
    }
  }

  @Test
  void theRedisOfTheApplicationWillDo() {
    try (RedisServer redis = RedisServer.start();
        TestApplication application =
            start(
                "ratelimit.counters.backend=redis",
                "ratelimit.redis.command-timeout=10s",
                "ratelimit.requests-per-minute=3",
                "spring.data.redis.host=" + redis.host(),
                "spring.data.redis.port=" + redis.port())) {
      awaitReachable(application, true);
      for (int i = 0; i < 5; i++) {
        assertThat(status(application)).isEqualTo(i < 3 ? 200 : 429);
      }
      try (RespClient client = redis.client()) {
        assertThat(client.number("DBSIZE")).isEqualTo(2);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"open, 200, 200", "closed, 503, 503", "local, 200, 429"})
  void withoutRedisTheModeDecides(String mode, int first, int third) {
    try (RedisServer redis = RedisServer.start();
        TestApplication application =
            start(
                redis,
                "ratelimit.requests-per-minute=2",
                "ratelimit.counters.failure-mode=" + mode)) {
      redis.kill();
      awaitReachable(application, false);
      assertThat(status(application)).isEqualTo(first);
      assertThat(status(application)).isEqualTo(first);
      assertThat(status(application)).isEqualTo(third);
    }
  }
}
