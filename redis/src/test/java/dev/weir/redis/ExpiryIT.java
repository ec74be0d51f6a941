package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import dev.weir.testkit.redis.RedisConfig;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a server that is killed again and again keeps: nothing that would stay. The system property
 * {@code weir.redis.expiry.operations} says how many operations there are; by default 6,000, and a
 * million in the long run.
 */
class ExpiryIT {
  private static final long OPERATIONS =
      TestLevel.amount("weir.redis.expiry.operations", 6_000L, 1_000_000L) / 2;
  private static final int KILLS = TestLevel.isLong() ? 5 : 2;
  private static final int KEYS = TestLevel.isLong() ? 2_000 : 200;
  private static final int UNANSWERED = 256;
  private static final Duration SLACK = Duration.ofSeconds(60);

  private final AtomicLong failed = new AtomicLong();

  private static RedisCounterStore open(RedisServer server) {
    RedisCounterStore store =
        RedisCounterStore.open(
            server.uri(),
            RedisOptions.defaults()
                .withCommandTimeout(Duration.ofSeconds(30))
                .withConnectTimeout(Duration.ofSeconds(30)));
    await().until(store::isReachable);
    return store;
  }

  /** Kills the server while operations are on their way, and starts it with what it has. */
  private void applyAndKill(RedisServer server, RedisCounterStore store, Workload workload)
      throws InterruptedException {
    Semaphore unanswered = new Semaphore(UNANSWERED);
    for (long i = 0; i < OPERATIONS / KILLS; i++) {
      unanswered.acquire();
      store
          .apply(workload.next())
          .whenComplete(
              (decision, failure) -> {
                if (failure != null) {
                  failed.incrementAndGet();
                }
                unanswered.release();
              });
    }
    server.kill();
    unanswered.acquire(UNANSWERED);
    server.restartKeepingData();
    try (RespClient admin = server.client()) {
      assertThat(admin.number("DBSIZE")).isPositive();
    }
    await().until(store::isReachable);
  }

  /** The time to live of every key, in milliseconds; -1 for none, -2 for one that has expired. */
  private static List<Long> timesToLive(RespClient admin) {
    List<Long> times = new ArrayList<>();
    String cursor = "0";
    do {
      List<?> page = admin.list("SCAN", cursor, "COUNT", "1000");
      cursor = String.valueOf(page.get(0));
      List<List<String>> asked =
          ((List<?>) page.get(1))
              .stream().map(key -> List.of("PTTL", String.valueOf(key))).toList();
      if (!asked.isEmpty()) {
        for (@Nullable Object time : admin.callAll(asked)) {
          times.add((Long) time);
        }
      }
    } while (!cursor.equals("0"));
    return times;
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1S", "PT720H"})
  @DisplayName("every key expires, though the server is killed and comes back with them (T57)")
  void everyKeyExpiresThoughTheServerIsKilled(Duration longest) throws Exception {
    // What was written is with the kernel, which is not killed.
    RedisConfig keeping = RedisConfig.plain().with("appendonly yes", "appendfsync no");
    try (RedisServer server = RedisServer.start(keeping);
        RedisCounterStore store = open(server)) {
      Workload workload = new Workload(longest.toMillis(), KEYS, longest);
      for (int i = 0; i < KILLS; i++) {
        applyAndKill(server, store, workload);
      }
      try (RespClient admin = server.client()) {
        List<Long> times = timesToLive(admin);
        long most = times.stream().mapToLong(time -> time).max().orElseThrow();
        System.out.printf(
            "%d operations with windows of up to %s, %d kills, %d lost by them: %d keys, %d without"
                + " a time to live, the longest %d s%n",
            OPERATIONS,
            longest,
            KILLS,
            failed.get(),
            times.size(),
            times.stream().filter(time -> time == -1).count(),
            most / 1_000);

        assertThat(times).hasSizeGreaterThan(KEYS).doesNotContain(-1L);
        assertThat(most).isLessThanOrEqualTo(longest.multipliedBy(2).plus(SLACK).toMillis());
      }
    }
  }
}
