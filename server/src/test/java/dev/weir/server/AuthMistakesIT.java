package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with what a proxy says is named, and nothing is counted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuthMistakesIT {
  private TestServer server;
  private Caller caller;

  @BeforeAll
  void start(@TempDir Path folder) {
    server = new TestServer(folder, AuthIT.CONFIG);
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
        "/v1/auth | X-Other | / | X-Original-URI",
        "/v1/auth | X-Original-URI | /a%2fb | path",
        "/v1/auth | X-Original-URI | /../.. | path",
        "/v1/auth?deny_status=200 | X-Original-URI | / | deny_status",
        "/v1/auth?deny_status=x | X-Original-URI | / | deny_status",
      })
  void aMistakeIsNamed(String path, String name, String value, String field) {
    Caller.Reply reply = caller.get(path, name, value);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo(field);
  }
}
