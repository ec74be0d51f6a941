package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Period;
import dev.weir.SlidingLog;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** How long the server works on sliding logs of the largest size, by its own clock. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlidingLogTimeIT {
  private static final int ENTRIES = (int) SlidingLog.MAX_PERMITS;
  private static final int CALLS = 1_000;
  private static final Duration MOST = Duration.ofMillis(20);

  private final RedisServer server = RedisServer.start();
  private final RespClient admin = server.client();
  private final RedisCounterStore store =
      RedisCounterStore.open(
          server.uri(), RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(5)));

  @BeforeAll
  void connect() {
    await().until(store::isReachable);
    admin.call("CONFIG", "SET", "latency-tracking-info-percentiles", "50 99 100");
  }

  @AfterAll
  void close() {
    store.close();
    admin.close();
    server.close();
  }

  private static List<Counter> log(String key, Duration period) {
    return List.of(
        new Counter("log", key, new SlidingLog(SlidingLog.MAX_PERMITS, Period.Span.of(period))));
  }

  /** Each time in a call of its own, so that each permit is an entry of its own. */
  private Decision ask(Operation operation, int times) throws Exception {
    Decision last = decide(operation);
    for (int i = 1; i < times; i++) {
      last = decide(operation);
    }
    return last;
  }

  private Decision decide(Operation operation) throws Exception {
    return store.apply(operation).toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  /** How long the server worked on the calls since the last look. */
  private Duration p99(String what) {
    String statistics = admin.text("INFO", "commandstats") + admin.text("INFO", "latencystats");
    System.out.printf(
        "sliding log of %d, %s: %s calls, script p50 %s us, p99 %s us, max %s us%n",
        ENTRIES,
        what,
        find(statistics, "cmdstat_evalsha:calls=(\\d+)"),
        find(statistics, "usec_evalsha:p50=([0-9.]+)"),
        find(statistics, "usec_evalsha:.*p99=([0-9.]+)"),
        find(statistics, "usec_evalsha:.*p100=([0-9.]+)"));
    forget();
    double micros = Double.parseDouble(find(statistics, "usec_evalsha:.*p99=([0-9.]+)"));
    return Duration.ofNanos((long) (1_000 * micros));
  }

  private static String find(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    assertThat(found.find()).as("%s in %s", pattern, text).isTrue();
    return found.group(1);
  }

  private void forget() {
    admin.call("CONFIG", "RESETSTAT");
  }

  @Test
  @DisplayName("a full log takes the server little time (T63)")
  void aFullLog() throws Exception {
    forget();
    List<Counter> log = log("full", Duration.ofHours(1));
    assertThat(ask(new Operation.Acquire(log, 1), ENTRIES).remaining()).isZero();
    assertThat(p99("filled")).isLessThan(MOST);
    assertThat(ask(new Operation.Acquire(log, 1), CALLS).allowed()).isFalse();
    assertThat(p99("full, refused")).isLessThan(MOST);
    assertThat(ask(new Operation.Refund(log, 1), CALLS).remaining()).isEqualTo(CALLS);
    assertThat(p99("full, given back")).isLessThan(MOST);
    assertThat(ask(new Operation.Acquire(log, 1), CALLS).remaining()).isZero();
    assertThat(p99("nearly full, allowed")).isLessThan(MOST);
  }

  @Test
  @DisplayName("a log whose entries end takes the server little time (T63)")
  void aLogThatEnds() throws Exception {
    long start = System.nanoTime();
    ask(new Operation.Acquire(log("measured", Duration.ofHours(1)), 1), CALLS);
    // Longer than the filling takes, so that the log is about full when its entries begin to end.
    long needed = (System.nanoTime() - start) / 1_000_000 * 12;
    Duration period = Duration.ofMillis(Math.min(20_000, needed));
    Operation acquire = new Operation.Acquire(log("ending", period), 1);
    Operation peek = new Operation.Peek(log("ending", period), 1);
    ask(acquire, ENTRIES - 1);
    long remaining = decide(acquire).remaining();
    await().atMost(Duration.ofMinutes(1)).until(() -> decide(peek).remaining() > remaining);
    forget();
    ask(acquire, CALLS);
    assertThat(p99("%d left, one ends and one begins".formatted(remaining))).isLessThan(MOST);
    await().atMost(Duration.ofMinutes(1)).until(() -> decide(peek).remaining() == ENTRIES);
    forget();
    assertThat(decide(acquire).remaining()).isEqualTo(ENTRIES - 1);
    assertThat(p99("all end at once")).isLessThan(MOST);
  }
}
