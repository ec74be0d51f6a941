package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.PathSpellings;
import dev.weir.testkit.http.RawHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds on every server: each starts a real one, and asks it over real connections. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WebContract {
  private static final int MEBIBYTE = 1 << 20;
  private static final int MANY = 100_000;

  static final String[] THREE_A_MINUTE = {"ratelimit.requests-per-minute=3"};
  private static final String[] MANY_A_MINUTE = {
    "ratelimit.requests-per-minute=" + MANY,
    "ratelimit.endpoint[0].name=login",
    "ratelimit.endpoint[0].paths=/login",
    "ratelimit.endpoint[0].limit=100000/h"
  };
  private static final String[] LOGINS_AND_READS = {
    "ratelimit.endpoint[0].name=login",
    "ratelimit.endpoint[0].paths=/login",
    "ratelimit.endpoint[0].limit=5/h",
    "ratelimit.rule[0].name=reads",
    "ratelimit.rule[0].match.method=GET",
    "ratelimit.rule[0].match.path=/hello",
    "ratelimit.rule[0].limits=3/h"
  };

  /** For tests that can do with the same properties, for clients of their own. */
  final SharedApplications shared = new SharedApplications(this::start);

  /** Starts an application with the usual controllers. */
  abstract TestApplication start(String... properties);

  @AfterAll
  void stop() {
    shared.close();
  }

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
    TestApplication application = shared.with();
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
        .matches("\\{\"error\": \"Too Many Requests\", \"message\": \".+\", \"retryAfter\": \\d+}");
    assertThat(refused.text())
        .containsIgnoringCase("X-RateLimit-Remaining: 0\r\n")
        .containsPattern("(?i)Retry-After: ([1-9]|[1-5][0-9]|60)\r\n")
        .containsPattern("(?i)Content-Type: application/json;\\s*charset=utf-8\r\n");
  }

  @Test
  void clientsAreToldApartByTheirAddresses() {
    TestApplication application = shared.with(THREE_A_MINUTE);
    for (int i = 0; i < 5; i++) {
      assertThat(get(application, "/hello").status()).isEqualTo(i < 3 ? 200 : 429);
    }
    byte[] request =
        "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            .getBytes(StandardCharsets.ISO_8859_1);
    // 127.0.0.2 is a proxy that is trusted, but says nothing.
    assertThat(RawHttp.call(2, application.port(), request).status()).isEqualTo(200);
    for (int i = 0; i < 4; i++) {
      assertThat(get(application, "/hello", "X-Forwarded-For: 192.0.2.1").status())
          .isEqualTo(i < 3 ? 200 : 429);
    }
  }

  @Test
  @DisplayName("T23: HEAD counts as GET, and no header changes a method")
  void headCountsAsGet() {
    TestApplication application = shared.with(LOGINS_AND_READS);
    for (int i = 0; i < 10; i++) {
      RawHttp.Reply reply = ask(application, "HEAD", "/hello", "X-HTTP-Method-Override: POST");
      assertThat(reply.status()).isEqualTo(i < 3 ? 200 : 429);
    }
    assertThat(get(application, "/hello", "X-HTTP-Method-Override: POST").status()).isEqualTo(429);
    assertThat(get(application, "/hello?_method=POST").status()).isEqualTo(429);
    assertThat(ask(application, "POST", "/hello", "Content-Length: 0").status()).isEqualTo(200);
  }

  @Test
  @DisplayName("T26: what is nowhere is limited too")
  void whatIsNowhereIsLimitedToo() {
    TestApplication application = shared.with(THREE_A_MINUTE);
    for (int i = 0; i < 6; i++) {
      assertThat(get(application, "/nowhere", "X-Forwarded-For: 192.0.2.2").status())
          .isEqualTo(i < 3 ? 404 : 429);
    }
  }

  @Test
  @DisplayName("T25: a request is counted once, however often it is dispatched")
  void aRequestIsCountedOnce() {
    TestApplication application = shared.with(MANY_A_MINUTE);
    String client = "X-Forwarded-For: 192.0.2.1";
    int left = MANY;
    for (String path : List.of("/hello", "/later", "/broken", "/nowhere", "/stream", "/hello")) {
      RawHttp.Reply reply = get(application, path, client);
      left--;
      assertThat(reply.text())
          .as(path)
          .containsIgnoringCase("X-RateLimit-Remaining: " + left + "\r\n");
    }
    assertThat(get(application, "/broken", client).status()).isEqualTo(500);
    assertThat(get(application, "/later", client).body()).contains("later");
    assertThat(get(application, "/stream", client).text()).contains("data:1").contains("data:3");
  }

  @Test
  @DisplayName("T21: 60 spellings of a path are 5 requests under a limit of 5")
  void spellingsOfAPathAreCountedTogether() {
    TestApplication application = shared.with(LOGINS_AND_READS);
    int passed = 0;
    for (int round = 0; round < 2; round++) {
      for (String spelling : PathSpellings.OF_LOGIN) {
        int status = get(application, spelling, "X-Forwarded-For: 192.0.2.5").status();
        assertThat(status).as(spelling).isIn(200, 302, 400, 404, 429);
        passed += status == 400 || status == 429 ? 0 : 1;
      }
    }
    assertThat(passed).isEqualTo(5);
  }

  @Test
  @DisplayName("T21: what is routed to a path is counted for it")
  void whatIsRoutedToAPathIsCountedForIt() {
    TestApplication application = shared.with(MANY_A_MINUTE);
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

  @Test
  @DisplayName("T75: an encoded context path is still the context path")
  void anEncodedContextPathIsTheContextPath() {
    String[] properties = Arrays.copyOf(LOGINS_AND_READS, LOGINS_AND_READS.length + 2);
    properties[LOGINS_AND_READS.length] = "server.servlet.context-path=/shop";
    properties[LOGINS_AND_READS.length + 1] = "spring.webflux.base-path=/shop";
    try (TestApplication application = start(properties)) {
      int served = 0;
      for (int round = 0; round < 3; round++) {
        for (String mount : List.of("/shop", "/%73hop", "/sh%6Fp", "//shop", "/shop;x=1")) {
          served += get(application, mount + "/hello").status() == 200 ? 1 : 0;
        }
      }
      assertThat(served).isBetween(1, 3);
      assertThat(get(application, "/shop/hello").status()).isEqualTo(429);
    }
  }

  @Test
  @DisplayName("T75: dots that Spring would take for a name are refused")
  void dotSegmentsAreRefused() {
    TestApplication application = shared.with(THREE_A_MINUTE);
    for (String path : List.of("/hello/..", "/hello/.", "/x/%2e%2e/hello", "/./hello")) {
      assertThat(get(application, path, "X-Forwarded-For: 192.0.2.9").status())
          .as(path)
          .isEqualTo(400);
    }
  }

  @Test
  @DisplayName("T26: an upload of 32 MiB is refused before it is read")
  void anUploadIsRefusedBeforeItIsRead() throws IOException {
    TestApplication application = shared.with(THREE_A_MINUTE);
    String client = "X-Forwarded-For: 192.0.2.3";
    for (int i = 0; i < 3; i++) {
      assertThat(get(application, "/hello", client).status()).isEqualTo(200);
    }
    assertThat(replyToUnfinishedUpload(application.port(), client, 32 * MEBIBYTE))
        .startsWith("HTTP/1.1 429");
  }

  /**
   * Sends the head of an upload and the first 4 KiB of its body, and returns how the reply begins.
   * A server that reads the body first never answers, and the read fails.
   */
  private static String replyToUnfinishedUpload(int port, String client, long length)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      String head =
          "POST /upload HTTP/1.1\r\nHost: a\r\n"
              + client
              + "\r\nContent-Type: application/octet-stream\r\n"
              + "Content-Length: "
              + length
              + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write(new byte[4 << 10]);
      byte[] start = new byte[1_024];
      int read = socket.getInputStream().read(start);
      return new String(start, 0, Math.max(0, read), StandardCharsets.ISO_8859_1);
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
    TestApplication application = shared.with();
    RawHttp.Reply reply = get(application, "/a/%2e%2e/%2e%2e/hello");
    assertThat(reply.status()).isEqualTo(400);
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
    TestApplication application = shared.with(MANY_A_MINUTE);
    assertThat(get(application, path + "?who=ann").text()).contains("for ann");
    assertThat(get(application, path + "?who=ann").text()).contains("for ann");
    RawHttp.Reply refused = get(application, path + "?who=ann");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.text()).containsPattern("(?i)Retry-After: [1-9]");
    assertThat(refused.body()).contains("Too Many Requests");
    assertThat(get(application, path + "?who=ben").text()).contains("for ben");
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
