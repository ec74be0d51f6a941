package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        Caller.Reply ready = server.caller.get("/readyz");
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.json().get("counters").get("state").asText()).isEqualTo("unreachable");
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
}
