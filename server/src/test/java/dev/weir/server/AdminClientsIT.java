package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients, by a part of their name and one by one. */
class AdminClientsIT {
  private static final String CONFIG =
      """
      default_tier = "free"

      [default]
      limit = 2
      window = "1h"

      [[tier]]
      name = "free"
      limit = "2/h"

      [[exempt]]
      user = "monitor"
      """;

  private final TestServer server;
  private final Caller caller;

  AdminClientsIT(@TempDir Path folder) {
    this.server = new TestServer(folder, CONFIG);
    this.caller = server.caller;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void check(String user, int times) {
    for (int i = 0; i < times; i++) {
      caller.post("/v1/check", "{\"path\": \"/\", \"user\": \"%s\"}".formatted(user));
    }
  }

  private List<String> found(String query, String more) {
    JsonNode clients =
        caller
            .get("/v1/admin/clients?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + more)
            .json()
            .get("items");
    List<String> found = new ArrayList<>();
    clients.forEach(
        client -> found.add(client.get("client").asText() + " " + client.get("known_as")));
    return found;
  }

  private String key(String user, String name) {
    return caller
        .post("/v1/admin/keys", "{\"user\": \"%s\", \"name\": \"%s\"}".formatted(user, name))
        .json()
        .get("id")
        .asText();
  }

  @Test
  void clientsAreFoundByAPartOfTheirName() {
    caller.call("PUT", "/v1/admin/quotas/Alice_1", "{\"monthly\": 100}");
    caller.call("PUT", "/v1/admin/quotas/bob", "{\"monthly\": 100}");
    caller.post("/v1/admin/blocks", "{\"client\": \"user:malice\"}");
    caller.post("/v1/admin/exemptions", "{\"client\": \"ip:192.0.2.0/24\"}");
    check("alice2", 3);
    String id = key("carol", "Alice's phone");

    assertThat(found("alice", ""))
        .containsExactly(
            "key:" + id + " [\"key\"]",
            "user:Alice_1 [\"quota\"]",
            "user:alice2 [\"refused\"]",
            "user:malice [\"block\"]");
    assertThat(found("192.0", "")).containsExactly("ip:192.0.2.0/24 [\"exemption\"]");
    assertThat(found("_", "")).containsExactly("user:Alice_1 [\"quota\"]");
    assertThat(found("%", "")).isEmpty();
    assertThat(found("carol", "")).containsExactly("user:carol [\"quota\"]");
    assertThat(found("", "&limit=2")).hasSize(2);
    assertThat(found("KEY:" + id.substring(0, 8), "")).containsExactly("key:" + id + " [\"key\"]");
  }

  @Test
  void aClientThatIsNamedInFullComesFirst() {
    caller.post("/v1/admin/blocks", "{\"client\": \"user:a\"}");
    caller.post("/v1/admin/blocks", "{\"client\": \"user:aa\"}");

    assertThat(found("user:aa", "")).containsExactly("user:aa [\"block\"]");
    assertThat(found("user:a", "")).containsExactly("user:a [\"block\"]", "user:aa [\"block\"]");
    assertThat(found("user:nobody", "")).containsExactly("user:nobody []");
    assertThat(found("ip:2001:DB8:0::1", "")).containsExactly("ip:2001:db8::/64 []");
  }

  @Test
  void allThatIsKnownOfAClientIsTold() {
    caller.call("PUT", "/v1/admin/quotas/alice", "{\"hourly\": 3, \"monthly\": 100}");
    String id = key("alice", "phone");
    caller.post("/v1/admin/blocks", "{\"client\": \"user:bob\", \"reason\": \"abuse\"}");
    check("alice", 2);
    JsonNode alice = caller.get("/v1/admin/clients/user:alice").json();

    assertThat(alice.get("client").asText()).isEqualTo("user:alice");
    assertThat(alice.get("tier").asText()).isEqualTo("free");
    assertThat(alice.get("block").isNull()).isTrue();
    assertThat(alice.get("exemption").isNull()).isTrue();
    assertThat(alice.get("penalty").asLong()).isZero();
    List<String> counters = new ArrayList<>();
    alice
        .get("counters")
        .forEach(
            counter -> counters.add(counter.get("counter").asText() + " " + counter.get("used")));
    assertThat(counters).containsExactlyInAnyOrder("own:user 2", "quota 2");
    assertThat(alice.get("quota").get("monthly").asLong()).isEqualTo(100);
    assertThat(alice.get("keys")).hasSize(1);
    assertThat(alice.get("keys").get(0).get("id").asText()).isEqualTo(id);
    assertThat(alice.get("keys").get(0).has("key")).isFalse();
    JsonNode bob = caller.get("/v1/admin/clients/user:bob").json();
    assertThat(bob.get("block"))
        .hasToString("{\"client\":\"user:bob\",\"reason\":\"abuse\",\"until\":null}");
    assertThat(bob.get("quota").isNull()).isTrue();
    assertThat(bob.get("keys")).isEmpty();
  }

  @Test
  void aKeyIsToldWithItsUser() {
    String id = key("alice", "phone");
    JsonNode key = caller.get("/v1/admin/clients/key:" + id).json();

    assertThat(key.get("client").asText()).isEqualTo("key:" + id);
    assertThat(key.get("keys")).hasSize(1);
    assertThat(key.get("quota").get("user").asText()).isEqualTo("alice");
    assertThat(caller.get("/v1/admin/clients/key:nobody").json().get("keys")).isEmpty();
  }

  @Test
  void whoIsExemptIsTold() {
    caller.post("/v1/admin/exemptions", "{\"client\": \"ip:192.0.2.0/24\", \"reason\": \"us\"}");

    assertThat(caller.get("/v1/admin/clients/user:monitor").json().get("exemption"))
        .hasToString("{\"client\":\"user:monitor\",\"reason\":\"in the file\",\"until\":null}");
    assertThat(caller.get("/v1/admin/clients/ip:192.0.2.9").json().get("exemption"))
        .hasToString("{\"client\":\"ip:192.0.2.0/24\",\"reason\":\"us\",\"until\":null}");
  }

  @Test
  void countersThatAreToldAreReset() {
    caller.call("PUT", "/v1/admin/quotas/alice", "{\"hourly\": 3}");
    check("alice", 3);
    assertThat(caller.get("/v1/admin/counters/user:alice").json().get("counters")).hasSize(1);
    caller.delete("/v1/admin/counters/user:alice");

    assertThat(caller.get("/v1/admin/clients/user:alice").json().get("counters")).isEmpty();
  }

  @Test
  void whatIsNoClientIsNamed() {
    Caller.Reply reply = caller.get("/v1/admin/clients/alice");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo("client");
    assertThat(caller.get("/v1/admin/clients?query=x").status()).isEqualTo(400);
  }
}
