package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service with counters on Redis, which may be gone. */
class ServiceFaultsIT {
  private static final String CHECK = "{\"path\": \"/\", \"user\": \"alice\"}";

  @TempDir private Path folder = Path.of("");

  private TestServer server(RedisServer redis, String mode) {
    return new TestServer(
        fresh(),
        """
        [counters]
        backend = "redis"
        failure_mode = "%s"

        [redis]
        url = "%s"

        [default]
        limit = 5
        window = "1h"
        """
            .formatted(mode, redis.uri()));
  }

  /** A folder for one more server. */
  private Path fresh() {
    try {
      return Files.createTempDirectory(folder, "server");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void awaitState(TestServer server, String status) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.caller.get("/readyz").json().get("status").asText().equals(status));
  }

  private static void awaitCounters(TestServer server, String state) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                server
                    .caller
                    .get("/readyz")
                    .json()
                    .get("counters")
                    .get("state")
                    .asText()
                    .equals(state));
  }

  /** What is answered while Redis is frozen, which does not end before the answer is here. */
  JsonNode answer(TestServer server) {
    return server.caller.post("/v1/check", CHECK).json();
  }

  @Test
  void countsOnRedis() throws Exception {
    try (RedisServer redis = RedisServer.start();
        TestServer first = server(redis, "local");
        TestServer second = server(redis, "local")) {
      awaitState(first, "ready");
      awaitState(second, "ready");
      int allowed = 0;
      for (int i = 0; i < 10; i++) {
        TestServer one = i % 2 == 0 ? first : second;
        JsonNode answer = one.caller.post("/v1/check", CHECK).json();
        assertThat(answer.get("degraded").asBoolean()).isFalse();
        allowed += answer.get("allowed").asBoolean() ? 1 : 0;
      }
      assertThat(allowed).isEqualTo(5);
      assertThat(first.server.summary()).contains("counters in redis single");
      assertThat(first.caller.get("/v1/admin/counters/user:alice").json().get("counters"))
          .hasSize(1);
      second.caller.delete("/v1/admin/counters/user:alice");
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> first.caller.post("/v1/check", CHECK).json().get("allowed").asBoolean());
    }
  }

  @Test
  void withRedisFrozenItAnswersAndSaysWhatIsWrong() throws Exception {
    try (RedisServer redis = RedisServer.start();
        TestServer server = server(redis, "local")) {
      awaitState(server, "ready");
      redis.pause();
      try {
        for (int i = 0; i < 20; i++) {
          assertThat(answer(server).get("degraded").asBoolean()).isTrue();
        }
        awaitState(server, "degraded");
        awaitCounters(server, "unreachable");
        Caller.Reply ready = server.caller.get("/readyz");
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.json().get("counters").get("problems").toString())
            .contains("does not answer");
      } finally {
        redis.resume();
      }
      awaitState(server, "ready");
      assertThat(server.caller.post("/v1/check", CHECK).json().get("degraded").asBoolean())
          .isFalse();
    }
  }

  @Test
  void aServiceThatRefusesEverythingIsNotReady() throws Exception {
    try (RedisServer redis = RedisServer.start();
        TestServer server = server(redis, "closed")) {
      awaitState(server, "ready");
      redis.pause();
      try {
        JsonNode answer = server.caller.post("/v1/check", CHECK).json();
        assertThat(answer.get("allowed").asBoolean()).isFalse();
        assertThat(answer.get("reason").asText()).isEqualTo("backend_error");
        awaitState(server, "not ready");
        assertThat(server.caller.get("/readyz").status()).isEqualTo(503);
      } finally {
        redis.resume();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"closed, not ready, 503", "open, degraded, 200", "local, degraded, 200"})
  @DisplayName("T77: Redis that responds to pings and refuses every write is seen by decisions")
  void t77(String mode, String status, int code) throws Exception {
    try (RedisServer redis = RedisServer.start();
        TestServer server = server(redis, mode)) {
      awaitState(server, "ready");
      config(redis, "1");
      // Nobody has asked for a decision yet.
      awaitState(server, status);
      awaitCounters(server, "failing");
      assertThat(server.caller.get("/readyz").status()).isEqualTo(code);
      assertThat(server.caller.get("/readyz").body()).contains("refuses writes: NOREPLICAS");
      for (int i = 0; i < 3; i++) {
        assertThat(answer(server).get("degraded").asBoolean()).isTrue();
      }
      assertThat(server.caller.get("/readyz").status()).isEqualTo(code);

      // Nobody sends requests to an instance that is not ready; it finds out by itself.
      config(redis, "0");
      awaitState(server, "ready");
      assertThat(answer(server).get("degraded").asBoolean()).isFalse();
    }
  }

  /** Has the server refuse writes as long as it does not have so many replicas. */
  private static void config(RedisServer redis, String replicas) throws IOException {
    try (RespClient client = redis.client()) {
      client.call("CONFIG", "SET", "min-replicas-to-write", replicas);
    }
  }

  @Test
  @DisplayName("T83: one dead server of a ring degrades an instance that refuses without counters")
  void t83() throws Exception {
    try (RedisServer first = RedisServer.start();
        RedisServer second = RedisServer.start();
        TestServer server =
            new TestServer(
                fresh(),
                """
                [counters]
                backend = "redis"
                failure_mode = "closed"

                [redis]
                topology = "ring"
                nodes = ["%s:%d", "%s:%d"]
                """
                    .formatted(first.host(), first.port(), second.host(), second.port()))) {
      awaitState(server, "ready");
      first.kill();
      awaitState(server, "degraded");
      awaitCounters(server, "partly reachable");
      assertThat(server.caller.get("/readyz").status()).isEqualTo(200);
      int allowed = 0;
      for (int i = 0; i < 50; i++) {
        String check = CHECK.replace("alice", "user-" + i);
        allowed += server.caller.post("/v1/check", check).json().get("allowed").asBoolean() ? 1 : 0;
      }
      assertThat(allowed).isBetween(1, 49);
      assertThat(server.caller.get("/readyz").status()).isEqualTo(200);

      second.kill();
      awaitState(server, "not ready");
      assertThat(server.caller.get("/readyz").status()).isEqualTo(503);
    }
  }
}
