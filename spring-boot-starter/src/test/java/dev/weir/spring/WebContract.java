package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.PathSpellings;
import dev.weir.testkit.http.RawHttp;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds on every server: each starts a real one, and asks it over real connections. */
abstract class WebContract {
  private static final int MEBIBYTE = 1 << 20;

  /** Starts an application with the usual controllers. */
  abstract TestApplication start(String... properties);

  static RawHttp.Reply get(TestApplication application, String target, String... fields) {
    return ask(application, "GET", target, fields);
  }

  static RawHttp.Reply ask(
      TestApplication application, String method, String target, String... fields) {
    StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: a\r\n");
    for (String field : fields) {
      request.append(field).append("\r\n");
    }
    return RawHttp.call(application.port(), request.append("\r\n").toString());
  }

  @Test
  void withNothingSaidTheSixtyFirstRequestInAMinuteIsRefused() {
    try (TestApplication application = start()) {
      for (int i = 1; i <= 60; i++) {
        RawHttp.Reply reply = get(application, "/hello");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("hello");
        assertThat(reply.text())
            .containsIgnoringCase("X-RateLimit-Limit: 60\r\n")
            .containsIgnoringCase("X-RateLimit-Remaining: " + (60 - i) + "\r\n")
            .containsIgnoringCase("RateLimit-Policy: \"default\";q=60;w=60\r\n")
            .doesNotContainIgnoringCase("Retry-After");
      }
      RawHttp.Reply refused = get(application, "/hello");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.body())
          .matches(
              "\\{\"error\": \"Too Many Requests\", \"message\": \".+\", \"retryAfter\": \\d+}");
      assertThat(refused.text())
          .containsIgnoringCase("X-RateLimit-Remaining: 0\r\n")
          .containsPattern("(?i)Retry-After: ([1-9]|[1-5][0-9]|60)\r\n")
          .containsPattern("(?i)Content-Type: application/json;\\s*charset=utf-8\r\n");
    }
  }

  @Test
  void clientsAreToldApartByTheirAddresses() {
    try (TestApplication application = start("ratelimit.requests-per-minute=2")) {
      for (int i = 0; i < 4; i++) {
        assertThat(get(application, "/hello").status()).isEqualTo(i < 2 ? 200 : 429);
      }
      byte[] request =
          "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.ISO_8859_1);
      // 127.0.0.2 is a proxy that is trusted, but says nothing.
      assertThat(RawHttp.call(2, application.port(), request).status()).isEqualTo(200);
      assertThat(get(application, "/hello", "X-Forwarded-For: 192.0.2.1").status()).isEqualTo(200);
      assertThat(get(application, "/hello", "X-Forwarded-For: 192.0.2.1").status()).isEqualTo(200);
      assertThat(get(application, "/hello", "X-Forwarded-For: 192.0.2.1").status()).isEqualTo(429);
    }
  }

  @Test
  @DisplayName("T23: HEAD counts as GET, and no header changes a method")
  void headCountsAsGet() {
    try (TestApplication application =
        start(
            "ratelimit.rule[0].name=reads",
            "ratelimit.rule[0].match.method=GET",
            "ratelimit.rule[0].limits=3/m")) {
      for (int i = 0; i < 10; i++) {
        RawHttp.Reply reply = ask(application, "HEAD", "/hello", "X-HTTP-Method-Override: POST");
        assertThat(reply.status()).isEqualTo(i < 3 ? 200 : 429);
      }
      assertThat(get(application, "/hello", "X-HTTP-Method-Override: POST").status())
          .isEqualTo(429);
      assertThat(get(application, "/hello?_method=POST").status()).isEqualTo(429);
      assertThat(ask(application, "POST", "/hello", "Content-Length: 0").status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("T26: what is nowhere is limited too")
  void whatIsNowhereIsLimitedToo() {
    try (TestApplication application = start("ratelimit.requests-per-minute=3")) {
      for (int i = 0; i < 6; i++) {
        assertThat(get(application, "/nowhere").status()).isEqualTo(i < 3 ? 404 : 429);
      }
    }
  }

  @Test
  @DisplayName("T25: a request is counted once, however often it is dispatched")
  void aRequestIsCountedOnce() {
    try (TestApplication application = start("ratelimit.requests-per-minute=100")) {
      int left = 100;
      for (String path : List.of("/hello", "/later", "/broken", "/nowhere", "/stream", "/hello")) {
        RawHttp.Reply reply = get(application, path);
        left--;
        assertThat(reply.text())
            .as(path)
            .containsIgnoringCase("X-RateLimit-Remaining: " + left + "\r\n");
      }
      assertThat(get(application, "/broken").status()).isEqualTo(500);
      assertThat(get(application, "/later").body()).contains("later");
      assertThat(get(application, "/stream").text()).contains("data:1").contains("data:3");
    }
  }

  @Test
  @DisplayName("T21: 60 spellings of a path are 5 requests under a limit of 5")
  void spellingsOfAPathAreCountedTogether() {
    try (TestApplication application =
        start(
            "ratelimit.endpoint[0].name=login",
            "ratelimit.endpoint[0].paths=/login",
            "ratelimit.endpoint[0].limit=5/m")) {
      int passed = 0;
      for (int round = 0; round < 2; round++) {
        for (String spelling : PathSpellings.OF_LOGIN) {
          int status = get(application, spelling).status();
          assertThat(status).as(spelling).isIn(200, 302, 400, 404, 429);
          passed += status == 400 || status == 429 ? 0 : 1;
        }
      }
      assertThat(passed).isEqualTo(5);
    }
  }

  @Test
  @DisplayName("T21: what is routed to a path is counted for it")
  void whatIsRoutedToAPathIsCountedForIt() {
    try (TestApplication application =
        start(
            "ratelimit.endpoint[0].name=login",
            "ratelimit.endpoint[0].paths=/login",
            "ratelimit.endpoint[0].limit=100000/h",
            "ratelimit.requests-per-minute=100000")) {
      int served = 0;
      for (String spelling : PathSpellings.OF_LOGIN) {
        RawHttp.Reply reply = get(application, spelling);
        if (reply.status() == 200) {
          assertThat(reply.body()).isEqualTo("login");
          assertThat(reply.text()).as(spelling).contains("\"login\";q=100000");
          served++;
        }
      }
      assertThat(served).isGreaterThan(5);
    }
  }

  @Test
  @DisplayName("T26: an upload of 32 MiB is refused before it is read")
  void anUploadIsRefusedBeforeItIsRead() throws IOException {
    try (TestApplication application = start("ratelimit.requests-per-minute=1")) {
      assertThat(get(application, "/hello").status()).isEqualTo(200);
      Upload upload = Upload.send(application.port(), 32 * MEBIBYTE);
      assertThat(upload.reply).startsWith("HTTP/1.1 429");
      assertThat(upload.sent).isLessThan(64 << 10);
    }
  }

  /**
   * What came of an upload, and how much of it was taken by the server before the answer. It is
   * sent slowly and through a small buffer, so that what is sent was taken.
   */
  private record Upload(long sent, String reply) {
    private static final int PIECE = 4 << 10;

    static Upload send(int port, long length) throws IOException {
      try (Socket socket = new Socket()) {
        socket.setSendBufferSize(PIECE);
        socket.setSoTimeout(20_000);
        socket.connect(
            new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port), 20_000);
        OutputStream out = socket.getOutputStream();
        out.write(
            ("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n"
                    + "Content-Length: "
                    + length
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        InputStream in = socket.getInputStream();
        byte[] piece = new byte[PIECE];
        long sent = 0;
        while (sent < length && in.available() == 0) {
          try {
            out.write(piece);
            sent += PIECE;
            Thread.sleep(20);
          } catch (SocketException closed) {
            break;
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            break;
          }
        }
        byte[] start = new byte[1_024];
        int read = in.read(start);
        return new Upload(
            sent, new String(start, 0, Math.max(0, read), StandardCharsets.ISO_8859_1));
      }
    }
  }

  @Test
  void refusalsAreProblemsIfAskedFor() {
    try (TestApplication application =
        start("ratelimit.requests-per-minute=1", "ratelimit.response.body=problem")) {
      assertThat(get(application, "/hello").status()).isEqualTo(200);
      RawHttp.Reply reply = get(application, "/hello");
      assertThat(reply.status()).isEqualTo(429);
      assertThat(reply.text()).containsIgnoringCase("Content-Type: application/problem+json");
      assertThat(reply.body()).contains("#quota-exceeded").contains("\"violated-policies\"");
    }
  }

  @Test
  void whatCannotBeUnderstoodIsRefused() {
    try (TestApplication application = start()) {
      RawHttp.Reply reply = get(application, "/a/%2e%2e/%2e%2e/hello");
      assertThat(reply.status()).isEqualTo(400);
    }
  }

  @Test
  void nothingIsLimitedIfItIsSwitchedOff() {
    try (TestApplication application =
        start("ratelimit.enabled=false", "ratelimit.requests-per-minute=1")) {
      for (int i = 0; i < 5; i++) {
        RawHttp.Reply reply = get(application, "/hello");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).doesNotContainIgnoringCase("X-RateLimit");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/limited", "/limited-later"})
  void methodsAreLimitedBesideThePath(String path) {
    try (TestApplication application = start("ratelimit.requests-per-minute=100")) {
      assertThat(get(application, path + "?who=a").text()).contains("for a");
      assertThat(get(application, path + "?who=a").text()).contains("for a");
      RawHttp.Reply refused = get(application, path + "?who=a");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.text()).containsPattern("(?i)Retry-After: [1-9]");
      assertThat(refused.body()).contains("Too Many Requests");
      assertThat(get(application, path + "?who=b").text()).contains("for b");
    }
  }

  @Test
  void methodsAreLimitedAlsoWithoutTheFilter() {
    try (TestApplication application =
        start("ratelimit.filter.enabled=false", "ratelimit.requests-per-minute=1")) {
      for (int i = 0; i < 4; i++) {
        assertThat(get(application, "/limited?who=a").status()).isEqualTo(i < 2 ? 200 : 429);
      }
      assertThat(get(application, "/hello").status()).isEqualTo(200);
    }
  }
}
