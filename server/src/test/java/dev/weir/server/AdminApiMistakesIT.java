package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a change is named, and nothing is changed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminApiMistakesIT {
  private TestServer server;
  private Caller caller;

  @BeforeAll
  void start(@TempDir Path folder) {
    server = new TestServer(folder, AdminApiIT.CONFIG);
    caller = server.caller;
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | client | client must be given",
        "{\"client\": \"alice\"} | client | client must be user:<id>, key:<id> or ip:",
        "{\"client\": \"ip:10.0.0.0/99\"} | client | client: the prefix of 10.0.0.0 must be between 0 and 32",
        "{\"client\": \"user:LONG\"} | client | client must have an id of at most 255 characters, got 256",
        "{\"client\": \"user:a\", \"until\": \"tomorrow\"} | until | until must be a time such as",
        "{\"client\": \"user:a\", \"why\": \"x\"} | why | why is unknown; there are client",
      })
  void aMistakeIsNamed(String body, String field, String message) {
    Caller.Reply reply = caller.post("/v1/admin/blocks", body.replace("LONG", "x".repeat(256)));

    assertRefused(reply, field, message);
    assertThat(caller.get("/v1/admin/blocks").body()).startsWith("{\"items\": [],");
  }

  @ParameterizedTest
  @CsvSource({
    "rules, 'name must have at most 255 characters, got 256'",
    "endpoints, 'name must have at most 255 characters, got 256'",
    "tiers, 'name must have at most 50 characters, got 256'",
  })
  void aNameThatIsTooLongIsRefusedWithItsBound(String list, String message) {
    String limit = list.equals("rules") ? "\"limits\": [\"1/s\"]" : "\"limit\": \"1/s\"";
    String path = list.equals("endpoints") ? ", \"paths\": [\"/a\"]" : "";
    String body = "{\"name\": \"" + "x".repeat(256) + "\", " + limit + path + "}";

    Caller.Reply reply = caller.post("/v1/admin/" + list, body);

    assertRefused(reply, "name", message);
  }

  private static void assertRefused(Caller.Reply reply, String field, String message) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo(field);
    assertThat(reply.json().get("message").asText()).startsWith(message);
  }
}
