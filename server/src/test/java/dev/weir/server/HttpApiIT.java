package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTP API as a caller sees it. */
class HttpApiIT {
  static final String CONFIG =
      """
      [default]
      limit = 100
      window = "60s"

      [[tier]]
      name = "free"
      limit = 50
      window = "60s"

      [[endpoint]]
      name = "chat"
      paths = ["/api/v1/rag/chat"]
      limit = 10
      window = "60s"
      algorithm = "fixed_window"
      scope = "user"
      """;

  private final TestServer server;
  private final Caller caller;

  HttpApiIT(@TempDir Path folder) {
    this.server = new TestServer(folder, CONFIG);
    this.caller = server.caller;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String chat(String user) {
    return "{\"path\": \"/api/v1/rag/chat\", \"user\": \"" + user + "\"}";
  }

  @Test
  void theEleventhChatRequestOfAUserIsRefused() {
    for (int i = 1; i <= 10; i++) {
      Caller.Reply reply = caller.post("/v1/check", chat("alice"));
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.field("content-type")).isEqualTo("application/json");
      assertThat(reply.json().get("allowed").asBoolean()).isTrue();
      assertThat(reply.json().get("remaining").asLong()).isEqualTo(10 - i);
    }
    server.time.advance(Duration.ofSeconds(29));
    JsonNode refused = caller.post("/v1/check", chat("alice")).json();

    String version = refused.get("policy").asText();
    assertThat(refused)
        .hasToString(
            """
            {"allowed":false,"decision":"throttled","client":"user:alice","tier":null,"endpoint":"chat",\
            "rule":"endpoint:chat","limit":10,"remaining":0,"reset":1772359260,"retry_after":31,\
            "reason":"limit_exceeded","degraded":false,"policy":"%s",\
            "headers":{"X-RateLimit-Limit":"10","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1772359260",\
            "RateLimit-Policy":"\\"chat\\";q=10;w=60","RateLimit":"\\"chat\\";r=0;t=31","Retry-After":"31"},\
            "limits":[{"rule":"endpoint:chat","limit":10,"window":60,"remaining":0,"reset":1772359260}]}"""
                .formatted(version));
    assertThat(caller.post("/v1/check", chat("bob")).json().get("allowed").asBoolean()).isTrue();
    server.time.advance(Duration.ofSeconds(31));
    assertThat(caller.post("/v1/check", chat("alice")).json().get("allowed").asBoolean()).isTrue();
  }

  @Test
  void aDryRunConsumesNothing() {
    String body = "{\"path\": \"/api/v1/rag/chat\", \"user\": \"alice\", \"dry_run\": true}";
    for (int i = 0; i < 20; i++) {
      assertThat(caller.post("/v1/check", body).json().get("remaining").asLong()).isEqualTo(10);
    }
    assertThat(caller.post("/v1/check", chat("alice")).json().get("remaining").asLong())
        .isEqualTo(9);
  }

  @Test
  void severalRequestsAreDecidedInOneCallInTheirOrder() {
    StringBuilder body = new StringBuilder("[");
    for (int i = 0; i < 12; i++) {
      body.append(i == 0 ? "" : ",").append(chat("alice"));
    }
    JsonNode answers = caller.post("/v1/checks", body + "]").json();

    assertThat(answers).hasSize(12);
    for (int i = 0; i < 12; i++) {
      assertThat(answers.get(i).get("allowed").asBoolean()).isEqualTo(i < 10);
    }
    assertThat(caller.post("/v1/checks", "[]").body()).isEqualTo("[]");
  }

  @Test
  void aBatchWithOneMistakeConsumesNothing() {
    Caller.Reply wrong =
        caller.post("/v1/checks", "[" + chat("alice") + ", {\"path\": \"/x\", \"cost\": -1}]");

    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().get("field").asText()).isEqualTo("[1].cost");
    assertThat(caller.post("/v1/check", chat("alice")).json().get("remaining").asLong())
        .isEqualTo(9);
  }

  @Test
  void explainingTellsWhichRulesMatchedAndWhy() {
    JsonNode answer = caller.post("/v1/explain", chat("alice")).json();

    assertThat(answer.get("remaining").asLong()).isEqualTo(10);
    assertThat(answer.get("rules")).hasSize(3);
    assertThat(answer.get("rules").get(0).get("rule").asText()).isEqualTo("endpoint:chat");
    assertThat(answer.get("rules").get(0).get("matched").asBoolean()).isTrue();
    assertThat(answer.get("rules").get(1).get("why").asText()).contains("tier");
    assertThat(caller.post("/v1/check", chat("alice")).json().get("remaining").asLong())
        .isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"client\": \"user:alice\", \"endpoint\": \"chat\", \"cost\": 3}",
        "{\"user\": \"alice\", \"path\": \"/api/v1/rag/chat\", \"cost\": 3}"
      })
  void aRefundGivesBack(String refund) {
    for (int i = 0; i < 5; i++) {
      caller.post("/v1/check", chat("alice"));
    }
    Caller.Reply reply = caller.post("/v1/refund", refund);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().get("client").asText()).isEqualTo("user:alice");
    assertThat(reply.json().get("refunded").asLong()).isEqualTo(3);
    assertThat(caller.post("/v1/check", chat("alice")).json().get("remaining").asLong())
        .isEqualTo(7);
  }

  @Test
  void aBodyThatIsTooLongIsNotRead() {
    Caller.Reply reply = caller.post("/v1/check", "{\"path\": \"/" + "a".repeat(70_000) + "\"}");

    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.json().get("field").asText()).isEqualTo("body");
  }

  @Test
  void whatIsNotThereIsSaidInTheSameShape() {
    Caller.Reply reply = caller.get("/nowhere");

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.json().get("message").asText()).isEqualTo("there is nothing at /nowhere");
    Caller.Reply method = caller.get("/v1/check");
    assertThat(method.status()).isEqualTo(405);
    assertThat(method.field("allow")).isEqualTo("POST");
  }

  @Test
  void healthAndReadinessAreTold() {
    assertThat(caller.get("/healthz").body()).isEqualTo("{\"status\": \"ok\"}");
    JsonNode ready = caller.get("/readyz").json();

    assertThat(ready.get("status").asText()).isEqualTo("ready");
    assertThat(ready.get("counters").get("backend").asText()).isEqualTo("memory");
    assertThat(ready.get("policy").get("state").asText()).isEqualTo("current");
  }

  @Test
  void aChangeOfTheFileTakesEffectByItself() {
    assertThat(caller.post("/v1/check", chat("alice")).json().get("limit").asLong()).isEqualTo(10);
    server.write(CONFIG.replace("limit = 10\n", "limit = 4\n"));

    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> caller.post("/v1/explain", chat("alice")).json().get("limit").asLong() == 4);
    assertThat(caller.post("/v1/check", chat("alice")).json().get("remaining").asLong())
        .isEqualTo(2);
  }

  @Test
  void aWrongChangeLeavesAllAsItWasAndIsTold() {
    server.write(CONFIG.replace("limit = 10\n", "limit = -4\n"));
    Caller.Reply reload = caller.post("/v1/admin/policy/reload", "");

    assertThat(reload.status()).isEqualTo(400);
    assertThat(reload.json().get("mistakes").get(0).asText()).contains("endpoint[0].limit");
    assertThat(caller.post("/v1/check", chat("alice")).json().get("limit").asLong()).isEqualTo(10);
    assertThat(caller.get("/readyz").json().get("policy").get("state").asText())
        .isEqualTo("change refused");
    assertThat(caller.get("/v1/admin/policy").json().get("problem").asText())
        .contains("endpoint[0].limit");
    server.write(CONFIG);
    assertThat(caller.post("/v1/admin/policy/reload", "").status()).isEqualTo(200);
    assertThat(caller.get("/readyz").json().get("policy").get("state").asText())
        .isEqualTo("current");
  }
}
