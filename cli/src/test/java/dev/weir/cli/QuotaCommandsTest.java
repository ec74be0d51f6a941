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
  void onlyWhatIsGivenIsSent() {
    server.answer(200, ALICE);
    CommandRun run =
        server.run(
            "quota", "set", "alice", "--tier", "f\"ree", "--hourly", "100", "--monthly", "none");

    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("user          alice\n");
    assertThat(server.call().request()).isEqualTo("PATCH /v1/admin/quotas/alice");
    assertThat(server.call().body())
        .isEqualTo("{\"tier\": \"f\\\"ree\", \"hourly\": 100, \"monthly\": null}");
  }

  @Test
  void aServerThatKnowsNoQuotasIsSentNone() {
    server.answer(404, "{\"message\": \"there is nothing there\", \"field\": \"path\"}");

    assertThat(server.run("quota", "set", "alice", "--daily", "1").err())
        .isEqualTo(
            "weir quota set: %s knows no PATCH /v1/admin/quotas/alice; is it a Weir server as new as"
                    .formatted(server.url())
                + " this command?\n");
    assertThat(server.calls()).hasSize(1);
  }
}
