package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.proxy.Upstream.Seen;
import dev.weir.testkit.process.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What has to hold with a real proxy between clients, Weir and a service, whichever proxy it is.
 */
abstract class ProxyContract extends ProxySetup {
  private static final int LIMIT = 5;
  private static final int BODY_BYTES = 700_000;

  /** Only bounds a failure. */
  private static final Duration FAILURE = Duration.ofSeconds(60);

  private static void exhaust(HttpClientAt client) {
    for (int i = 1; i <= LIMIT; i++) {
      assertThat(client.get("/exhaust").status()).as("request %d", i).isEqualTo(200);
    }
  }

  private static String randomBody(long seed) {
    byte[] body = new byte[BODY_BYTES];
    new Random(seed).nextBytes(body);
    return new String(body, StandardCharsets.ISO_8859_1);
  }

  @Test
  void fivePassAndTheSixthIsRefused() {
    HttpClientAt client = newClient();

    for (int remaining = LIMIT - 1; remaining >= 0; remaining--) {
      RawAnswer passed = client.get("/sixth?page=2");
      assertThat(passed.status()).as(passed.body()).isEqualTo(200);
      assertThat(passed.body()).isEqualTo(Upstream.BODY);
      assertThat(passed.values("Retry-After")).isEmpty();
      Fields.assertThatLimitIsTold(passed, remaining);
    }
    for (int i = 1; i <= 20; i++) {
      RawAnswer refused = client.get("/sixth?page=2");
      Fields.assertThatLimitIsTold(refused, 0);
      Fields.assertThatItIsThrottled(refused);
    }

    assertThat(service().seen("/sixth?page=2")).hasSize(LIMIT);
  }

  @Test
  void eachClientHasACountOfItsOwn() {
    HttpClientAt busy = newClient();
    exhaust(busy);

    HttpClientAt other = newClient();

    assertThat(busy.get("/own").status()).isEqualTo(429);
    Fields.assertThatLimitIsTold(other.get("/own"), LIMIT - 1);
  }

  @Test
  void inventedAddressesChangeNothing() {
    HttpClientAt client = newClient();
    HttpClientAt victim = newClient();
    exhaust(client);

    for (String[] fields : Forgeries.ofAddresses(victim.address())) {
      assertThat(client.get("/address", fields).status())
          .as(String.join(", ", fields))
          .isEqualTo(429);
    }

    assertThat(service().seen("/address")).isEmpty();
    Fields.assertThatLimitIsTold(victim.get("/victim"), LIMIT - 1);
  }

  @Test
  void inventedPathsAndMethodsOpenNothing() {
    for (String[] fields : Forgeries.ofRequests("/open", "GET")) {
      HttpClientAt client = newClient();
      String what = String.join(", ", fields);
      assertThat(client.get("/closed/a", fields).status()).as(what).isEqualTo(403);
      assertThat(client.send("DELETE", "/kept/a", fields).status()).as(what).isEqualTo(403);
    }
    assertThat(service().seen("/closed/a")).isEmpty();
    assertThat(service().seen("/kept/a")).isEmpty();
  }

  @Test
  void inventedPathsAndMethodsCloseNothing() {
    List<String[]> forgeries = Forgeries.ofRequests("/closed/a", "DELETE");
    for (String[] fields : forgeries) {
      HttpClientAt client = newClient();
      String what = String.join(", ", fields);
      assertThat(client.get("/open", fields).status()).as(what).isEqualTo(200);
      assertThat(client.get("/kept/b", fields).status()).as(what).isEqualTo(200);
    }
    assertThat(service().seen("/open")).hasSize(forgeries.size());
  }

  @Test
  void t7FieldsThatAreNamedInConnectionAreNotLost() {
    HttpClientAt client = newClient();
    String connection = "Connection: close, " + String.join(", ", Forgeries.NAMES);

    for (int remaining = LIMIT - 1; remaining >= 0; remaining--) {
      RawAnswer passed = client.get("/hop", connection, "X-Forwarded-For: 203.0.113.7");
      Fields.assertThatLimitIsTold(passed, remaining);
    }

    assertThat(client.get("/hop").status()).isEqualTo(429);
    assertThat(client.get("/hop", connection).status()).isEqualTo(429);
    assertThat(newClient().get("/closed/a", connection).status()).isEqualTo(403);
    assertThat(newClient().send("DELETE", "/kept/c", connection).status()).isEqualTo(403);
  }

  @ParameterizedTest
  @DisplayName("T74: a content type of gRPC opens nothing")
  @ValueSource(
      strings = {
        "application/grpc",
        "application/grpc+proto",
        "application/grpc-web",
        "application/grpc-web+proto",
        "application/grpc-web-text",
      })
  void aContentTypeOpensNothing(String type) {
    HttpClientAt client = newClient();
    exhaust(client);

    assertThat(client.get("/type", "Content-Type: " + type).status()).isEqualTo(429);
    assertThat(newClient().get("/closed/a", "Content-Type: " + type).status()).isEqualTo(403);
    assertThat(service().seen("/type")).isEmpty();
  }

  @Test
  void blockedStays403() {
    RawAnswer blocked = newClient().get("/closed/for-good");

    assertThat(blocked.status()).isEqualTo(403);
    assertThat(Fields.json(blocked).path("error").asText()).isEqualTo("Forbidden");
    assertThat(Fields.json(blocked).path("message").asText()).isEqualTo("blocked");
    assertThat(blocked.values("Retry-After")).isEmpty();
    assertThat(service().seen("/closed/for-good")).isEmpty();
  }

  @Test
  void aPathThatMeansTwoThingsIs400() {
    RawAnswer answer = newClient().get("/a%2fb");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(Fields.json(answer).path("error").asText()).isEqualTo("Bad Request");
    assertThat(service().seen("/a%2fb")).isEmpty();
  }

  @Test
  void usersAreCountedWhereverTheyAre() {
    String authorization = "Authorization: Bearer " + Tokens.of("alice-" + getClass().getName());
    for (int i = 1; i <= LIMIT; i++) {
      assertThat(newClient().get("/user", authorization).status()).isEqualTo(200);
    }

    HttpClientAt client = newClient();

    assertThat(client.get("/user", authorization).status()).isEqualTo(429);
    assertThat(client.get("/user").status()).isEqualTo(200);
  }

  @Test
  void weirSeesTheApiKey() {
    HttpClientAt client = newClient();

    assertThat(client.get("/key", "X-API-Key: banned").status()).isEqualTo(403);
    assertThat(client.get("/key", "X-API-Key: other").status()).isEqualTo(200);
  }

  @Test
  void bodiesReachTheServiceWhole() {
    String body = randomBody(1);

    Fields.assertThatLimitIsTold(newClient().post("/length", body), LIMIT - 1);
    Fields.assertThatLimitIsTold(newClient().postChunked("/chunks", body), LIMIT - 1);

    assertThat(service().seen("/length")).extracting(Seen::method).containsExactly("POST");
    assertThat(service().seen("/length").get(0).body()).isEqualTo(body);
    assertThat(service().seen("/chunks")).extracting(Seen::method).containsExactly("POST");
    assertThat(service().seen("/chunks").get(0).body()).isEqualTo(body);
  }

  @Test
  void nobodyGetsATunnelToWeir() {
    String[] fields = {
      "Connection: close, Upgrade", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"
    };

    RawAnswer answer = newClient().get("/tunnel", fields);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(Upstream.BODY);
  }

  @Test
  void behindAnotherProxyTheLastAddressCounts(@TempDir Path folder) throws IOException {
    try (Weir weir = Weir.start(folder);
        RunningProxy proxy = startProxy(folder, weir.port(), true, Surroundings.BEHIND_ANOTHER)) {
      HttpClientAt front = new HttpClientAt(Weir.FRONT, proxy.port());
      for (int i = 1; i <= LIMIT; i++) {
        String addresses = "X-Forwarded-For: 6.6.6." + i + ", 203.0.113.7";
        assertThat(front.get("/behind", addresses).status()).isEqualTo(200);
      }
      assertThat(front.get("/behind", "X-Forwarded-For: 203.0.113.7").status()).isEqualTo(429);
      assertThat(front.get("/behind", "X-Forwarded-For: 203.0.113.8").status()).isEqualTo(200);

      HttpClientAt stranger = clientOf(proxy);
      for (int i = 1; i <= LIMIT; i++) {
        assertThat(stranger.get("/behind", "X-Forwarded-For: 6.6.7." + i).status()).isEqualTo(200);
      }
      assertThat(stranger.get("/behind", "X-Forwarded-For: 6.6.8.1").status()).isEqualTo(429);
    }
  }

  @Test
  void requestsPassWhileWeirIsGoneAndCountWheneverItIsThere(@TempDir Path folder)
      throws IOException {
    String body = randomBody(2);
    int weirPort = Ports.free();
    try (RunningProxy proxy = startProxy(folder, weirPort, false)) {
      awaitThatWeirCounts(proxy, folder, weirPort);
      HttpClientAt client = clientOf(proxy);

      for (int i = 1; i <= 2 * LIMIT; i++) {
        RawAnswer passed = client.post("/gone", body);
        assertThat(passed.status()).isEqualTo(200);
        assertThat(passed.values("X-RateLimit-Limit")).isEmpty();
      }

      assertThat(service().seen("/gone")).hasSize(2 * LIMIT);
      assertThat(service().seen("/gone").get(0).body()).isEqualTo(body);
      awaitThatWeirCounts(proxy, folder, weirPort);
    }
  }

  /** Starts Weir, waits until the proxy asks it, and stops it again. */
  private void awaitThatWeirCounts(RunningProxy proxy, Path folder, int weirPort) {
    try (Weir started = Weir.start(folder, weirPort)) {
      assertThat(started.port()).isEqualTo(weirPort);
      HttpClientAt client = clientOf(proxy);
      await().atMost(FAILURE).until(() -> client.get("/").field("X-RateLimit-Limit").equals("5"));
    }
  }

  @Test
  void nothingPassesWithoutWeirIfClosed(@TempDir Path folder) throws IOException {
    int weirPort = Ports.free();
    try (RunningProxy proxy = startProxy(folder, weirPort, false, Surroundings.CLOSED)) {
      for (int i = 1; i <= 3; i++) {
        RawAnswer refused = clientOf(proxy).get("/shut");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.field("Content-Type")).isEqualTo("application/json");
        assertThat(Fields.json(refused).path("error").asText()).isEqualTo("Service Unavailable");
      }
    }
    assertThat(service().seen("/shut")).isEmpty();
  }

  @Test
  void limitsHoldIfClosed(@TempDir Path folder) throws IOException {
    try (Weir weir = Weir.start(folder);
        RunningProxy proxy = startProxy(folder, weir.port(), true, Surroundings.CLOSED)) {
      HttpClientAt client = clientOf(proxy);
      exhaust(client);

      Fields.assertThatItIsThrottled(client.get("/exhausted"));
      assertThat(client.get("/closed/a").status()).isEqualTo(403);
    }
  }

  @Test
  void aSilentWeirHoldsNobodyUpAndIsAskedOnce(@TempDir Path folder) throws IOException {
    try (SilentWeir silent = SilentWeir.start();
        RunningProxy proxy = startProxy(folder, silent.port(), false)) {
      for (int i = 1; i <= 3; i++) {
        // The client gives up after half of the time that a proxy waits by default.
        assertThat(clientOf(proxy).get("/silent").status()).isEqualTo(200);
      }
      // What is asked twice may be counted twice.
      assertThat(silent.asked()).isBetween(1, 3);
    }
  }
}
