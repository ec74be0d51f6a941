package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.http.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is sent, the answer is one that is documented, and tells nothing about our insides. */
class BadInputIT {
  private static final int CALLS = TestLevel.amount("weir.server.bad.calls", 1_000, 5_000);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> CALLED =
      List.of("/v1/check", "/v1/checks", "/v1/explain", "/v1/refund", "/v1/admin/blocks");
  private static final String GOOD =
      "{\"method\": \"GET\", \"path\": \"/a/b\", \"ip\": \"192.0.2.1\", \"user\": \"alice\","
          + " \"cost\": 1, \"headers\": {\"x-app\": [\"a\", \"b\"]}, \"dry_run\": false}";
  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          "\"",
          ",",
          ":",
          "null",
          "true",
          "-1",
          "1e999",
          "0.5",
          "\\u0000",
          "\\ud800",
          "\"path\":",
          "\"cost\": 99999999999999999999",
          "\"ip\": \"::1%eth0\"",
          "/../..",
          "%2f",
          "%00",
          "\u0007",
          "'",
          "NaN",
          "/*",
          "//",
          "\"user\": {}",
          "\"headers\": []",
          "\"headers\": {\"a\": {\"b\": {}}}",
          "[[[[[[[[[[",
          "\u2028",
          "\ufffe");

  @TempDir private Path folder = Path.of("");

  private static String spoiled(Random random) {
    StringBuilder body = new StringBuilder(random.nextInt(4) == 0 ? "[" + GOOD + "]" : GOOD);
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(body.length() + 1);
      switch (random.nextInt(3)) {
        case 0 -> body.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        case 1 -> body.setLength(at);
        default ->
            body.replace(
                Math.min(at, Math.max(0, body.length() - 1)),
                Math.min(body.length(), at + 1 + random.nextInt(10)),
                PIECES.get(random.nextInt(PIECES.size())));
      }
    }
    return body.toString();
  }

  @Test
  void bodiesThatAreWrongAreAnsweredInOneShape() {
    long seed = 20_260_301;
    Random random = new Random(seed);
    int wrong = 0;
    try (TestServer server = new TestServer(folder, "")) {
      for (int i = 0; i < CALLS; i++) {
        String path = CALLED.get(random.nextInt(CALLED.size()));
        String body = spoiled(random);
        Caller.Reply reply = server.caller.post(path, body);
        String what = "seed %d, call %d: %s %s".formatted(seed, i, path, body);
        wrong += reply.status() >= 400 ? 1 : 0;
        assertThat(reply.status()).as(what).isIn(200, 201, 400, 413);
        if (reply.status() >= 400) {
          assertIsAnError(what, reply.json());
        }
      }
      assertThat(wrong).isGreaterThan(CALLS / 2);
      assertThat(server.caller.get("/healthz").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @DisplayName("T76: text that is not UTF-8 is refused, not taken for another one")
  @ValueSource(
      strings = {
        "/v1/check {\"path\": \"/a\u00c0\u00af\"}",
        "/v1/check {\"path\": \"/a\", \"user\": \"\u00c0\u00ae\"}",
        "/v1/check {\"path\": \"/a\", \"user\": \"\u00e0\u0080\u00af\"}",
        "/v1/check {\"path\": \"/a\", \"user\": \"\u00ff\"}",
        "/v1/check {\"path\": \"/a\", \"user\": \"\u00ed\u00a0\u0080\"}",
        "/v1/check {\"path\": \"/a\", \"user\": \"\\ud800\"}",
        "/v1/check {\u0000\"\u0000p\u0000",
        "/v1/checks [{\"path\": \"/a\u00c0\u00af\"}]",
        "/v1/explain {\"path\": \"/a\u00c0\u00af\"}",
        "/v1/refund {\"path\": \"/a\", \"client\": \"user:\u00c0\u00af\"}",
        "/v1/admin/blocks {\"client\": \"user:\u00c0\u00af\"}",
        "/json {\"domain\": \"d\", \"descriptors\": [{\"entries\": [{\"key\": \"\u00c0\u00af\"}]}]}",
      })
  void t76(String call) {
    int space = call.indexOf(' ');
    String body = call.substring(space + 1);
    try (TestServer server = new TestServer(folder, "")) {
      RawHttp.Reply reply =
          RawHttp.call(
              server.server.port(),
              "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                  .formatted(call.substring(0, space), body.length(), body));

      assertThat(reply.status()).describedAs(reply.text()).isEqualTo(400);
    }
  }

  @Test
  @DisplayName("T76: a client in a path is named in UTF-8")
  void t76InAPath() {
    try (TestServer server = new TestServer(folder, "")) {
      for (String client : List.of("user:%c0%af", "user:%ff", "user:%ed%a0%80", "user:%zz")) {
        Caller.Reply reply = server.caller.get("/v1/admin/counters/" + client);
        assertThat(reply.status()).as(client).isEqualTo(400);
      }
      assertThat(server.caller.get("/v1/admin/counters/user:%c3%a9").json().get("client").asText())
          .isEqualTo("user:\u00e9");
    }
  }

  private static void assertIsAnError(String what, JsonNode error) {
    List<String> members = new ArrayList<>();
    error.fieldNames().forEachRemaining(members::add);
    assertThat(members).as(what).containsExactly("error", "message", "field");
    assertThat(error.get("message").asText())
        .as(what)
        .isNotBlank()
        .doesNotContain("Exception", "\tat ", "dev.weir", "jackson")
        .hasSizeLessThan(3_000);
    assertThat(error.get("field").asText()).as(what).isNotEmpty();
  }

  private static final List<String> STARTS =
      List.of(
          "GET /healthz HTTP/1.1",
          "POST /v1/check HTTP/1.1",
          "GET /v1/auth HTTP/1.1",
          "GET  /healthz HTTP/1.1",
          "GET /healthz HTTP/9.9",
          "GET /healthz",
          "\u0001\u0002",
          "GET http://x/healthz HTTP/1.1",
          "GET * HTTP/1.1",
          "get /healthz HTTP/1.1",
          "GET /\u00e9 HTTP/1.1",
          "GET /a%zz HTTP/1.1",
          "DELETE /v1/admin/counters/%zz HTTP/1.1",
          "DELETE /v1/admin/counters/x HTTP/1.1",
          "OPTIONS /v1/check HTTP/1.1");
  private static final List<String> FIELDS =
      List.of(
          "Host: localhost",
          "Host: a b",
          "Host:",
          "Content-Length: -1",
          "Content-Length: x",
          "Content-Length: 5",
          "Content-Length: 5\r\nContent-Length: 6",
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: x",
          "X-Original-URI: /a",
          "X-Original-URI: \u0001",
          "X-Forwarded-For: ,,,",
          "X-Forwarded-For: unknown",
          "Authorization: Bearer",
          "Authorization: Bearer a.b.c",
          "X-API-Key: \u00ff",
          " folded: x",
          "no colon",
          ": empty",
          "a\u0000b: c",
          "X-Long: " + "a".repeat(20_000),
          "Expect: 100-continue",
          "Connection: upgrade",
          "Upgrade: h2c",
          "Upgrade: websocket",
          "Cookie: " + "a=b; ".repeat(100));

  @Test
  void requestsThatAreHardlyHttpAreAnsweredOrClosed() throws IOException {
    long seed = 20_260_302;
    Random random = new Random(seed);
    int refused = 0;
    try (TestServer server = new TestServer(folder, "")) {
      for (int i = 0; i < CALLS; i++) {
        StringBuilder request = new StringBuilder(STARTS.get(random.nextInt(STARTS.size())));
        request.append("\r\nConnection: close\r\n");
        int fields = random.nextInt(10) == 0 ? 150 : 1 + random.nextInt(5);
        for (int f = 0; f < fields; f++) {
          request.append(FIELDS.get(random.nextInt(fields > 5 ? 1 : FIELDS.size()))).append("\r\n");
        }
        request.append("\r\n").append(random.nextBoolean() ? "5\r\nabcde\r\n0\r\n\r\n" : "{}xyz");
        RawHttp.Reply reply =
            RawHttp.half(
                server.server.port(), request.toString().getBytes(StandardCharsets.ISO_8859_1));
        String what = "seed %d, call %d: %s".formatted(seed, i, shortened(request.toString()));
        assertThat(reply.status()).as(what).isLessThan(500);
        if (reply.status() >= 400) {
          refused++;
          String body = reply.body();
          if (!body.isEmpty()) {
            assertIsAnError(what, JSON.readTree(body));
          }
        }
      }
      assertThat(refused).isGreaterThan(CALLS / 3);
      assertThat(server.caller.get("/healthz").status()).isEqualTo(200);
    }
  }

  private static String shortened(String text) {
    return text.length() < 400 ? text : text.substring(0, 400) + "…";
  }
}
