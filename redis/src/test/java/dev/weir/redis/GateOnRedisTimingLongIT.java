package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.policy.FailureMode;
import dev.weir.policy.Verdict;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Failures of Redis as in {@link GateOnRedisIT}, over a second: threads, and how soon it is back.
 */
@Tag("long")
class GateOnRedisTimingLongIT {
  /** Lettuce starts some when it connects anew, a few for all times. */
  private static final int MORE_THREADS = 6;

  static List<GateOnRedisIT.Fault> faults() {
    return GateOnRedisIT.faults();
  }

  private static RedisCounterStore open(String uri) {
    // Longer than the machine of a test stands still by itself, so that only faults time out.
    RedisOptions options = RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(250));
    RedisCounterStore store = RedisCounterStore.open(uri, options);
    await().until(store::isReachable);
    return store;
  }

  private static List<Verdict> askAll(ThreeModes modes, ThreadCount threads)
      throws InterruptedException {
    List<Verdict> verdicts = new ArrayList<>();
    AtomicInteger asked = new AtomicInteger();
    Load.steadily(
        GateOnRedisIT.ASKED,
        Duration.ofSeconds(1),
        () -> {
          verdicts.add(GateOnRedisIT.ask(modes, asked.getAndIncrement()));
          threads.look();
        });
    return verdicts;
  }

  /** Asks, each time for another user, until Redis decides, and says how long that took. */
  private static Duration untilRedisDecides(ThreeModes modes) throws InterruptedException {
    long start = System.nanoTime();
    Verdict verdict = modes.check(FailureMode.CLOSED, "later");
    for (int i = 0; verdict.isDegraded() && System.nanoTime() - start < 20_000_000_000L; i++) {
      TimeUnit.MILLISECONDS.sleep(1);
      verdict = modes.check(FailureMode.CLOSED, "later" + i);
    }
    assertThat(verdict.isDegraded()).isFalse();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @ParameterizedTest
  @MethodSource("faults")
  @DisplayName("Redis decides soon after it is back, and failures start few threads (T47, T48)")
  void followsTheModeUntilRedisIsBack(GateOnRedisIT.Fault fault, @TempDir Path folder)
      throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisCounterStore store = open(server.uri());
        ThreeModes modes =
            new ThreeModes(store, GateOnRedisIT.LIMIT, folder.resolve("events.jsonl"))) {
      for (FailureMode mode : FailureMode.values()) {
        assertThat(modes.check(mode, "before").isDegraded()).isFalse();
      }
      ThreadCount threads = new ThreadCount();
      fault.begin().accept(server);
      List<Verdict> verdicts = askAll(modes, threads);
      List<RedisStoreException> failures = modes.failures();
      fault.end().accept(server);
      Duration back = untilRedisDecides(modes);
      System.out.printf(
          "%s: threads %d before, %d at most; Redis decides %d ms after it is back%n",
          fault, threads.before(), threads.most(), back.toMillis());

      GateOnRedisIT.assertThatAllFollowTheirMode(verdicts);
      assertThat(failures)
          .hasSize(GateOnRedisIT.ASKED)
          .allMatch(failure -> fault.kinds().contains(failure.kind()))
          .anySatisfy(failure -> assertThat(failure).hasMessageContaining(fault.message()));
      assertThat(threads.most()).isLessThanOrEqualTo(threads.before() + MORE_THREADS);
      assertThat(back).isLessThan(Duration.ofSeconds(3));
    }
  }
}
