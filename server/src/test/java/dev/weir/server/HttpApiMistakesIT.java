package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a request is named, and nothing is counted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpApiMistakesIT {
  private TestServer server;
  private Caller caller;

  @BeforeAll
  void start(@TempDir Path folder) {
    server = new TestServer(folder, HttpApiIT.CONFIG);
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
        "/v1/check | {} | path | path must be given",
        "/v1/check | {\"path\": 3} | path | path must be a string",
        "/v1/check | {\"path\": \"/a\", \"cost\": 1.5} | cost | cost must be a whole number",
        "/v1/check | {\"path\": \"/a\", \"cost\": -1} | cost | cost must be a whole number from 0",
        "/v1/check | {\"path\": \"/a\", \"ip\": \"1.2.3\"} | ip | ip must be an IPv4 or IPv6 address",
        "/v1/check | {\"path\": \"/a\", \"user\": \"\"} | user | user must be 1 to 255",
        "/v1/check | {\"path\": \"/a\", \"path\": \"/b\"} | path | path must be given once",
        "/v1/check | {\"path\": \"/a\", \"pth\": \"/b\"} | pth | pth is not known here",
        "/v1/check | {\"path\": \"/a\", \"dry_run\": 1} | dry_run | dry_run must be true or false",
        "/v1/check | {\"path\": \"/a\", \"headers\": {\"x\": 1}} | headers.x | headers.x must be a string",
        "/v1/check | {\"path\": \"/a%2fb\"} | path | path",
        "/v1/check | {\"path\": | body | body must be JSON",
        "/v1/check | [] | body | body must be an object",
        "/v1/check | {\"path\":\"/a\"} x | body | body must be",
        "/v1/check | [[[[[[[[[[]]]]]]]]]] | body | body must be",
        "/v1/checks | {} | body | body must be an array of objects",
        "/v1/checks | [1] | [0].body | [0].body must be an object",
        "/v1/refund | {\"client\": \"user:a\"} | endpoint | endpoint must be given",
        "/v1/refund | {\"endpoint\": \"chat\"} | client | client must be given",
        "/v1/refund | {\"client\": \"x\", \"endpoint\": \"chat\"} | client | client must be user:<id>",
        "/v1/refund | {\"client\": \"user:a\", \"endpoint\": \"none\"} | endpoint | endpoint must be one",
        "/v1/refund | {\"client\": \"user:a\", \"endpoint\": \"chat\", \"cost\": 0} | cost | cost must be",
      })
  void aMistakeIsNamed(String path, String body, String field, String message) {
    Caller.Reply reply = caller.post(path, body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("error").asText()).isEqualTo("Bad Request");
    assertThat(reply.json().get("field").asText()).isEqualTo(field);
    assertThat(reply.json().get("message").asText()).startsWith(message);
  }
}
