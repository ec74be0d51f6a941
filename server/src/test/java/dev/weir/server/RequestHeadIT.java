package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.RawHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A head that can be read in two ways, or not at all, gets a 400 on every route. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestHeadIT {
  private static final int PATIENCE_MILLIS = 20_000;

  private TestServer server;
  private int port;

  @BeforeAll
  void start(@TempDir Path folder) {
    server =
        new TestServer(folder, "", "RATE_LIMIT_SERVER_CHECK_TOKEN", "the-check-token-of-this-test");
    port = server.server.port();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @DisplayName("T74: a Host that is no host gets 400 on every route")
  @CsvSource({
    "/v1/auth, a%00b",
    "/v1/auth, evil.example%3F",
    "/v1/auth, %41",
    "/v1/auth, a%zz",
    "/v1/auth, a/b",
    "/v1/auth, user@host",
    "/v1/session, a%00b",
    "/v1/admin/rules, a%00b",
    "/metrics, a%00b",
    "/healthz, a%00b",
    "/, a%00b",
    "/no/such/path, a%00b",
    "/healthz, [",
    "/healthz, [::1",
    "/healthz, [::1]]",
    "/healthz, ::1",
    "/healthz, localhost:80:80",
    "/healthz, localhost:123456",
    "/healthz, localhost:port",
  })
  void t74(String path, String host) {
    assertRefused(
        RawHttp.call(port, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(path, host)), "host");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "localhost:80", "a.b-c_d~e", "127.0.0.1:", "[::1]", "[::1]:8080"})
  void aHostMayHaveAPort(String host) {
    RawHttp.Reply reply =
        RawHttp.call(port, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host));

    assertThat(reply.status()).describedAs(reply.text()).isEqualTo(200);
  }

  @Test
  @DisplayName("T74: over HTTP/2 the other streams of the connection are served")
  void t74OverHttp2() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(Http2Bytes.start());
      socket.getOutputStream().write(Http2Bytes.get(1, "/healthz", "localhost"));
      socket.getOutputStream().write(Http2Bytes.get(3, "/v1/auth", "a%00b"));
      socket.getOutputStream().write(Http2Bytes.get(5, "/healthz", "a%00b"));
      socket.getOutputStream().write(Http2Bytes.get(7, "/healthz", "localhost"));

      assertThat(Http2Bytes.readStatuses(socket.getInputStream(), 4))
          .isEqualTo(Map.of(1, 200, 3, 400, 5, 400, 7, 200));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/healthz", "/v1/auth", "/metrics"})
  void hostIsRequiredOverHttp11(String path) {
    assertRefused(RawHttp.call(port, "GET " + path + " HTTP/1.1\r\nX-A: b\r\n\r\n"), "host");
  }

  @Test
  void hostIsNotRequiredOverHttp10() {
    assertThat(RawHttp.call(port, "GET /healthz HTTP/1.0\r\nX-A: b\r\n\r\n").text())
        .contains(" 200 OK");
  }

  @ParameterizedTest
  @CsvSource({"Host, localhost, host", "Origin, http://localhost, origin"})
  void aFieldThatDecidesIsGivenOnce(String name, String value, String field) {
    String line = name + ": " + value + "\r\n";
    String host = name.equals("Host") ? "" : "Host: localhost\r\n";

    assertRefused(
        RawHttp.call(port, "GET /v1/session HTTP/1.1\r\n" + host + line + line + "\r\n"), field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zz\r\n{}\r\n0\r\n\r\n", "2\r\n{}0\r\n\r\n", "-1\r\n\r\n"})
  void malformedChunksGetAResponse(String chunks) {
    RawHttp.Reply reply =
        RawHttp.call(
            port,
            "POST /v1/check HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer the-check-token-of-this-test\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + chunks);

    assertRefused(reply, "body");
  }

  @ParameterizedTest
  @DisplayName("T74: malformed chunks get a response also where nobody reads the body")
  @ValueSource(
      strings = {
        "GET /v1/auth",
        "POST /v1/auth",
        "GET /metrics",
        "GET /v1/admin/audit",
        "GET /v1/admin/keys",
        "POST /v1/admin/policy/reload"
      })
  void malformedChunksGetAResponseEverywhere(String target) {
    RawHttp.Reply reply =
        RawHttp.call(
            port,
            target
                + " HTTP/1.1\r\nHost: localhost\r\nX-Original-URI: /a\r\n"
                + "Authorization: Bearer the-check-token-of-this-test\r\n"
                + "Transfer-Encoding: chunked\r\n\r\nzz\r\n");

    // Some have answered before the body comes.
    assertThat(reply.status()).describedAs(reply.text()).isIn(200, 400, 401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"client=%zz", "client=%", "client=%c0%af", "client=%ff"})
  void aQueryThatCannotBeDecodedIsRefused(String query) {
    RawHttp.Reply reply =
        RawHttp.call(port, "GET /v1/admin/audit?" + query + " HTTP/1.1\r\nHost: localhost\r\n\r\n");

    assertThat(reply.status()).describedAs(reply.text()).isEqualTo(400);
  }

  private static void assertRefused(RawHttp.Reply reply, String field) {
    assertThat(reply.status()).describedAs(reply.text()).isEqualTo(400);
    assertThat(reply.body()).contains("\"field\": \"" + field + "\"");
  }
}
