package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** T84: a change of one attribute changes that one, and mistakes name the field and its bounds. */
class PatchIT {
  private TestServer server;
  private Caller caller;

  @BeforeEach
  void start(@TempDir Path folder) {
    server = new TestServer(folder, "");
    caller = server.caller;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private JsonNode patch(String path, String body) {
    Caller.Reply reply = caller.call("PATCH", path, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  @Test
  @DisplayName("T84: a daily limit set for a blocked user does not unblock the user")
  void t84() {
    caller.call(
        "PUT",
        "/v1/admin/quotas/dave",
        "{\"tier\": \"gold\", \"hourly\": 5, \"blocked\": true, \"block_reason\": \"abuse\","
            + " \"blocked_until\": \"2030-01-31T12:00:00Z\"}");

    JsonNode quota = patch("/v1/admin/quotas/dave", "{\"daily\": 90}");

    assertThat(quota.get("daily").asInt()).isEqualTo(90);
    assertThat(quota.get("tier").asText()).isEqualTo("gold");
    assertThat(quota.get("hourly").asInt()).isEqualTo(5);
    assertThat(quota.get("blocked").asBoolean()).isTrue();
    assertThat(quota.get("block_reason").asText()).isEqualTo("abuse");
    assertThat(quota.get("blocked_until").asText()).isEqualTo("2030-01-31T12:00:00Z");
  }

  @Test
  void nullRemovesAndUnblockingTakesTheReasonAlong() {
    patch(
        "/v1/admin/quotas/new", "{\"daily\": 90, \"blocked\": true, \"block_reason\": \"abuse\"}");

    JsonNode quota = patch("/v1/admin/quotas/new", "{\"daily\": null, \"blocked\": false}");

    assertThat(quota.get("daily").isNull()).isTrue();
    assertThat(quota.get("blocked").asBoolean()).isFalse();
    assertThat(quota.get("block_reason").isNull()).isTrue();
  }

  @Test
  void aKeyKeepsWhatIsNotGiven() {
    String id =
        caller
            .post(
                "/v1/admin/keys",
                "{\"user\": \"dave\", \"name\": \"ci\", \"tier\": \"gold\", \"limits\": [\"3/s\"],"
                    + " \"expires\": \"2030-01-31T12:00:00Z\"}")
            .json()
            .get("id")
            .asText();

    JsonNode key = patch("/v1/admin/keys/" + id, "{\"name\": \"build\", \"tier\": null}");

    assertThat(key.get("name").asText()).isEqualTo("build");
    assertThat(key.get("tier").isNull()).isTrue();
    assertThat(key.get("limits").get(0).asText()).isEqualTo("3/s");
    assertThat(key.get("expires").asText()).isEqualTo("2030-01-31T12:00:00Z");
  }

  @Test
  void aRuleIsMergedDeeply() {
    caller.post(
        "/v1/admin/rules",
        "{\"name\": \"r\", \"match\": {\"path\": [\"/a\"], \"method\": [\"POST\"]},"
            + " \"limits\": [\"3/s\"], \"priority\": 7}");

    JsonNode rule =
        patch("/v1/admin/rules/r", "{\"match\": {\"method\": null, \"user\": [\"dave\"]}}");

    assertThat(rule.get("priority").asInt()).isEqualTo(7);
    assertThat(rule.get("limits").get(0).asText()).isEqualTo("3/s");
    assertThat(rule.get("match").has("method")).isFalse();
    assertThat(rule.get("match").get("path").toString()).contains("/a");
    assertThat(rule.get("match").get("user").toString()).contains("dave");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST | keys | {\"user\": \"\"} | user | user must be 1 to 255 characters long",
        "POST | keys | {\"user\": \"LONG\"} | user | user must be 1 to 255 characters long",
        "POST | keys | {\"user\": \"a\", \"name\": \"\"} | name | name must be 1 to 255 characters",
        "POST | keys | {\"user\": \"a\", \"tier\": \"LONG\"} | tier | tier must be 1 to 255 characters",
        "POST | keys | {\"user\": \"a\", \"expires\": \"2020-01-01T00:00:00Z\"} | expires | expires must be in the future",
        "POST | keys | {\"user\": \"a\", \"expires\": \"+10000-01-01T00:00:00Z\"} | expires | expires must be a time in UTC between 1970 and 9999",
        "PUT | quotas/a | {\"blocked\": true, \"blocked_until\": \"+10000-01-01T00:00:00Z\"} | blocked_until | blocked_until must be a time in UTC between 1970 and 9999",
        "PUT | quotas/LONG | {\"daily\": 1} | user | user must be 1 to 255 characters long",
        "PATCH | quotas/LONG | {\"daily\": 1} | user | user must be 1 to 255 characters long",
        "PUT | quotas/a | {\"tier\": \"\"} | tier | tier must be 1 to 255 characters long",
        "PUT | quotas/a | {\"daily\": 0} | daily | daily must be a whole number from 1",
      })
  void aMistakeNamesTheFieldAndItsBounds(
      String method, String path, String body, String field, String message) {
    String longName = "x".repeat(256);
    Caller.Reply reply =
        caller.call(
            method, "/v1/admin/" + path.replace("LONG", longName), body.replace("LONG", longName));

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo(field);
    assertThat(reply.json().get("message").asText()).startsWith(message);
  }
}
