package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.RawHttp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forward-auth as proxies use it. */
class AuthIT {
  static final String CONFIG =
      """
      [client]
      trusted_proxies = ["127.0.0.1/32"]

      [default]
      limit = 5
      window = "60s"
      algorithm = "fixed_window"

      [[endpoint]]
      name = "login"
      paths = ["/login"]
      methods = ["POST"]
      limit = 2
      window = "60s"
      scope = "ip"
      """;

  private final TestServer server;
  private final Caller caller;

  AuthIT(@TempDir Path folder) {
    this.server = new TestServer(folder, CONFIG);
    this.caller = server.caller;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Caller.Reply auth(String... headers) {
    return caller.get("/v1/auth", headers);
  }

  @Test
  void fivePassAndTheSixthIsRefused() {
    for (int i = 4; i >= 0; i--) {
      Caller.Reply reply = auth("X-Original-URI", "/a?b=c", "X-Forwarded-For", "203.0.113.7");
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEmpty();
      assertThat(reply.field("x-ratelimit-limit")).isEqualTo("5");
      assertThat(reply.field("x-ratelimit-remaining")).isEqualTo(Integer.toString(i));
      assertThat(reply.field("ratelimit")).isEqualTo("\"default\";r=" + i + ";t=60");
      assertThat(reply.field("retry-after")).isEmpty();
    }
    Caller.Reply refused = auth("X-Original-URI", "/a", "X-Forwarded-For", "203.0.113.7");

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.field("retry-after")).isEqualTo("60");
    assertThat(refused.field("ratelimit-policy")).isEqualTo("\"default\";q=5;w=60");
    assertThat(refused.body())
        .isEqualTo(
            "{\"error\": \"Too Many Requests\", \"message\": \"rate limit exceeded, retry in 60 s\", \"retryAfter\": 60}");
    assertThat(auth("X-Original-URI", "/a", "X-Forwarded-For", "203.0.113.8").status())
        .isEqualTo(200);
  }

  @Test
  void aRefusalHasTheStatusThatTheProxyUnderstands() {
    for (int i = 0; i < 5; i++) {
      caller.get("/v1/auth?deny_status=403", "X-Original-URI", "/");
    }
    Caller.Reply refused = caller.get("/v1/auth?deny_status=403", "X-Original-URI", "/");

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.field("x-weir-status")).isEqualTo("429");
    assertThat(refused.field("retry-after")).isEqualTo("60");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"?page=2", "?a&deny_status=403", "?deny_status=403&b=c", "?no_deny_status=1"})
  void theRestOfTheQueryDoesNotMatter(String query) {
    assertThat(caller.get("/v1/auth" + query, "X-Original-URI", "/").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "X-Original-URI, X-Original-Method",
    "X-Forwarded-Uri, X-Forwarded-Method",
  })
  void methodAndPathAreThoseThatTheProxyTells(String uri, String method) {
    for (int i = 0; i < 2; i++) {
      assertThat(auth(uri, "/login", method, "POST").status()).isEqualTo(200);
    }
    assertThat(auth(uri, "/%6cogin/", method, "POST").status()).isEqualTo(429);
    assertThat(auth(uri, "/login", method, "GET").status()).isEqualTo(200);
    assertThat(auth(uri, "/login").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"POST", "PUT", "OPTIONS", "HEAD", "PATCH", "PROPFIND"})
  void anyMethodMayAsk(String method) {
    assertThat(caller.call(method, "/v1/auth", null, "X-Original-URI", "/").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @DisplayName("T74: a content type of gRPC does not change the response")
  @ValueSource(
      strings = {
        "application/grpc",
        "application/grpc+proto",
        "application/grpc-web",
        "application/grpc-web+proto",
        "application/grpc-web-text",
      })
  void aContentTypeDoesNotLetPass(String type) {
    String[] headers = {
      "X-Original-URI", "/login", "X-Original-Method", "POST", "Content-Type", type
    };
    for (int i = 0; i < 2; i++) {
      assertThat(auth(headers).status()).isEqualTo(200);
    }
    assertThat(auth(headers).status()).isEqualTo(429);
    assertThat(caller.call("POST", "/v1/auth", null, headers).status()).isEqualTo(429);
    assertThat(caller.get("/nothing", "Content-Type", type).status()).isEqualTo(404);
  }

  @Test
  void twoFamiliesOfFieldsThatDisagreeAreRefused() {
    assertThat(auth("X-Original-URI", "/a", "X-Forwarded-Uri", "/b").status()).isEqualTo(400);
    assertThat(auth("X-Original-URI", "/a", "X-Forwarded-Uri", "/a").status()).isEqualTo(200);
    assertThat(auth("X-Original-URI", "/a", "X-Original-URI", "/a").status()).isEqualTo(400);
    assertThat(
            auth("X-Original-URI", "/a", "X-Original-Method", "GET", "X-Forwarded-Method", "POST")
                .status())
        .isEqualTo(400);
  }

  @Test
  @DisplayName("T27: who is no trusted proxy cannot describe requests")
  void t27() {
    byte[] request =
        "GET /v1/auth HTTP/1.1\r\nHost: x\r\nX-Original-URI: /a\r\nX-Forwarded-For: 1.2.3.4\r\nConnection: close\r\n\r\n"
            .getBytes(StandardCharsets.ISO_8859_1);
    RawHttp.Reply reply = RawHttp.call(2, server.server.port(), request);

    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.text()).contains("\"field\": \"peer\"");
    assertThat(RawHttp.call(1, server.server.port(), request).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("T2: what a client has written itself before the proxy's entry counts for nothing")
  void t2() {
    int passed = 0;
    for (int i = 0; i < 20; i++) {
      passed +=
          auth("X-Original-URI", "/", "X-Forwarded-For", "6.6.6." + i + ", 203.0.113.7").status()
                  == 200
              ? 1
              : 0;
    }
    assertThat(passed).isEqualTo(5);
  }
}
