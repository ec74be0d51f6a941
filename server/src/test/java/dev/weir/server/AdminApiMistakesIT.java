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
        "{\"client\": \"user:a\", \"until\": \"tomorrow\"} | until | until must be a time such as",
        "{\"client\": \"user:a\", \"why\": \"x\"} | why | why is unknown; there are client",
      })
  void aMistakeIsNamed(String body, String field, String message) {
    Caller.Reply reply = caller.post("/v1/admin/blocks", body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo(field);
    assertThat(reply.json().get("message").asText()).startsWith(message);
    assertThat(caller.get("/v1/admin/blocks").body()).startsWith("{\"items\": [],");
  }
}
