package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.redis.RedisStoreException.Kind;
import dev.weir.testkit.redis.FakeRedis;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import dev.weir.testkit.redis.RespReply;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that answers with errors (T56). */
class RedisErrorsIT {
  private static final Operation ONE =
      new Operation.Acquire(List.of(new Counter("n", "k", Limit.perSecond(1))), 1);

  /**
   * What the script answers to a batch of nothing: an array, then the time. The header is one of
   * those that are UTF-8 as well, which is all that the fake can say; nobody reads the length.
   */
  static final String NOTHING_DONE = RespReply.bulk("\u0700\u0000\u0001\u0000");

  private static RedisCounterStore open(String uri) {
    // No test is about slowness, and the machine may be busy.
    return RedisCounterStore.open(
        uri,
        RedisOptions.defaults()
            .withCommandTimeout(Duration.ofSeconds(30))
            .withConnectTimeout(Duration.ofSeconds(30))
            .withoutRemembering());
  }

  static boolean runsScript(List<String> command) {
    return command.get(0).toUpperCase(Locale.ROOT).startsWith("EVAL");
  }

  /** Answers what the store asks when it connects, and each operation with an error. */
  static @Nullable String errorForOperations(List<String> command, String error) {
    if (!runsScript(command)) {
      return null;
    }
    return command.get(2).equals("0") ? NOTHING_DONE : RespReply.error(error);
  }

  private static RedisStoreException failureOf(RedisCounterStore store) throws Exception {
    return Failures.of(store, ONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TRANSIENT     | LOADING Redis is loading the dataset in memory
          TRANSIENT     | BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.
          TRANSIENT     | READONLY You can't write against a read only replica.
          TRANSIENT     | MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.
          TRANSIENT     | CLUSTERDOWN The cluster is down
          TRANSIENT     | TRYAGAIN Multiple keys request during rehashing of slot
          TRANSIENT     | NOREPLICAS Not enough good replicas to write.
          TRANSIENT     | EXECABORT Transaction discarded because of previous errors.
          CAPACITY      | OOM command not allowed when used memory > 'maxmemory'.
          CAPACITY      | MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.
          CAPACITY      | ERR max number of clients reached
          CONFIGURATION | NOAUTH Authentication required.
          CONFIGURATION | WRONGPASS invalid username-password pair or user is disabled.
          CONFIGURATION | NOPERM this user has no permissions to run the 'evalsha' command
          """)
  void saysWhatTheErrorOfAnOperationMeans(Kind kind, String error) throws Exception {
    try (FakeRedis fake = FakeRedis.start(command -> errorForOperations(command, error));
        RedisCounterStore store = open(fake.uri())) {
      await().until(store::isReachable);
      RedisStoreException failure = failureOf(store);

      assertThat(failure.kind()).isEqualTo(kind);
      assertThat(failure.kind().isWithoutEffect()).isTrue();
      assertThat(failure).hasMessage("Redis at 127.0.0.1:%d: %s", fake.port(), error);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TRANSIENT     | LOADING Redis is loading the dataset in memory
          CONFIGURATION | NOAUTH Authentication required.
          CONFIGURATION | NOPERM this user has no permissions to run the 'evalsha' command
          """)
  void saysWhatIsWrongWithAServerThatNeverWorked(Kind kind, String error) throws Exception {
    try (FakeRedis fake =
            FakeRedis.start(command -> runsScript(command) ? RespReply.error(error) : null);
        RedisCounterStore store = open(fake.uri())) {
      await().untilAsserted(() -> assertThat(failureOf(store).kind()).isEqualTo(kind));

      assertThat(store.isReachable()).isFalse();
      assertThat(failureOf(store)).hasMessage("Redis at 127.0.0.1:%d: %s", fake.port(), error);

      fake.script(command -> errorForOperations(command, "OOM too much"));
      await().until(store::isReachable);
      assertThat(failureOf(store).kind()).isEqualTo(Kind.CAPACITY);
    }
  }

  @Test
  @DisplayName("a server with too many clients is full, and asked again")
  void saysThatThereAreTooManyClients() throws Exception {
    try (FakeRedis fake = FakeRedis.start(command -> errorForOperations(command, "OOM too much"))) {
      fake.refuseConnections(RespReply.error("ERR max number of clients reached"));
      try (RedisCounterStore store = open(fake.uri())) {
        await().untilAsserted(() -> assertThat(failureOf(store).kind()).isEqualTo(Kind.CAPACITY));
        assertThat(failureOf(store))
            .hasMessage("Redis at 127.0.0.1:%d: ERR max number of clients reached", fake.port());

        fake.acceptConnections();
        await().until(store::isReachable);
      }
    }
  }

  @Test
  void saysThatConnectionsAreRefused() throws Exception {
    FakeRedis fake = FakeRedis.start(command -> null);
    fake.close();
    try (RedisCounterStore store = open(fake.uri())) {
      await().untilAsserted(() -> assertThat(failureOf(store).kind()).isEqualTo(Kind.UNREACHABLE));

      assertThat(failureOf(store))
          .hasMessageStartingWith("Redis at 127.0.0.1:%d: cannot connect: ", fake.port())
          .hasMessageContaining("refused");
    }
  }

  @Test
  void saysThatAnAnswerCannotBeRead() throws Exception {
    try (FakeRedis fake =
            FakeRedis.start(
                command ->
                    !runsScript(command)
                        ? null
                        : command.get(2).equals("0") ? NOTHING_DONE : RespReply.bulk("what?"));
        RedisCounterStore store = open(fake.uri())) {
      await().until(store::isReachable);
      RedisStoreException failure = failureOf(store);

      assertThat(failure.kind()).isEqualTo(Kind.BROKEN_ANSWER);
      assertThat(failure)
          .hasMessage("Redis at 127.0.0.1:%d: the answer cannot be read", fake.port());
    }
  }

  @Test
  @DisplayName("a master that was demoted and keeps its connections is left (T53)")
  void leavesADemotedMaster() throws Exception {
    try (FakeRedis fake =
            FakeRedis.start(command -> errorForOperations(command, "READONLY a replica."));
        RedisCounterStore store = open(fake.uri())) {
      await().until(store::isReachable);
      assertThat(fake.connections()).isEqualTo(1);
      RedisStoreException failure = failureOf(store);

      assertThat(failure.kind()).isEqualTo(Kind.TRANSIENT);
      await().until(() -> fake.connections() == 2 && store.isReachable());
    }
  }

  @Test
  @DisplayName("other errors keep the connection")
  void keepsTheConnectionForOtherErrors() throws Exception {
    try (FakeRedis fake = FakeRedis.start(command -> errorForOperations(command, "OOM too much"));
        RedisCounterStore store = open(fake.uri())) {
      await().until(store::isReachable);
      for (int i = 0; i < 100; i++) {
        assertThat(failureOf(store).kind()).isEqualTo(Kind.CAPACITY);
      }

      assertThat(store.isReachable()).isTrue();
      assertThat(fake.connections()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a real server that becomes a replica, and the master again (T53)")
  void comesBackToARealMaster() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisServer other = RedisServer.start();
        RedisCounterStore store = open(server.uri());
        RespClient admin = server.client()) {
      await().until(store::isReachable);
      admin.call("REPLICAOF", other.host(), String.valueOf(other.port()));
      await()
          .untilAsserted(
              () -> {
                RedisStoreException failure = failureOf(store);
                assertThat(failure.kind()).isEqualTo(Kind.TRANSIENT);
                assertThat(failure).hasMessageContaining("READONLY");
              });
      admin.call("REPLICAOF", "NO", "ONE");
      await()
          .ignoreExceptions()
          .until(() -> store.apply(ONE).toCompletableFuture().get(60, TimeUnit.SECONDS).allowed());
    }
  }
}
