package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.testkit.redis.RedisConfig;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Masters that die or freeze under load while sentinels watch. The system property {@code
 * weir.redis.sentinel.kills} says how many die, 10 unless given. Each test has servers of its own
 * and mostly waits for them, so they run beside each other.
 */
@Tag("long")
class SentinelFaultsIT {
  private static final int KILLS = Integer.getInteger("weir.redis.sentinel.kills", 10);
  private static final int PER_SECOND = 500;
  private static final int PER_SECOND_AT_DEATH = 2_000;
  private static final String LIMIT = "1000000/30d fixed_window align first_request";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** After which a fenced master that hears of no replica refuses. */
  private static final Duration LAG_LIMIT = Duration.ofSeconds(1);

  private final ScheduledExecutorService aside = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void end() {
    aside.shutdownNow();
  }

  private static RedisCounterStore open(String uri) {
    RedisCounterStore store = RedisCounterStore.open(uri, RedisOptions.defaults());
    await().until(store::isReachable);
    return store;
  }

  private static List<Load.Answer> allowedAfter(List<Load.Answer> all, long nanos) {
    return all.stream()
        .filter(answer -> answer.isAllowed() && answer.atNanos() - nanos >= 0)
        .toList();
  }

  private static long used(Load.Answer answer) {
    return answer.decision() == null
        ? 0
        : answer.decision().limit() - answer.decision().remaining();
  }

  private static Map<String, Long> failures(List<Load.Answer> all) {
    return all.stream()
        .filter(answer -> answer.failure() != null)
        .collect(
            Collectors.groupingBy(answer -> String.valueOf(answer.kind()), Collectors.counting()));
  }

  private static List<String> sayings(RedisSentinels redis) {
    return redis.sentinels().stream()
        .map(
            sentinel -> {
              try (RespClient client = sentinel.client()) {
                return client.list("SENTINEL", "MASTER", RedisSentinels.MASTER_NAME)
                    + client.text("INFO", "sentinel");
              }
            })
        .toList();
  }

  /**
   * The death of a master.
   *
   * @param without how long no decision came from Redis
   * @param lost how many counts its replica had not heard of
   */
  private record Death(Duration without, long lost) {}

  private Death kill(RedisServer master, Load load) throws Exception {
    Future<Long> killed =
        aside.schedule(
            () -> {
              master.kill();
              return System.nanoTime();
            },
            1,
            TimeUnit.SECONDS);
    long start = System.nanoTime();
    List<Load.Answer> all = load.run(PER_SECOND_AT_DEATH, Duration.ofSeconds(2));
    long at = killed.get();
    while (allowedAfter(all, at).isEmpty() && System.nanoTime() - start < PATIENCE.toNanos()) {
      all = load.run(PER_SECOND_AT_DEATH, Duration.ofMillis(200));
    }
    List<Load.Answer> after = allowedAfter(all, at);
    assertThat(after)
        .as("decisions after the death; failures before %s", failures(all))
        .isNotEmpty();
    long first = after.stream().mapToLong(Load.Answer::atNanos).min().orElseThrow();
    long most =
        all.stream()
            .filter(answer -> answer.atNanos() - at < 0)
            .mapToLong(SentinelFaultsIT::used)
            .max()
            .orElseThrow();
    long least = after.stream().mapToLong(SentinelFaultsIT::used).min().orElseThrow();
    Death death = new Death(Duration.ofNanos(first - at), Math.max(0, most - (least - 1)));
    System.out.printf(
        "master killed: Redis decides again after %d ms; of %d counts %d lost; failures %s%n",
        death.without.toMillis(), most, death.lost, failures(all));
    return death;
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("after the death of a master the next one decides, and few counts are lost (T59)")
  void masterIsKilled() throws Exception {
    try (RedisSentinels redis = RedisSentinels.start(2, RedisConfig.plain().fenced());
        RedisCounterStore store = open(redis.uri())) {
      List<Death> deaths = new ArrayList<>();
      for (int i = 0; i < KILLS; i++) {
        Load load = new Load(store, LIMIT, "round" + i);
        await().ignoreExceptions().until(() -> load.once().allowed());
        RedisServer master = redis.master();
        try {
          deaths.add(kill(master, load));
        } catch (AssertionError none) {
          throw new AssertionError(
              "master was %s; sentinels say %s".formatted(master, sayings(redis)), none);
        }
        if (i < KILLS - 1) {
          redis.awaitFailover(master);
          redis.rejoin(master);
        }
      }
      System.out.printf(
          "%d masters killed: at most %d ms without Redis, at most %d counts lost%n",
          KILLS,
          deaths.stream().mapToLong(death -> death.without.toMillis()).max().orElseThrow(),
          deaths.stream().mapToLong(Death::lost).max().orElseThrow());

      assertThat(deaths).allMatch(death -> death.without.compareTo(Duration.ofSeconds(15)) < 0);
      // A replica lags by far less than half a second.
      assertThat(deaths).allMatch(death -> death.lost < PER_SECOND_AT_DEATH / 2);
    }
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @ValueSource(ints = {2, 0})
  @DisplayName("a sentinel that is frozen keeps nobody from the next master (T53, T59)")
  void aSentinelIsFrozen(int which) throws Exception {
    try (RedisSentinels redis = RedisSentinels.start(2, RedisConfig.plain().fenced());
        RedisCounterStore store = open(redis.uri())) {
      Load load = new Load(store, LIMIT, "k");
      await().ignoreExceptions().until(() -> load.once().allowed());
      RedisServer master = redis.master();
      redis.sentinels().get(which).pause();
      Future<RedisServer> next =
          aside.schedule(() -> redis.awaitFailover(master), 2, TimeUnit.SECONDS);
      Death death;
      try {
        death = kill(master, load);
      } finally {
        System.out.printf("sentinel %d frozen: the others have %s%n", which, next.get());
      }

      assertThat(death.without).isLessThan(Duration.ofSeconds(15));
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("a fenced master that was frozen decides nothing when it goes on (T59)")
  void aZombieDecidesNothing() throws Exception {
    try (RedisSentinels redis = RedisSentinels.start(2, RedisConfig.plain().fenced())) {
      RedisServer old = redis.master();
      try (RedisCounterStore store = open(redis.uri());
          RedisCounterStore direct = open(old.uri())) {
        Load onZombie = new Load(direct, LIMIT, "zombie");
        await().ignoreExceptions().until(() -> onZombie.once().allowed());
        Future<Long> frozen =
            aside.schedule(
                () -> {
                  old.pause();
                  return System.nanoTime();
                },
                1,
                TimeUnit.SECONDS);
        assertThat(onZombie.run(PER_SECOND, Duration.ofSeconds(2)))
            .filteredOn(Load.Answer::isAllowed)
            .isNotEmpty();
        redis.awaitFailover(old);
        Load elsewhere = new Load(store, LIMIT, "zombie");
        await().atMost(PATIENCE).ignoreExceptions().until(() -> elsewhere.once().allowed());
        Future<Long> thawed =
            aside.schedule(
                () -> {
                  long before = System.nanoTime();
                  old.resume();
                  return before;
                },
                200,
                TimeUnit.MILLISECONDS);
        List<Load.Answer> all = onZombie.run(PER_SECOND, Duration.ofSeconds(4));
        long limit = frozen.get() + LAG_LIMIT.toNanos();
        long since = thawed.get();
        List<Load.Answer> sinceThawed =
            all.stream().filter(answer -> answer.atNanos() - since >= 0).toList();
        System.out.printf(
            "zombie: frozen for %d ms; %d decisions before, %d since its lag limit;"
                + " of %d requests since it goes on %s%n",
            (since - frozen.get()) / 1_000_000,
            all.stream().filter(Load.Answer::isAllowed).count(),
            allowedAfter(all, limit).size(),
            sinceThawed.size(),
            failures(sinceThawed));

        assertThat(allowedAfter(all, limit)).isEmpty();
        // It was asked, and has refused.
        assertThat(sinceThawed)
            .extracting(Load.Answer::kind)
            .contains(RedisStoreException.Kind.TRANSIENT);
        await().ignoreExceptions().until(() -> elsewhere.once().allowed());
      }
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("replicas are never asked (T60)")
  void replicasAreNeverAsked() throws Exception {
    try (RedisSentinels redis = RedisSentinels.start(2);
        RedisCounterStore store = open(redis.uri())) {
      RedisServer master = redis.master();
      List<RedisServer> replicas =
          redis.servers().stream().filter(server -> server != master).toList();
      long allowed =
          new Load(store, LIMIT, "k")
              .run(PER_SECOND, Duration.ofSeconds(2)).stream()
                  .filter(Load.Answer::isAllowed)
                  .count();
      assertThat(allowed).isPositive();
      for (RedisServer replica : replicas) {
        try (RespClient admin = replica.client()) {
          List<String> commands =
              admin
                  .text("INFO", "commandstats")
                  .lines()
                  .filter(line -> line.startsWith("cmdstat_"))
                  .map(line -> line.substring("cmdstat_".length(), line.indexOf(',')))
                  .toList();
          System.out.printf("replica, of %d decisions: %s%n", allowed, commands);

          // What the script wrote comes from the master.
          assertThat(commands).anyMatch(command -> command.startsWith("set:"));
          assertThat(commands).noneMatch(command -> command.matches("(eval|get|mget|getrange).*"));
          assertThat(admin.text("CLIENT", "LIST")).doesNotContain(" name=weir ");
        }
      }
    }
  }
}
