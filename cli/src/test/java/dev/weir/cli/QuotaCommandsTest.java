package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@code quota} asks a server for, and how it shows the answers. */
class QuotaCommandsTest {
  private static final String ALICE =
      """
      {"user": "alice", "tier": "pro", "hourly": null, "daily": 5000, "burst": null,
       "monthly": 100000, "used_today": 17, "last_request": "2026-11-16T05:00:00Z",
       "exceeded": 0, "blocked": false, "block_reason": null, "version": 3}
      """;

  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aQuotaIsShownWithNamesAndValues() {
    server.answer(200, ALICE);

    assertThat(server.run("quota", "get", "a/b").out())
        .isEqualTo(
            """
            user          alice
            tier          pro
            hourly        -
            daily         5000
            burst         -
            monthly       100000
            used today    17
            last request  2026-11-16 05:00:00Z
            exceeded      0
            blocked       no
            block reason  -
            version       3
            """);
    assertThat(server.call().request()).isEqualTo("GET /v1/admin/quotas/a%2Fb");
  }

  @Test
  void whatIsNotGivenStaysAsItWas() {
    server.answer(200, ALICE).answer(200, ALICE);
    CommandRun run = server.run("quota", "set", "alice", "--hourly", "100", "--monthly", "none");

    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("user          alice\n");
    ScriptedServer.Call put = server.calls().get(1);
    assertThat(put.request()).isEqualTo("PUT /v1/admin/quotas/alice");
    assertThat(put.field("If-match")).isEqualTo("\"3\"");
    assertThat(put.body()).isEqualTo("{\"tier\": \"pro\", \"hourly\": 100, \"daily\": 5000}");
  }

  @Test
  void aUserWithoutAQuotaGetsOne() {
    server
        .answer(404, "{\"message\": \"there is no quota of bob\", \"field\": \"user\"}")
        .answer(201, "{\"user\": \"bob\"}");
    server.run("quota", "set", "bob", "--tier", "f\"ree", "--burst", "9");

    ScriptedServer.Call put = server.calls().get(1);
    assertThat(put.fields()).doesNotContainKey("If-match");
    assertThat(put.body()).isEqualTo("{\"tier\": \"f\\\"ree\", \"burst\": 9}");
  }

  @Test
  void whatHoldsWithoutAQuotaDoesNotBecomeOne() {
    server
        .answer(200, "{\"user\": \"bob\", \"tier\": \"free\", \"daily\": 9, \"version\": 0}")
        .answer(201, "{\"user\": \"bob\"}");
    server.run("quota", "set", "bob", "--burst", "5");

    assertThat(server.calls().get(1).body()).isEqualTo("{\"burst\": 5}");
    assertThat(server.calls().get(1).fields()).doesNotContainKey("If-match");
  }

  @Test
  void nothingIsWrittenOverWhatSomebodyElseHasChanged() {
    server
        .answer(200, ALICE)
        .answer(412, "{\"message\": \"version is 4\", \"field\": \"if-match\"}");

    assertThat(server.run("quota", "set", "alice", "--daily", "1"))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir quota set: somebody has changed it in the meantime, look again: version is"
                    + " 4\n"));
  }

  @Test
  void aServerThatKnowsNoQuotasIsSentNone() {
    server.answer(404, "{\"message\": \"there is nothing there\", \"field\": \"path\"}");

    assertThat(server.run("quota", "set", "alice", "--daily", "1").err())
        .isEqualTo(
            "weir quota set: %s knows no GET /v1/admin/quotas/alice; is it a Weir server as new as"
                    .formatted(server.url())
                + " this command?\n");
    assertThat(server.calls()).hasSize(1);
  }
}
