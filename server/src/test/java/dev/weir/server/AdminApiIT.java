package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testkit.http.RawHttp;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin API without a token, which only programs on this machine reach. */
class AdminApiIT {
  static final String CONFIG =
      """
      [default]
      limit = 2
      window = "60s"

      [[endpoint]]
      name = "chat"
      paths = ["/chat"]
      limit = 10
      window = "60s"
      """;

  private final TestServer server;
  private final Caller caller;

  AdminApiIT(@TempDir Path folder) {
    this.server = new TestServer(folder, CONFIG);
    this.caller = server.caller;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String decision(String user) {
    return caller
        .post("/v1/check", "{\"path\": \"/\", \"user\": \"" + user + "\", \"ip\": \"192.0.2.7\"}")
        .json()
        .get("decision")
        .asText();
  }

  @Test
  void thePolicyIsTold() {
    JsonNode policy = caller.get("/v1/admin/policy").json();

    assertThat(policy.get("version").asText()).isNotEmpty();
    assertThat(policy.get("source").asText()).endsWith("weir.toml");
    assertThat(policy.get("endpoints").asInt()).isEqualTo(1);
    assertThat(policy.get("default").asText()).isEqualTo("2/60s");
  }

  @Test
  void countersOfAClientAreToldAndReset() {
    decision("alice");
    decision("alice");
    assertThat(decision("alice")).isEqualTo("throttled");
    JsonNode counters = caller.get("/v1/admin/counters/user:alice").json();

    assertThat(counters.get("client").asText()).isEqualTo("user:alice");
    assertThat(counters.get("counters")).hasSize(1);
    assertThat(counters.get("counters").get(0).get("counter").asText()).isEqualTo("default/*");
    assertThat(counters.get("counters").get(0).get("used").asLong()).isEqualTo(2);
    assertThat(caller.delete("/v1/admin/counters/user%3Aalice").json().get("reset").asBoolean())
        .isTrue();
    assertThat(caller.get("/v1/admin/counters/user:alice").json().get("counters")).isEmpty();
    assertThat(decision("alice")).isEqualTo("allowed");
  }

  @Test
  void clientsAreBlockedForAWhile() {
    String until = TestServer.START.plusSeconds(60).toString();
    Caller.Reply put =
        caller.post(
            "/v1/admin/blocks",
            "{\"client\": \"ip:192.0.2.0/24\", \"reason\": \"scan\", \"until\": \""
                + until
                + "\"}");

    assertThat(put.status()).isEqualTo(201);
    assertThat(decision("alice")).isEqualTo("blocked");
    assertThat(caller.get("/v1/admin/blocks").body())
        .startsWith(
            "{\"items\": [{\"client\": \"ip:192.0.2.0/24\", \"reason\": \"scan\", \"until\": \""
                + until
                + "\", \"source\": \"database\", \"version\": 1,");
    server.time.advance(Duration.ofSeconds(60));
    assertThat(decision("alice")).isEqualTo("allowed");
    assertThat(caller.get("/v1/admin/blocks").body()).startsWith("{\"items\": [],");
  }

  @Test
  void aBlockIsTakenAway() {
    caller.post("/v1/admin/blocks", "{\"client\": \"user:alice\"}");
    assertThat(decision("alice")).isEqualTo("blocked");

    assertThat(caller.delete("/v1/admin/blocks/user:alice").status()).isEqualTo(200);
    assertThat(decision("alice")).isEqualTo("allowed");
    assertThat(caller.delete("/v1/admin/blocks/user:alice").status()).isEqualTo(404);
  }

  @Test
  void aRangeIsTakenAwayByItsEncodedName() {
    caller.post("/v1/admin/blocks", "{\"client\": \"ip:192.0.2.0/24\"}");

    assertThat(caller.delete("/v1/admin/blocks/ip:192.0.2.0%2F24").status()).isEqualTo(200);
  }

  @Test
  void clientsAreExempt() {
    caller.post("/v1/admin/exemptions", "{\"client\": \"user:alice\", \"reason\": \"load test\"}");
    for (int i = 0; i < 5; i++) {
      assertThat(decision("alice")).isEqualTo("allowed");
    }
    assertThat(caller.get("/v1/admin/exemptions").json().get("items")).hasSize(1);
    caller.delete("/v1/admin/exemptions/user:alice");
    decision("alice");
    decision("alice");
    assertThat(decision("alice")).isEqualTo("throttled");
  }

  @Test
  void webPagesCannotReachIt() {
    // A page on another site, and a name that an attacker lets point to loopback.
    assertThat(caller.get("/v1/admin/policy", "Origin", "http://evil.example").status())
        .isEqualTo(403);
    assertThat(
            RawHttp.call(
                    server.server.port(),
                    "GET /v1/admin/policy HTTP/1.1\r\nHost: evil.example\r\n\r\n")
                .status())
        .isEqualTo(403);
    assertThat(
            RawHttp.call(
                    server.server.port(),
                    "GET /v1/admin/policy HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .status())
        .isEqualTo(200);
    String own = "http://127.0.0.1:" + server.server.port();
    assertThat(caller.get("/v1/admin/policy", "Origin", own).status()).isEqualTo(200);
  }
}
