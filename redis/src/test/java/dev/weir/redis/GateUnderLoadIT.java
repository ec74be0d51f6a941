package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.LimitStatus;
import dev.weir.policy.FailureMode;
import dev.weir.policy.Verdict;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gate under a thousand requests a second whose Redis fails, with the usual deadline of 25 ms.
 * The system property {@code weir.redis.fault.seconds} says for how long, 10 unless given.
 */
@Tag("long")
class GateUnderLoadIT {
  private static final Duration FAULT =
      Duration.ofSeconds(Long.getLong("weir.redis.fault.seconds", 10));
  private static final Duration BEFORE = Duration.ofSeconds(1);
  private static final Duration AFTER = Duration.ofSeconds(3);
  private static final int PER_SECOND = 1_000;
  private static final String USER = "alice";

  /** One verdict, and when it was asked for. */
  private record Asked(long atNanos, long tookNanos, Verdict verdict) {}

  /**
   * What came of a run.
   *
   * @param faultNanos since when Redis was out of order
   * @param endNanos until when it surely was
   * @param backNanos since when it surely was not
   * @param ambiguous how many failures do not tell whether Redis counted the request
   */
  private record Run(
      List<Asked> all,
      long faultNanos,
      long endNanos,
      long backNanos,
      long ambiguous,
      ThreadCount threads) {
    List<Asked> during() {
      return all.stream()
          .filter(asked -> asked.atNanos - faultNanos >= 0 && asked.atNanos - endNanos < 0)
          .toList();
    }

    Duration quantile(double part) {
      return Duration.ofNanos(Load.quantile(during().stream().mapToLong(Asked::tookNanos), part));
    }

    /** How long after its return Redis decided for the first time. */
    Duration untilDecided() {
      long first =
          all.stream()
              .filter(asked -> !asked.verdict.isDegraded())
              .mapToLong(asked -> asked.atNanos + asked.tookNanos)
              .filter(at -> at - endNanos >= 0)
              .min()
              .orElseThrow(() -> new AssertionError("Redis has not decided again"));
      return Duration.ofNanos(Math.max(0, first - backNanos));
    }

    long allowedByRedis() {
      return all.stream()
          .filter(asked -> asked.verdict().isAllowed() && !asked.verdict().isDegraded())
          .count();
    }

    void print(String fault) {
      List<Asked> during = during();
      System.out.printf(
          "%s for %d ms: %d decisions meanwhile, %d of them local; p50 %d us, p99 %d us, max %d us;"
              + " Redis decides %d ms after it is back; threads %d before, %d at most%n",
          fault,
          (endNanos - faultNanos) / 1_000_000,
          during.size(),
          during.stream().filter(asked -> asked.verdict().isDegraded()).count(),
          quantile(0.5).toNanos() / 1_000,
          quantile(0.99).toNanos() / 1_000,
          quantile(1).toNanos() / 1_000,
          untilDecided().toMillis(),
          threads.before(),
          threads.most());
    }
  }

  private static RedisCounterStore open(RedisServer server) {
    RedisCounterStore store = RedisCounterStore.open(server.uri(), RedisOptions.defaults());
    await().until(store::isReachable);
    return store;
  }

  private static Run run(
      ThreeModes modes, RedisServer server, Consumer<RedisServer> fault, Consumer<RedisServer> end)
      throws Exception {
    Queue<Asked> answered = new ConcurrentLinkedQueue<>();
    ExecutorService asking = Executors.newSingleThreadExecutor();
    try {
      // Code that has not run yet would be measured else.
      Load.steadily(PER_SECOND, BEFORE, () -> ask(modes, new ConcurrentLinkedQueue<>(), "warm"));
      Future<Long> load =
          asking.submit(
              () ->
                  Load.steadily(
                      PER_SECOND,
                      BEFORE.plus(FAULT).plus(AFTER),
                      () -> ask(modes, answered, USER)));
      TimeUnit.MILLISECONDS.sleep(BEFORE.toMillis());
      ThreadCount threads = new ThreadCount();
      fault.accept(server);
      long faultNanos = System.nanoTime();
      while (System.nanoTime() - faultNanos < FAULT.toNanos()) {
        TimeUnit.MILLISECONDS.sleep(10);
        threads.look();
      }
      long endNanos = System.nanoTime();
      end.accept(server);
      long backNanos = System.nanoTime();
      long count = load.get();
      await().until(() -> answered.size() == count);
      long ambiguous =
          modes.failures().stream().filter(failure -> !failure.kind().isWithoutEffect()).count();
      return new Run(
          new ArrayList<>(answered), faultNanos, endNanos, backNanos, ambiguous, threads);
    } finally {
      asking.shutdownNow();
    }
  }

  private static void ask(ThreeModes modes, Queue<Asked> answered, String user) {
    long at = System.nanoTime();
    Object unused =
        modes
            .ask(FailureMode.LOCAL, user)
            .thenAccept(verdict -> answered.add(new Asked(at, System.nanoTime() - at, verdict)));
  }

  /** How many permits Redis has counted, without this one. */
  private static long counted(ThreeModes modes) {
    Verdict last = modes.check(FailureMode.LOCAL, USER);
    assertThat(last.isDegraded()).isFalse();
    LimitStatus status = Objects.requireNonNull(last.decisive());
    return status.limit().capacity() - status.remaining() - 1;
  }

  private static ThreeModes modes(RedisCounterStore store, Path folder) {
    return new ThreeModes(
        store, "4000000/30d fixed_window align first_request", folder.resolve("events.jsonl"));
  }

  private static void assertThatTheModeWasFollowed(Run run) {
    assertThat(run.during())
        .hasSizeGreaterThan((int) (FAULT.toSeconds() * PER_SECOND / 2))
        .allMatch(asked -> asked.verdict().isDegraded() && asked.verdict().isAllowed());
    // Netty starts some when connections are opened anew, a few for all times.
    assertThat(run.threads().most()).isLessThanOrEqualTo(run.threads().before() + 6);
  }

  @Test
  @DisplayName("a frozen Redis slows nobody down, and counts nothing late (T48, T51)")
  void frozen(@TempDir Path folder) throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisCounterStore store = open(server);
        ThreeModes modes = modes(store, folder)) {
      Run run = run(modes, server, RedisServer::pause, RedisServer::resume);
      long counted = counted(modes);
      run.print("frozen");
      System.out.printf(
          "frozen: Redis counted %d, allowed %d, and %d without an answer%n",
          counted, run.allowedByRedis(), run.ambiguous());

      assertThatTheModeWasFollowed(run);
      assertThat(counted).isBetween(run.allowedByRedis(), run.allowedByRedis() + run.ambiguous());
      assertThat(run.quantile(0.99)).isLessThan(Duration.ofMillis(50));
      assertThat(run.quantile(1)).isLessThan(Duration.ofMillis(500));
      assertThat(run.untilDecided()).isLessThan(Duration.ofSeconds(3));
    }
  }

  @Test
  @DisplayName("a killed Redis slows nobody down (T47)")
  void killed(@TempDir Path folder) throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisCounterStore store = open(server);
        ThreeModes modes = modes(store, folder)) {
      Run run = run(modes, server, RedisServer::kill, RedisServer::restartEmpty);
      run.print("killed");

      assertThatTheModeWasFollowed(run);
      assertThat(run.quantile(0.99)).isLessThan(Duration.ofMillis(20));
      assertThat(run.quantile(1)).isLessThan(Duration.ofMillis(500));
      assertThat(run.untilDecided()).isLessThan(Duration.ofSeconds(3));
    }
  }
}
