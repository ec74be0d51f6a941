package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens now, and by which rules. */
class AdminOverviewIT {
  private static final String CONFIG =
      """
      default_tier = "free"

      [[tier]]
      name = "free"
      limit = "2/h"

      [[endpoint]]
      name = "chat"
      paths = ["/chat"]
      limit = "10/m"
      scope = "user"

      [[rule]]
      name = "closed"
      priority = 900
      match = { path = "/old/**", method = ["GET", "POST"] }
      action = "block"
      enabled = false
      """;

  private final TestServer server;
  private final Caller caller;

  AdminOverviewIT(@TempDir Path folder) {
    this.server = new TestServer(folder, CONFIG);
    this.caller = server.caller;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void check(String path, int times) {
    for (int i = 0; i < times; i++) {
      caller.post("/v1/check", "{\"path\": \"%s\", \"user\": \"alice\"}".formatted(path));
    }
  }

  private static long sum(JsonNode column) {
    long sum = 0;
    for (JsonNode each : column) {
      sum += each.asLong();
    }
    return sum;
  }

  @Test
  void eachSecondIsTold() {
    check("/", 5);
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> sum(caller.get("/v1/admin/live").json().get("throttled")) == 3);
    JsonNode live = caller.get("/v1/admin/live?seconds=10").json();

    assertThat(live.get("from").asLong()).isEqualTo(TestServer.START.getEpochSecond() - 10);
    for (String column :
        List.of("allowed", "throttled", "blocked", "p50_micros", "p99_micros", "degraded")) {
      assertThat(live.get(column)).as(column).hasSize(10);
    }
    assertThat(live.get("allowed").get(9).asLong()).isEqualTo(2);
    assertThat(live.get("throttled").get(9).asLong()).isEqualTo(3);
    assertThat(sum(live.get("degraded"))).isZero();
    assertThat(live.get("p50_micros").get(9).asLong())
        .isPositive()
        .isLessThanOrEqualTo(live.get("p99_micros").get(9).asLong());
    assertThat(live.get("active_keys").asLong()).isEqualTo(1);
    assertThat(live.get("backend").asText()).isEqualTo("memory");
    assertThat(live.get("state").asText()).isEqualTo("ready");
    assertThat(live.get("problems")).isEmpty();
    assertThat(live.get("policy").asText())
        .isEqualTo(caller.get("/v1/admin/policy").json().get("version").asText());
    server.time.advance(Duration.ofSeconds(5));
    assertThat(caller.get("/v1/admin/live?seconds=6").json().get("allowed"))
        .hasToString("[2,0,0,0,0,0]");
    assertThat(caller.get("/v1/admin/live").json().get("allowed")).hasSize(300);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "901", "x", "1.5"})
  void aWrongNumberOfSecondsIsNamed(String seconds) {
    Caller.Reply reply = caller.get("/v1/admin/live?seconds=" + seconds);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("message").asText())
        .isEqualTo("seconds must be a whole number from 1 to 900, got \"%s\"".formatted(seconds));
  }

  @Test
  void problemsAreTold() {
    server.write("wrong = 1");
    server.server.reload();

    assertThat(caller.get("/v1/admin/live").json().get("problems").get(0).asText())
        .startsWith("the configuration was not taken over: ")
        .contains("weir.toml:1:1: wrong: is unknown");
  }

  @Test
  void rulesAreCounted() {
    check("/chat", 3);
    check("/", 4);
    JsonNode rules = caller.get("/v1/admin/stats/rules").json().get("rules");

    List<String> rows = new ArrayList<>();
    rules.forEach(
        rule ->
            rows.add(
                rule.get("rule").asText()
                    + " "
                    + rule.get("matched")
                    + " "
                    + rule.get("throttled")));
    assertThat(rows)
        .containsExactly("closed 0 0", "endpoint:chat 3 0", "tier:free 4 2", "default 0 0");
  }

  @Test
  void thePolicyIsToldRuleByRule() {
    String made =
        "{\"name\": \"stored\", \"priority\": 50, \"match\": {\"user\": \"bob\"},"
            + " \"limits\": [\"5/s\", \"100/h\"], \"mode\": \"shadow\", \"scope\": \"user\"}";
    assertThat(caller.post("/v1/admin/rules", made).status()).isEqualTo(201);
    JsonNode policy = caller.get("/v1/admin/policy/effective").json();

    assertThat(policy.get("source").asText()).endsWith("weir.toml");
    assertThat(policy.get("default_tier").asText()).isEqualTo("free");
    assertThat(policy.get("mistakes")).isEmpty();
    assertThat(policy.has("problem")).isFalse();
    assertThat(policy.get("rules")).hasSize(5);
    assertThat(policy.get("rules").get(0))
        .hasToString(
            "{\"rule\":\"closed\",\"level\":\"rule\",\"source\":\"file\",\"priority\":900,"
                + "\"enabled\":false,\"mode\":\"enforce\",\"action\":\"block\",\"final\":false,"
                + "\"match\":\"path /old/**, method GET or POST\",\"limits\":[],"
                + "\"scope\":\"client\"}");
    assertThat(policy.get("rules").get(1))
        .hasToString(
            "{\"rule\":\"stored\",\"level\":\"rule\",\"source\":\"database\",\"priority\":50,"
                + "\"enabled\":true,\"mode\":\"shadow\",\"action\":\"throttle\",\"final\":false,"
                + "\"match\":\"user bob\",\"limits\":[\"5/s\",\"100/h\"],\"scope\":\"user\"}");
    assertThat(policy.get("rules").get(2).get("level").asText()).isEqualTo("endpoint");
    assertThat(policy.get("rules").get(3).get("rule").asText()).isEqualTo("tier:free");
    assertThat(policy.get("rules").get(4).get("match").asText()).isEmpty();
  }

  @Test
  void mistakesAreToldWithTheirPlaces() {
    server.write("default_tier = \"free\"\n[default]\nlimit = 0\n");
    server.server.reload();
    JsonNode policy = caller.get("/v1/admin/policy/effective").json();

    assertThat(policy.get("problem").asText()).isNotEmpty();
    assertThat(policy.get("mistakes")).hasSize(2);
    assertThat(policy.get("mistakes").toString()).contains("weir.toml:3:1: default.limit: ");
    assertThat(policy.get("rules")).hasSize(4);
  }

  @Test
  void withoutAFileRulesAreBuiltIn(@TempDir Path folder) {
    Map<String, String> environment =
        Map.of(
            "RATE_LIMIT_EVENTS_FILE",
            folder.resolve("events.jsonl").toString(),
            "RATE_LIMIT_SERVER_DATA",
            PreparedData.in(folder.resolve("data")).toString());
    try (WeirServer other = WeirServer.start(new ServerOptions(null, 0, null, environment))) {
      JsonNode policy = new Caller(other.port()).get("/v1/admin/policy/effective").json();

      assertThat(policy.get("source").asText()).isEqualTo("built-in");
      assertThat(policy.get("default_tier").isNull()).isTrue();
      assertThat(policy.get("rules")).hasSize(4);
      policy
          .get("rules")
          .forEach(rule -> assertThat(rule.get("source").asText()).isEqualTo("built-in"));
    }
  }
}
