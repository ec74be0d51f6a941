package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Decision;
import dev.weir.testkit.redis.RedisConfig;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long sentinels take to replace a master under load, and how many counts that loses. */
@Tag("long")
class RedisSentinelTimingLongIT {
  private static final String LIMIT = "1000000/30d fixed_window";
  private static final int PER_SECOND = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static long used(Decision decision) {
    return decision.limit() - decision.remaining();
  }

  /** Asks for another second when it is over, by the new master then. */
  private static List<Load.Answer> askUntil(AtomicBoolean isOver, Load load)
      throws InterruptedException {
    while (!isOver.get()) {
      load.run(PER_SECOND, Duration.ofMillis(200));
    }
    return load.run(PER_SECOND, Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("after the death of the master its replica goes on counting (T53, T59)")
  void followsTheMaster() throws Exception {
    try (RedisSentinels redis = RedisSentinels.start(2, RedisConfig.plain().fenced());
        RedisCounterStore store = RedisCounterStore.open(redis.uri(), RedisOptions.defaults())) {
      await().until(store::isReachable);
      Load load = new Load(store, LIMIT, "failover");
      ExecutorService asking = Executors.newSingleThreadExecutor();
      try {
        await().until(() -> load.once().allowed());
        AtomicBoolean isOver = new AtomicBoolean();
        Future<List<Load.Answer>> answers = asking.submit(() -> askUntil(isOver, load));
        await().until(() -> used(load.once()) > PER_SECOND);
        RedisServer old = redis.master();
        long before = System.nanoTime();
        old.kill();
        long killed = System.nanoTime();
        RedisServer master = redis.awaitFailover(old);
        long failedOver = System.nanoTime();
        await().atMost(PATIENCE).ignoreExceptions().until(() -> load.once().allowed());
        isOver.set(true);
        List<Load.Answer> all = answers.get();

        assertThat(master).isNotSameAs(old);
        assertThat(all)
            .filteredOn(answer -> answer.failure() != null)
            .isNotEmpty()
            .extracting(Load.Answer::failure)
            .allMatch(RedisStoreException.class::isInstance);
        Load.Answer first = firstAllowedAfter(all, killed);
        Duration without = Duration.ofNanos(first.atNanos() - killed);
        long most = mostBefore(all, before);
        long lost = most + 1 - used(first);
        System.out.printf(
            "failover: %d ms until the sentinels agree, %d ms without decisions; %d counted before,"
                + " %d lost by replication; failures %s%n",
            (failedOver - killed) / 1_000_000,
            without.toMillis(),
            most,
            Math.max(0, lost),
            kinds(all));
        assertThat(without).isLessThan(Duration.ofSeconds(15));
        // A replica lags by far less than a second of load.
        assertThat(lost).isLessThan(PER_SECOND);
      } finally {
        asking.shutdownNow();
      }
    }
  }

  private static Load.Answer firstAllowedAfter(List<Load.Answer> all, long nanos) {
    return all.stream()
        .filter(answer -> answer.isAllowed() && answer.atNanos() - nanos > 0)
        .min((a, b) -> Long.signum(a.atNanos() - b.atNanos()))
        .orElseThrow(() -> new AssertionError("no decision came after the failover"));
  }

  private static long used(Load.Answer answer) {
    return answer.decision() == null ? 0 : used(answer.decision());
  }

  private static long mostBefore(List<Load.Answer> all, long nanos) {
    return all.stream()
        .filter(answer -> answer.atNanos() + answer.tookNanos() - nanos < 0)
        .mapToLong(RedisSentinelTimingLongIT::used)
        .max()
        .orElseThrow();
  }

  private static Map<String, Long> kinds(List<Load.Answer> all) {
    return all.stream()
        .filter(answer -> answer.failure() != null)
        .collect(
            Collectors.groupingBy(answer -> String.valueOf(answer.kind()), Collectors.counting()));
  }
}
