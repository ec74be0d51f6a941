package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.LimitStatus;
import dev.weir.policy.Cause;
import dev.weir.policy.FailureMode;
import dev.weir.policy.Outcome;
import dev.weir.policy.Verdict;
import dev.weir.redis.RedisStoreException.Kind;
import dev.weir.testkit.redis.FakeRedis;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a gate makes of a Redis that fails: each request is decided as its rule says. */
class GateOnRedisIT {
  private static final String LIMIT = "10/30d fixed_window align first_request";

  /** One of four instances grants a quarter of the limit, rounded up. */
  private static final int SHARE = 3;

  private static final int USERS = 20;
  private static final int EACH = 10;
  private static final int ASKED = FailureMode.values().length * USERS * EACH;

  /** Lettuce starts some when it connects anew, a few for all times. */
  private static final int MORE_THREADS = 6;

  /**
   * What can be wrong with a server, and how it is put right.
   *
   * @param kinds what requests then fail with
   * @param message what one of the failures says at least
   */
  private record Fault(
      String name,
      Set<Kind> kinds,
      String message,
      Consumer<RedisServer> begin,
      Consumer<RedisServer> end) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Fault> faults() {
    return List.of(
        new Fault(
            "killed",
            Set.of(Kind.LOST, Kind.UNREACHABLE, Kind.NOT_ASKED),
            "Connection refused",
            RedisServer::kill,
            RedisServer::restartEmpty),
        new Fault(
            "frozen",
            Set.of(Kind.TIMEOUT, Kind.UNREACHABLE, Kind.NOT_ASKED),
            "no answer within 250 ms",
            RedisServer::pause,
            RedisServer::resume),
        refusal(
            Kind.CAPACITY,
            "OOM",
            List.of("CONFIG", "SET", "maxmemory", "1"),
            List.of("CONFIG", "SET", "maxmemory", "0")),
        refusal(
            Kind.CONFIGURATION,
            "NOPERM",
            List.of("ACL", "SETUSER", "default", "-evalsha"),
            List.of("ACL", "SETUSER", "default", "+evalsha")),
        refusal(
            Kind.TRANSIENT,
            "NOREPLICAS",
            List.of("CONFIG", "SET", "min-replicas-to-write", "1"),
            List.of("CONFIG", "SET", "min-replicas-to-write", "0")));
  }

  private static Fault refusal(Kind kind, String error, List<String> begin, List<String> end) {
    return new Fault(
        error, Set.of(kind), error, server -> tell(server, begin), server -> tell(server, end));
  }

  private static void tell(RedisServer server, List<String> command) {
    try (RespClient admin = server.client()) {
      admin.call(command.toArray(String[]::new));
    }
  }

  private static RedisCounterStore open(String uri) {
    // Longer than the machine of a test stands still by itself, so that only faults time out.
    RedisOptions options = RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(250));
    RedisCounterStore store = RedisCounterStore.open(uri, options);
    await().until(store::isReachable);
    return store;
  }

  /** Asks for each user and each mode in turn, over a second. */
  private static List<Verdict> askAll(ThreeModes modes, ThreadCount threads)
      throws InterruptedException {
    List<Verdict> verdicts = new ArrayList<>();
    FailureMode[] all = FailureMode.values();
    AtomicInteger asked = new AtomicInteger();
    Load.steadily(
        ASKED,
        Duration.ofSeconds(1),
        () -> {
          int i = asked.getAndIncrement();
          verdicts.add(modes.check(all[i % all.length], "user" + i / all.length % USERS));
          threads.look();
        });
    return verdicts;
  }

  private static void assertThatAllFollowTheirMode(List<Verdict> verdicts) {
    assertThat(verdicts).hasSize(ASKED).allMatch(Verdict::isDegraded);
    assertThat(of(verdicts, FailureMode.OPEN))
        .hasSize(USERS * EACH)
        .allMatch(verdict -> verdict.isAllowed() && verdict.cause() == Cause.BACKEND_ERROR);
    assertThat(of(verdicts, FailureMode.CLOSED))
        .hasSize(USERS * EACH)
        .allMatch(
            verdict ->
                verdict.outcome() == Outcome.THROTTLED
                    && verdict.cause() == Cause.BACKEND_ERROR
                    && verdict.status() == 503);
    Map<String, Long> allowedOf =
        of(verdicts, FailureMode.LOCAL).stream()
            .filter(Verdict::isAllowed)
            .collect(
                Collectors.groupingBy(
                    verdict -> verdict.request().client().id(), Collectors.counting()));
    assertThat(allowedOf).hasSize(USERS).allSatisfy((id, n) -> assertThat(n).isEqualTo(SHARE));
  }

  private static List<Verdict> of(List<Verdict> verdicts, FailureMode mode) {
    return verdicts.stream().filter(verdict -> verdict.endpoint().equals(mode.toString())).toList();
  }

  /** Each failure is an event that names the error. */
  private static void assertThatEachWasAnEvent(Path file, List<RedisStoreException> failures)
      throws Exception {
    List<String> lines = Files.readAllLines(file);
    assertThat(lines)
        .hasSize(failures.size())
        .allMatch(line -> line.contains("\"event_type\": \"backend_error\""));
    for (RedisStoreException failure : failures) {
      String reason = String.valueOf(failure.getMessage()).replace("\"", "\\\"");
      assertThat(lines).anyMatch(line -> line.contains("\"reason\": \"" + reason + "\""));
    }
  }

  private static Map<Kind, Long> kinds(List<RedisStoreException> failures) {
    return failures.stream()
        .collect(Collectors.groupingBy(RedisStoreException::kind, Collectors.counting()));
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
    assertThat(verdict.decisive()).isNotNull().extracting(LimitStatus::remaining).isEqualTo(9L);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @ParameterizedTest
  @MethodSource("faults")
  @DisplayName("every decision follows the mode of its rule until Redis is back (T47, T48, T56)")
  void followsTheModeUntilRedisIsBack(Fault fault, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("events.jsonl");
    List<RedisStoreException> failures;
    try (RedisServer server = RedisServer.start();
        RedisCounterStore store = open(server.uri());
        ThreeModes modes = new ThreeModes(store, LIMIT, file)) {
      for (FailureMode mode : FailureMode.values()) {
        assertThat(modes.check(mode, "before").isDegraded()).isFalse();
      }
      ThreadCount threads = new ThreadCount();
      fault.begin.accept(server);
      List<Verdict> verdicts = askAll(modes, threads);
      failures = modes.failures();
      fault.end.accept(server);
      Duration back = untilRedisDecides(modes);
      System.out.printf(
          "%s: %d decisions, %d degraded; of %d each, open allowed %d, closed %d, local %d;"
              + " failures %s; threads %d before, %d at most; Redis decides %d ms after it is back%n",
          fault,
          verdicts.size(),
          verdicts.stream().filter(Verdict::isDegraded).count(),
          USERS * EACH,
          of(verdicts, FailureMode.OPEN).stream().filter(Verdict::isAllowed).count(),
          of(verdicts, FailureMode.CLOSED).stream().filter(Verdict::isAllowed).count(),
          of(verdicts, FailureMode.LOCAL).stream().filter(Verdict::isAllowed).count(),
          kinds(failures),
          threads.before(),
          threads.most(),
          back.toMillis());

      assertThatAllFollowTheirMode(verdicts);
      assertThat(failures)
          .hasSize(ASKED)
          .allMatch(failure -> fault.kinds.contains(failure.kind()))
          .anySatisfy(failure -> assertThat(failure).hasMessageContaining(fault.message));
      assertThat(threads.most()).isLessThanOrEqualTo(threads.before() + MORE_THREADS);
      assertThat(back).isLessThan(Duration.ofSeconds(3));
      failures = modes.failures();
    }
    assertThatEachWasAnEvent(file, failures);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CAPACITY      | OOM command not allowed when used memory > 'maxmemory'.
          CAPACITY      | MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.
          CONFIGURATION | NOAUTH Authentication required.
          TRANSIENT     | LOADING Redis is loading the dataset in memory
          TRANSIENT     | CLUSTERDOWN The cluster is down
          """)
  @DisplayName("every decision on a Redis that refuses with an error follows its mode (T47, T56)")
  void followsTheModeWhenRedisRefuses(Kind kind, String error, @TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("events.jsonl");
    List<RedisStoreException> failures;
    try (FakeRedis fake =
            FakeRedis.start(command -> RedisErrorsIT.errorForOperations(command, error));
        RedisCounterStore store = open(fake.uri());
        ThreeModes modes = new ThreeModes(store, LIMIT, file)) {
      ThreadCount threads = new ThreadCount();
      assertThatAllFollowTheirMode(askAll(modes, threads));
      failures = modes.failures();
      assertThat(failures)
          .hasSize(ASKED)
          .allMatch(failure -> failure.kind() == kind)
          .allSatisfy(failure -> assertThat(failure).hasMessageEndingWith(error));
      assertThat(threads.most()).isLessThanOrEqualTo(threads.before() + MORE_THREADS);
      System.out.printf(
          "%s: %d decisions by their modes; threads %d before, %d at most%n",
          error, ASKED, threads.before(), threads.most());
    }
    assertThatEachWasAnEvent(file, failures);
  }
}
