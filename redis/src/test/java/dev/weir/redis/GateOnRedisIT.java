package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a gate makes of a Redis that fails: each request is decided as its rule says. */
class GateOnRedisIT {
  static final String LIMIT = "10/30d fixed_window align first_request";

  /** One of four instances grants a quarter of the limit, rounded up. */
  private static final int SHARE = 3;

  /** So that only a fault times out that is about time. */
  private static final Duration PATIENT = Duration.ofSeconds(30);

  private static final int USERS = 20;
  private static final int EACH = 10;
  static final int ASKED = FailureMode.values().length * USERS * EACH;

  /**
   * What can be wrong with a server, and how it is put right.
   *
   * @param kinds what requests then fail with
   * @param message what one of the failures says at least
   * @param timeout how long decisions are waited for
   */
  record Fault(
      String name,
      Set<Kind> kinds,
      String message,
      Duration timeout,
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
            PATIENT,
            RedisServer::kill,
            RedisServer::restartEmpty),
        new Fault(
            "frozen",
            Set.of(Kind.TIMEOUT, Kind.UNREACHABLE, Kind.NOT_ASKED),
            "no answer within ",
            Duration.ofMillis(250),
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
        error,
        Set.of(kind),
        error,
        PATIENT,
        server -> tell(server, begin),
        server -> tell(server, end));
  }

  private static void tell(RedisServer server, List<String> command) {
    try (RespClient admin = server.client()) {
      admin.call(command.toArray(String[]::new));
    }
  }

  private static RedisCounterStore open(String uri, Duration timeout) {
    RedisOptions options = RedisOptions.defaults().withCommandTimeout(timeout);
    RedisCounterStore store = RedisCounterStore.open(uri, options);
    await().until(store::isReachable);
    return store;
  }

  /** Asks for each user and each mode in turn. */
  private static List<Verdict> askAll(ThreeModes modes) {
    return IntStream.range(0, ASKED).mapToObj(i -> ask(modes, i)).toList();
  }

  /** One request of a round through all modes and users. */
  static Verdict ask(ThreeModes modes, int i) {
    FailureMode[] all = FailureMode.values();
    return modes.check(all[i % all.length], "user" + i / all.length % USERS);
  }

  static void assertThatAllFollowTheirMode(List<Verdict> verdicts) {
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
  static void assertThatEachWasAnEvent(Path file, List<RedisStoreException> failures)
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

  private static boolean isDecidedByRedis(Verdict verdict) {
    LimitStatus status = verdict.decisive();
    return !verdict.isDegraded() && status != null && status.remaining() == 9;
  }

  @ParameterizedTest
  @MethodSource("faults")
  @DisplayName("every decision follows the mode of its rule until Redis is back (T47, T48, T56)")
  void followsTheModeUntilRedisIsBack(Fault fault, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("events.jsonl");
    List<RedisStoreException> failures;
    try (RedisServer server = RedisServer.start();
        RedisCounterStore store = open(server.uri(), fault.timeout);
        ThreeModes modes = new ThreeModes(store, LIMIT, file)) {
      for (FailureMode mode : FailureMode.values()) {
        await().until(() -> !modes.check(mode, "before").isDegraded());
      }
      int before = modes.failures().size();
      fault.begin.accept(server);
      List<Verdict> verdicts = askAll(modes);
      // Some faults are known by their name only after another attempt to connect.
      await()
          .until(
              () -> {
                assertThat(modes.check(FailureMode.OPEN, "meanwhile").isDegraded()).isTrue();
                return modes.failures().stream()
                    .anyMatch(
                        failure -> String.valueOf(failure.getMessage()).contains(fault.message));
              });
      failures = modes.failures();
      fault.end.accept(server);

      assertThatAllFollowTheirMode(verdicts);
      assertThat(failures.subList(before, failures.size()))
          .hasSizeGreaterThan(ASKED)
          .allMatch(failure -> fault.kinds.contains(failure.kind()));
      AtomicInteger users = new AtomicInteger();
      await()
          .until(
              () ->
                  isDecidedByRedis(
                      modes.check(FailureMode.CLOSED, "later" + users.incrementAndGet())));
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
        RedisCounterStore store = open(fake.uri(), PATIENT);
        ThreeModes modes = new ThreeModes(store, LIMIT, file)) {
      assertThatAllFollowTheirMode(askAll(modes));
      failures = modes.failures();
      assertThat(failures)
          .hasSize(ASKED)
          .allMatch(failure -> failure.kind() == kind)
          .allSatisfy(failure -> assertThat(failure).hasMessageEndingWith(error));
    }
    assertThatEachWasAnEvent(file, failures);
  }
}
