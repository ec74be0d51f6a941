package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules and policies, tried out on requests of the past. */
class AdminPreviewIT {
  static final String KEPT = "[traffic]\nkeep = \"2h\"\n[default]\nlimit = 100\n";
  private static final String RULE =
      "{\"rule\": {\"name\": \"slow\", \"match\": {\"path\": \"/api/**\"}, \"limits\": [\"2/m\"]}%s}";

  @TempDir private Path folder = Path.of("");

  private static void check(TestServer server, String user, String path, int times) {
    for (int i = 0; i < times; i++) {
      server.caller.post("/v1/check", "{\"path\": \"%s\", \"user\": \"%s\"}".formatted(path, user));
    }
  }

  private static JsonNode preview(TestServer server, String body) {
    Caller.Reply reply = server.caller.post("/v1/admin/preview", body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  @Test
  void aRuleIsTriedOutOnKeptTraffic() {
    try (TestServer server = new TestServer(folder, KEPT)) {
      check(server, "alice", "/api/a", 5);
      check(server, "bob", "/api/b", 3);
      check(server, "carol", "/other", 4);
      JsonNode found = preview(server, RULE.formatted(""));

      assertThat(found)
          .hasToString(
              "{\"source\":\"traffic\",\"note\":null,\"from\":\"2026-03-01T10:00:00Z\","
                  + "\"to\":\"2026-03-01T10:00:00Z\",\"requests\":12,\"refused_before\":0,"
                  + "\"refused_after\":4,\"newly_refused\":4,\"no_longer_refused\":0,"
                  + "\"clients\":[{\"client\":\"user:alice\",\"newly_refused\":3,\"requests\":5},"
                  + "{\"client\":\"user:bob\",\"newly_refused\":1,\"requests\":3}]}");
      assertThat(server.caller.get("/v1/admin/rules").body()).startsWith("{\"items\": [],");
      assertThat(
              server.caller.post("/v1/check", "{\"path\": \"/api/a\", \"user\": \"alice\"}").body())
          .contains("\"allowed\": true");
    }
  }

  @Test
  void whatIsFoundIsWhatThenHappens() {
    try (TestServer server = new TestServer(folder, KEPT)) {
      check(server, "alice", "/api/a", 7);
      long expected = preview(server, RULE.formatted("")).get("newly_refused").asLong();
      assertThat(
              server
                  .caller
                  .post(
                      "/v1/admin/rules",
                      "{\"name\": \"slow\", \"match\": {\"path\": \"/api/**\"},"
                          + " \"limits\": [\"2/m\"]}")
                  .status())
          .isEqualTo(201);
      check(server, "alice", "/api/a", 7);

      JsonNode rules = server.caller.get("/v1/admin/stats/rules").json().get("rules");
      assertThat(rules.get(0).get("rule").asText()).isEqualTo("slow");
      assertThat(rules.get(0).get("throttled").asLong()).isEqualTo(expected).isEqualTo(5);
      JsonNode removed = preview(server, "{\"remove\": \"slow\"}");
      assertThat(removed.get("requests").asLong()).isEqualTo(14);
      assertThat(removed.get("refused_before").asLong()).isEqualTo(12);
      assertThat(removed.get("no_longer_refused").asLong()).isEqualTo(12);
    }
  }

  @Test
  void onlyTheTimeThatIsAskedForCounts() {
    try (TestServer server = new TestServer(folder, KEPT)) {
      check(server, "alice", "/api/a", 5);
      server.time.advance(Duration.ofMinutes(30));
      check(server, "alice", "/api/a", 3);

      assertThat(preview(server, RULE.formatted(", \"minutes\": 20")).get("requests").asLong())
          .isEqualTo(3);
      JsonNode day = preview(server, RULE.formatted(", \"minutes\": 1440"));
      assertThat(day.get("requests").asLong()).isEqualTo(8);
      assertThat(day.get("note").asText()).isEqualTo("requests are kept for 120 minutes only");
    }
  }

  @Test
  void withoutKeptTrafficTheAuditIsUsed() {
    String toml =
        "[audit]\ndecisions = [\"allowed\", \"throttled\"]\n[default]\nlimit = 4\nwindow = \"1h\"\n";
    try (TestServer server = new TestServer(folder, toml)) {
      check(server, "alice", "/api/a", 6);
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> preview(server, RULE.formatted("")).get("requests").asLong() == 6);
      JsonNode found = preview(server, RULE.formatted(""));

      assertThat(found.get("source").asText()).isEqualTo("audit");
      assertThat(found.get("note").isNull()).isTrue();
      assertThat(found.get("refused_before").asLong()).isEqualTo(2);
      assertThat(found.get("refused_after").asLong()).isEqualTo(4);
      assertThat(found.get("newly_refused").asLong()).isEqualTo(2);
      JsonNode none = preview(server, RULE.formatted(", \"source\": \"traffic\""));
      assertThat(none.get("requests").asLong()).isZero();
      assertThat(none.get("from").isNull()).isTrue();
      assertThat(none.get("note").asText())
          .isEqualTo("no requests are kept; traffic.keep says for how long they are");
    }
  }

  @Test
  void whatTheAuditLacksIsSaid() {
    try (TestServer server = new TestServer(folder, "")) {
      assertThat(preview(server, RULE.formatted("")).get("note").asText())
          .isEqualTo(
              "the audit has no allowed requests, so limits see far less than in life;"
                  + " set traffic.keep, or add \"allowed\" to audit.decisions");
    }
  }

  @Test
  void headerFieldsThatAreNotKeptAreNamed() {
    try (TestServer server = new TestServer(folder, KEPT)) {
      String rule =
          "{\"rule\": {\"name\": \"beta\", \"match\": {\"header\": {\"x-beta\": \"1\"}},"
              + " \"limits\": [\"1/m\"]}}";

      assertThat(preview(server, rule).get("note").asText())
          .isEqualTo(
              "rules that ask for header fields hold for no request, since these are not kept:"
                  + " x-beta");
    }
  }

  @Test
  void aWrongRuleIsAnsweredAsWhereRulesAreMade() {
    try (TestServer server = new TestServer(folder, KEPT)) {
      for (String rule :
          new String[] {
            "{\"limits\": [\"2/m\"]}",
            "{\"name\": \"a\", \"limits\": [\"many\"]}",
            "{\"name\": \"a\", \"match\": {\"endpoint\": \"none\"}, \"limits\": [\"2/m\"]}"
          }) {
        Caller.Reply made = server.caller.post("/v1/admin/rules", rule);
        Caller.Reply tried =
            server.caller.post("/v1/admin/preview", "{\"rule\": %s}".formatted(rule));

        assertThat(tried.status()).isEqualTo(400).isEqualTo(made.status());
        assertThat(tried.body()).isEqualTo(made.body());
      }
    }
  }

  @Test
  void aWholePolicyIsTriedOut() {
    try (TestServer server = new TestServer(folder, KEPT)) {
      check(server, "alice", "/api/a", 5);
      Caller.Reply reply =
          server.caller.post(
              "/v1/admin/backtest",
              "{\"policy\": \"[default]\\nlimit = 2\\nwindow = \\\"1h\\\"\"}");

      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
      JsonNode report = reply.json();
      assertThat(report.get("compared_with").asText()).isEqualTo("policy");
      assertThat(report.get("after").get("throttled").asLong()).isEqualTo(3);
      assertThat(report.get("before").get("throttled").asLong()).isZero();
      assertThat(report.get("newly_refused").asLong()).isEqualTo(3);
      assertThat(report.get("hurt_clients").get(0).get("client").asText()).isEqualTo("user:alice");
      assertThat(report.get("timeline")).isNotEmpty();
      assertThat(report.get("warnings")).isEmpty();
    }
  }

  @Test
  void mistakesOfAPolicyAreNamed() {
    try (TestServer server = new TestServer(folder, KEPT)) {
      Caller.Reply reply =
          server.caller.post(
              "/v1/admin/backtest", "{\"policy\": \"[default]\\nlimit = 0\\nwindw = 1\"}");

      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.json().get("mistakes")).hasSize(2);
      assertThat(reply.json().get("mistakes").get(0).asText())
          .startsWith("policy:2:1: default.limit");
      assertThat(server.caller.post("/v1/admin/backtest", "{}").json().get("message").asText())
          .isEqualTo("policy must be given: the text of a weir.toml");
    }
  }
}
