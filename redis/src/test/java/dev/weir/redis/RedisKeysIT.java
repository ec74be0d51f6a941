package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Penalty;
import dev.weir.PenaltyCounter;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the store leaves on a server, and what a decision costs there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisKeysIT {
  private static final Duration SLACK = Duration.ofSeconds(60);

  /** Of which the name of 41 characters takes 53, and its place in the table 24. */
  private static final long MOST_BYTES = 96;

  private final RedisServer server = RedisServer.start();
  private final RespClient admin = server.client();
  private final RedisCounterStore store =
      RedisCounterStore.open(
          server.uri(),
          RedisOptions.defaults()
              .withCommandTimeout(Duration.ofSeconds(30))
              .withConnectTimeout(Duration.ofSeconds(30)));

  @BeforeAll
  void connect() {
    await().until(store::isReachable);
  }

  @BeforeEach
  void forgetAll() {
    admin.call("FLUSHALL");
  }

  @AfterAll
  void close() {
    store.close();
    admin.close();
    server.close();
  }

  private Decision decide(Operation operation) throws Exception {
    return store.apply(operation).toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static Operation.Acquire acquire(String name, String key, String limit) {
    return new Operation.Acquire(List.of(new Counter(name, key, Limit.parse(limit))), 1);
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    String cursor = "0";
    do {
      List<?> page = admin.list("SCAN", cursor, "COUNT", "1000");
      cursor = String.valueOf(page.get(0));
      ((List<?>) page.get(1)).forEach(key -> keys.add(String.valueOf(key)));
    } while (!cursor.equals("0"));
    return keys;
  }

  /** Without the store's marker, which may be there or not yet again. */
  private List<String> counters() {
    List<String> keys = keys();
    keys.removeIf(key -> key.startsWith("ratelimit:{weir}#"));
    return keys;
  }

  @ParameterizedTest
  @MethodSource("longest")
  @DisplayName("every key expires: at the latest a minute after two windows (T57)")
  void everyKeyExpires(Duration longest) throws Exception {
    Workload workload = new Workload(longest.toMillis(), 200, longest);
    List<CompletableFuture<Decision>> answers = new ArrayList<>();
    for (int i = 0; i < (TestLevel.isLong() ? 20_000 : 4_000); i++) {
      answers.add(store.apply(workload.next()).toCompletableFuture());
      if (i % 200 == 199) {
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
            .get(60, TimeUnit.SECONDS);
        answers.clear();
      }
    }
    long most = longest.multipliedBy(2).plus(SLACK).toMillis();
    List<String> keys = keys();

    assertThat(keys).hasSizeGreaterThan(200);
    for (String key : keys) {
      // -2 if it has expired since.
      assertThat(admin.number("PTTL", key)).as(key).isNotEqualTo(-1).isLessThanOrEqualTo(most);
    }
  }

  static List<Duration> longest() {
    return List.of(Duration.ofSeconds(1), Duration.ofDays(30));
  }

  @ParameterizedTest
  @MethodSource("limits")
  @DisplayName("a key lives as long as it counts, and half a minute to a minute more (T57)")
  void aKeyLivesAsLongAsItCounts(String limit, Duration atLeast, Duration atMost) throws Exception {
    for (int i = 0; i < 10; i++) {
      assertThat(decide(acquire("n", "k", limit)).allowed()).isTrue();
    }
    for (String key : counters()) {
      assertThat(admin.number("PTTL", key))
          .as(key)
          // The machine may be slow between the writing and the look.
          .isBetween(
              atLeast.plus(SLACK).minusSeconds(50).toMillis(), atMost.plus(SLACK).toMillis());
    }
  }

  static List<Arguments> limits() {
    Duration hour = Duration.ofHours(1);
    Duration none = Duration.ZERO;
    return List.of(
        Arguments.of("10/h", hour, hour),
        Arguments.of("20/h", Duration.ofMinutes(30), Duration.ofMinutes(30)),
        Arguments.of("10/h fixed_window", none, hour),
        Arguments.of("10/h sliding_window", hour, hour.multipliedBy(2)),
        Arguments.of("10/h sliding_log", hour, hour));
  }

  @ParameterizedTest
  @MethodSource("odd")
  @DisplayName("no text in a key or a name means anything to Redis (T62, T18)")
  void oddTextsMeanNothing(String odd) throws Exception {
    admin.call("SET", "foreign", "untouched");
    Operation of = acquire(odd, odd, "10/30d fixed_window");
    Operation log = acquire(odd + "2", odd, "10/30d sliding_log");
    for (int i = 9; i >= 0; i--) {
      assertThat(decide(of).remaining()).isEqualTo(i);
      assertThat(decide(log).remaining()).isEqualTo(i);
    }
    List<String> keys = counters();
    keys.remove("foreign");

    assertThat(decide(of).allowed()).isFalse();
    assertThat(admin.call("GET", "foreign")).isEqualTo("untouched");
    assertThat(keys)
        .hasSize(3)
        .allMatch(key -> key.startsWith("ratelimit:{") && key.length() < 200)
        .extracting(KeyNamesTest::slot)
        .containsOnly(KeyNamesTest.slot(keys.get(0)));
  }

  static List<String> odd() {
    return List.of(
        "\"); redis.call('FLUSHALL')--",
        "'] redis.call('FLUSHALL') --[[",
        "{x}1",
        "}{",
        "{}",
        "",
        "a\r\nFLUSHALL\r\n",
        "*1\r\n$8\r\nFLUSHALL\r\n",
        "\u0000",
        "\ud83d\ude00 ü",
        "foreign",
        "k".repeat(1 << 20));
  }

  @Test
  void anOrdinaryKeyTakesLittleMemory() throws Exception {
    decide(acquire("endpoint:chat", "user:alice-1234", "100/m"));
    String key = "ratelimit:{user:alice-1234}:endpoint:chat";
    long bytes = admin.number("MEMORY", "USAGE", key);
    System.out.printf(
        "a token bucket takes %d bytes: a name of %d, a value of %d, encoded as %s%n",
        bytes, key.length(), admin.number("STRLEN", key), admin.text("OBJECT", "ENCODING", key));

    assertThat(counters()).containsExactly(key);
    assertThat(bytes).isLessThanOrEqualTo(MOST_BYTES);
  }

  @Test
  @DisplayName("three limits of a client and a penalty cost one call")
  void aDecisionIsOneCall() throws Exception {
    String key = "user:alice-1234";
    Operation operation =
        new Operation.Acquire(
            List.of(
                new Counter("second", key, Limit.parse("10/s")),
                new Counter("hour", key, Limit.parse("1000/h sliding_window")),
                new Counter("month", key, Limit.parse("100000/month fixed_window"))),
            List.of(
                new PenaltyCounter(
                    "abuse", key, new Penalty(Duration.ofMinutes(10), 3, List.of(1, 2, 4)))),
            1);
    assertThat(decide(operation).allowed()).isTrue();
    admin.call("CONFIG", "RESETSTAT");
    assertThat(decide(operation).allowed()).isTrue();
    String statistics = admin.text("INFO", "commandstats");
    System.out.println(statistics.strip());

    // The others are what the script does on the server, and what this test asks.
    assertThat(statistics.lines())
        .filteredOn(line -> line.startsWith("cmdstat_eval"))
        .singleElement()
        .asString()
        .startsWith("cmdstat_evalsha:calls=1,");
    assertThat(statistics).doesNotContain("cmdstat_script", "cmdstat_ping");
  }
}
