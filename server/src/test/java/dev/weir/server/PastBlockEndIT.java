package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin API refuses blocks and exemptions that would end before they begin. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PastBlockEndIT {
  private TestServer server;
  private Caller caller;

  @BeforeAll
  void start(@TempDir Path folder) {
    server = new TestServer(folder, "");
    caller = server.caller;
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static void assertRefused(Caller.Reply reply, String field, String until) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo(field);
    assertThat(reply.json().get("message").asText())
        .isEqualTo(field + " must be in the future, got " + until);
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocks", "exemptions", "blocks?dry_run=true", "exemptions?dry_run=true"})
  void refusesAnEntryThatHasEnded(String path) {
    String list = "/v1/admin/" + path;

    assertRefused(
        caller.post(list, "{\"client\": \"user:a\", \"until\": \"2020-01-01T01:00:00+01:00\"}"),
        "until",
        "2020-01-01T00:00:00Z");
    // The clock of this server stands still: an entry that ends now has no effect either.
    assertRefused(
        caller.post(list, "{\"client\": \"user:a\", \"until\": \"" + TestServer.START + "\"}"),
        "until",
        TestServer.START.toString());
    assertThat(caller.get("/v1/admin/export").body()).doesNotContain("2020");
  }

  @ParameterizedTest
  @CsvSource({"PUT, ''", "PATCH, ''", "PUT, ?dry_run=true", "PATCH, ?dry_run=true"})
  void refusesABlockedUserWhoseBlockHasEnded(String method, String query) {
    assertRefused(
        caller.call(
            method,
            "/v1/admin/quotas/alice" + query,
            "{\"blocked\": true, \"blocked_until\": \"2020-01-01T00:00:00Z\"}"),
        "blocked_until",
        "2020-01-01T00:00:00Z");
    assertThat(caller.get("/v1/admin/quotas/alice").status()).isEqualTo(404);
  }

  @Test
  void acceptsAnEndInTheFuture() {
    String until = TestServer.START.plusSeconds(1).toString();

    assertThat(
            caller
                .post("/v1/admin/blocks", "{\"client\": \"user:b\", \"until\": \"" + until + "\"}")
                .status())
        .isEqualTo(201);
    assertThat(
            caller
                .call(
                    "PUT",
                    "/v1/admin/quotas/bob",
                    "{\"blocked\": true, \"blocked_until\": \"" + until + "\"}")
                .status())
        .isEqualTo(200);
  }
}
