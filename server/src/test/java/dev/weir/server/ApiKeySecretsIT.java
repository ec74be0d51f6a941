package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.server.Instance.NewKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API key is verified where it may be given, refused everywhere else, and never shown. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiKeySecretsIT {
  private static final String UNKNOWN =
      "wk_00000000000000000000000000000000_abcdefghijklmnopqrstuvwxyz012345";

  private Path folder = Path.of("");
  private Instance instance;
  private Caller caller;
  private NewKey key;

  @BeforeAll
  void start(@TempDir Path given) {
    folder = given;
    instance =
        Instance.start(
            folder,
            """
            [events]
            log = ["allowed", "throttled", "blocked"]

            [audit]
            decisions = ["allowed", "throttled", "blocked"]
            """);
    caller = instance.caller;
    key = instance.makeKey("dave", "7/m");
  }

  @AfterAll
  void stop() {
    instance.close();
  }

  /** A text of JSON with the key in it. */
  private String with(String json) {
    // The id first: a secret has random letters, "ID" among them once in a hundred keys.
    return json.replace("ID", key.id()).replace("KEY", key.text());
  }

  @ParameterizedTest
  @DisplayName("T82: a key where an id, a user or a client belongs is refused and not repeated")
  @ValueSource(
      strings = {
        "/v1/check {'path': '/', 'key': 'KEY'}",
        "/v1/check {'path': '/', 'key': ' KEY'}",
        "/v1/check {'path': '/', 'key': 'wk_short'}",
        "/v1/check {'path': '/', 'user': 'KEY'}",
        "/v1/check {'path': '/', 'tier': 'KEY'}",
        "/v1/explain {'path': '/', 'key': 'KEY'}",
        "/v1/refund {'path': '/', 'key': 'KEY'}",
        "/v1/refund {'path': '/', 'client': 'key:KEY'}",
        "/v1/refund {'path': '/', 'client': 'user:KEY'}",
        "/v1/admin/blocks {'client': 'key:KEY'}",
        "/v1/admin/blocks {'client': 'KEY'}",
        "/v1/admin/exemptions {'client': 'user:KEY'}",
        "/v1/admin/rules {'name': 'r', 'match': {'key': ['KEY']}, 'action': 'block'}",
        "/v1/admin/rules {'name': 'r', 'match': {'user': 'KEY'}, 'action': 'block'}",
        "/v1/admin/rules {'name': 'r', 'match': {'header': {'x-api-key': 'KEY'}}, 'action': 'block'}",
        "/v1/admin/keys {'user': 'KEY'}",
        "/v1/admin/keys {'user': 'dave', 'name': 'KEY'}",
        "/v1/admin/keys {'user': 'dave', 'tier': 'KEY'}",
        "/v1/admin/blocks {'client': 'user:x', 'reason': 'leaked KEY'}",
      })
  void t82(String call) {
    int space = call.indexOf(' ');
    Caller.Reply reply =
        caller.post(call.substring(0, space), with(call.substring(space + 1).replace('\'', '"')));

    assertThat(reply.status()).describedAs(reply.body()).isEqualTo(400);
    assertThat(reply.body()).doesNotContain(key.text()).doesNotContain("wk_");
  }

  @Test
  void aMistakeInABatchIsNamedWithItsNumber() {
    Caller.Reply reply =
        caller.post("/v1/checks", with("[{\"path\": \"/\"}, {\"path\": \"/\", \"key\": \"KEY\"}]"));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo("[1].key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'path': '/verified', 'api_key': 'KEY'}",
        "{'path': '/verified', 'api_key': 'KEY', 'key': 'ID'}",
        "{'path': '/verified', 'headers': {'X-API-Key': 'KEY'}}",
        "{'path': '/verified', 'headers': {'x-api-key': ['KEY']}, 'api_key': 'KEY'}",
      })
  void aKeyIsVerified(String json) {
    Caller.Reply reply = caller.post("/v1/check", with(json.replace('\'', '"')));
    assertThat(reply.status()).describedAs(reply.body()).isEqualTo(200);
    JsonNode answer = reply.json();
    assertThat(answer.get("client").asText()).isEqualTo("user:dave");
    assertThat(answer.get("limit").asInt()).isEqualTo(7);
    assertThat(answer.toString()).doesNotContain("wk_");
  }

  @Test
  void aKeyIsVerifiedByExplainAndRefund() {
    JsonNode explained =
        caller.post("/v1/explain", with("{\"path\": \"/e\", \"api_key\": \"KEY\"}")).json();
    assertThat(explained.get("client").asText()).isEqualTo("user:dave");

    JsonNode refunded =
        caller.post("/v1/refund", with("{\"path\": \"/e\", \"api_key\": \"KEY\"}")).json();
    assertThat(refunded.get("client").asText()).isEqualTo("user:dave");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/check api_key {'path': '/', 'api_key': 'UNKNOWN'}",
        "/v1/check api_key {'path': '/', 'api_key': 'no key at all'}",
        "/v1/check api_key {'path': '/', 'api_key': ''}",
        "/v1/check api_key {'path': '/', 'api_key': 'KEY', 'key': 'another'}",
        "/v1/check headers.X-API-Key {'path': '/', 'headers': {'x-api-key': 'UNKNOWN'}}",
        "/v1/check headers.X-API-Key {'path': '/', 'headers': {'X-API-Key': ['KEY', 'KEY']}}",
        "/v1/check headers.X-API-Key {'path': '/', 'headers': {'X-API-Key': 'UNKNOWN'}, 'api_key': 'KEY'}",
        "/v1/explain api_key {'path': '/', 'api_key': 'UNKNOWN'}",
        "/v1/refund api_key {'path': '/', 'api_key': 'UNKNOWN'}",
        "/v1/checks [0].api_key [{'path': '/', 'api_key': 'UNKNOWN'}]",
      })
  void aKeyThatIsNotValidIsRefused(String call) {
    String[] parts = call.split(" ", 3);
    Caller.Reply reply =
        caller.post(parts[0], with(parts[2].replace('\'', '"').replace("UNKNOWN", UNKNOWN)));

    assertThat(reply.status()).describedAs(reply.body()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo(parts[1]);
    assertThat(reply.body()).doesNotContain("wk_");
  }

  @Test
  void ofABatchWithAnInvalidKeyNothingIsCounted() {
    String body =
        "[{\"path\": \"/batch\", \"user\": \"erin\"}, {\"path\": \"/batch\", \"api_key\": \"%s\"}]"
            .formatted(UNKNOWN);
    assertThat(caller.post("/v1/checks", body).status()).isEqualTo(400);

    JsonNode counters = caller.get("/v1/admin/counters/user:erin").json().get("counters");
    assertThat(counters).allMatch(counter -> counter.get("remaining").equals(counter.get("limit")));
  }

  @Test
  void aKeyMayEndInADistantYear() {
    Caller.Reply made =
        caller.post("/v1/admin/keys", "{\"user\": \"bob\", \"expires\": \"9999-12-31T23:59:59Z\"}");
    assertThat(made.status()).isEqualTo(201);
    NewKey later = instance.makeKey("carol", "7/m");

    for (String each : List.of(made.json().get("key").asText(), later.text(), key.text())) {
      String body = "{\"path\": \"/\", \"api_key\": \"%s\"}".formatted(each);
      assertThat(caller.post("/v1/check", body).status()).isEqualTo(200);
    }
  }

  @Test
  void aRevokedKeyIsRefused() {
    NewKey revoked = instance.makeKey("frank", "7/m");
    String body = "{\"path\": \"/\", \"api_key\": \"%s\"}".formatted(revoked.text());
    assertThat(caller.post("/v1/check", body).status()).isEqualTo(200);

    assertThat(caller.delete("/v1/admin/keys/" + revoked.id()).status()).isEqualTo(200);
    assertThat(caller.post("/v1/check", body).status()).isEqualTo(400);
  }

  @Test
  @DisplayName("T82: no file that the service writes holds a key")
  void t82NothingIsStored() throws IOException {
    for (String json :
        List.of(
            "{\"path\": \"/s\", \"key\": \"KEY\"}",
            "{\"path\": \"/s\", \"api_key\": \"KEY\"}",
            "{\"path\": \"/s\", \"headers\": {\"X-API-Key\": \"KEY\"}}",
            "{\"path\": \"/hook/KEY\"}",
            "{\"path\": \"/hook/KEY/a?k=KEY\"}")) {
      caller.post("/v1/check", with(json));
    }
    instance.limitWithKey(key.text());
    caller.get(
        "/v1/auth", "X-Original-URI", "/hook/" + key.text(), "X-Forwarded-For", "203.0.113.7");
    String secret = key.text().substring(key.text().lastIndexOf('_') + 1);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(
                new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(secret))
            .as(file.toString())
            .isFalse();
      }
    }
  }
}
