package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a preview is named. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminPreviewMistakesIT {
  private TestServer server;
  private Caller caller;

  @BeforeAll
  void start(@TempDir Path folder) {
    server = new TestServer(folder, AdminPreviewIT.KEPT);
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
        "{} | 400 | rule must be given, or else remove",
        "{\"rule\": 1} | 400 | rule must be an object, as rules are",
        "{\"remove\": 1} | 400 | remove must be a string",
        "{\"remove\": \"x\"} | 400 | remove must be the name of a rule, got \"x\"",
        "{\"remove\": \"x\", \"minutes\": 0} | 400 | minutes must be a whole number from 1 to 1440",
        "{\"remove\": \"x\", \"source\": \"log\"} | 400 | source must be auto, traffic or audit",
        "{\"remov\": \"x\"} | 400 | remov is not known here",
      })
  void whatIsWrongIsNamed(String body, int status, String message) {
    Caller.Reply reply = caller.post("/v1/admin/preview", body);

    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.json().get("message").asText()).isEqualTo(message);
  }
}
