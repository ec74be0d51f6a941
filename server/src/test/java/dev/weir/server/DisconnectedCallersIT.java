package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.metrics.Scrape;
import dev.weir.testkit.process.Await;
import dev.weir.testkit.redis.RedisServer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** T78: what is decided is recorded, whether or not the caller is still there for the response. */
class DisconnectedCallersIT {
  /** Only bounds a failure. */
  private static final Duration FAILURE = Duration.ofSeconds(60);

  private static final int CHECKS = 100;
  private static final int BATCHES = 4;
  private static final int BATCH = 10;
  private static final int AUTHS = 60;
  private static final int DECISIONS = CHECKS + BATCHES * BATCH + AUTHS;
  private static final String CHECK =
      "{\"path\": \"/\", \"user\": \"alice\", \"ip\": \"203.0.113.7\"}";

  @TempDir private Path folder = Path.of("");

  private final List<Socket> callers = new ArrayList<>();

  @Test
  @DisplayName(
      "T78: 200 decisions whose callers disconnect are all in audit, events, metrics and usage")
  void t78() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      try (Instance instance = instance(redis)) {
        assertThat(
                instance
                    .caller
                    .call("PUT", "/v1/admin/quotas/alice", "{\"daily\": 1000000}")
                    .status())
            .isEqualTo(200);
        Await.until("Redis is in use", FAILURE, () -> state(instance).equals("ready"));
        redis.pause();
        try {
          askAndDisconnect(instance);
        } finally {
          redis.resume();
        }
        Await.until(
            "all are decided",
            FAILURE,
            () -> scrape(instance).sum("weir_rate_limit_requests_total") == DECISIONS);
        assertThat(scrape(instance).value("weir_rate_limit_check_duration_seconds_count"))
            .isEqualTo(DECISIONS);
        Await.until(
            "alice's use is known", FAILURE, () -> used(instance) == CHECKS + BATCHES * BATCH);
      }
    }
    assertThat(Files.readAllLines(folder.resolve("events.jsonl")))
        .filteredOn(line -> line.contains("\"event_type\": \"allowed\""))
        .hasSize(DECISIONS);
    try (StoredAudit stored = StoredAudit.in(folder.resolve("data"))) {
      assertThat(stored.paths()).hasSize(DECISIONS);
    }
  }

  private Instance instance(RedisServer redis) {
    return Instance.start(
        folder,
        """
        [counters]
        backend = "redis"

        [redis]
        url = "%s"
        command_timeout = "20s"

        [default]
        limit = 1000000
        window = "1h"

        [events]
        log = ["allowed", "throttled", "blocked", "backend_error"]

        [audit]
        decisions = ["allowed", "throttled", "blocked"]
        """
            .formatted(redis.uri()));
  }

  /** Nothing can be decided before the last caller has disconnected. */
  private void askAndDisconnect(Instance instance) throws Exception {
    int port = instance.server.port();
    int before = instance.server.connections().size();
    long asked = asked(instance);
    for (int i = 0; i < CHECKS; i++) {
      send(port, KeptConnection.post("/v1/check", CHECK));
    }
    for (int i = 0; i < BATCHES; i++) {
      String checks = String.join(", ", Collections.nCopies(BATCH, CHECK));
      send(port, KeptConnection.post("/v1/checks", "[" + checks + "]"));
    }
    for (int i = 0; i < AUTHS; i++) {
      send(
          port,
          "GET /v1/auth HTTP/1.1\r\nHost: localhost\r\nX-Original-URI: /\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
    }
    Await.until("Redis was asked", FAILURE, () -> asked(instance) - asked == DECISIONS);
    for (Socket caller : callers) {
      caller.setSoLinger(true, 0);
      caller.close();
    }
    Await.until(
        "all have disconnected", FAILURE, () -> instance.server.connections().size() <= before);
    assertThat(scrape(instance).sum("weir_rate_limit_requests_total")).isZero();
  }

  private void send(int port, byte[] request) throws Exception {
    Socket caller = new Socket(InetAddress.getLoopbackAddress(), port);
    callers.add(caller);
    caller.getOutputStream().write(request);
  }

  private static String state(Instance instance) {
    return instance.caller.get("/readyz").json().get("status").asText();
  }

  private static Scrape scrape(Instance instance) {
    return new Scrape(instance.caller.get("/metrics").body());
  }

  private static long asked(Instance instance) {
    return (long) scrape(instance).value("weir_rate_limit_cache_misses_total");
  }

  private static long used(Instance instance) {
    return instance.caller.get("/v1/admin/quotas/alice").json().get("used_today").asLong();
  }
}
