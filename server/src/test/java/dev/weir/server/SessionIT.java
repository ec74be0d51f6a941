package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logging in, and what a session is good for. */
class SessionIT {
  private static final String ADMIN = "s3cret-admin";
  private static final String READER = "s3cret-read";
  private static final String BLOCK = "{\"client\": \"user:mallory\"}";

  private final TestServer server;
  private final Caller caller;
  private final String ours;

  SessionIT(@TempDir Path folder) {
    this.server =
        new TestServer(
            folder,
            "[server]\nregion = \"eu\"\nid = \"one\"\n",
            "RATE_LIMIT_SERVER_ADMIN_TOKEN",
            ADMIN,
            "RATE_LIMIT_SERVER_READ_TOKEN",
            READER);
    this.caller = server.caller;
    this.ours = "http://127.0.0.1:" + server.server.port();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** A browser that has logged in. */
  private record Browser(Caller caller, String cookie, String csrf) {

    Caller.Reply get(String path, String... more) {
      return caller.get(path, fields(more));
    }

    Caller.Reply post(String path, String body, String... more) {
      return caller.post(path, body, fields(more));
    }

    private String[] fields(String... more) {
      String[] all = new String[more.length + 2];
      all[0] = "Cookie";
      all[1] = cookie;
      System.arraycopy(more, 0, all, 2, more.length);
      return all;
    }
  }

  private Caller.Reply logIn(String token, String... fields) {
    return caller.post("/v1/session", "{\"token\": \"%s\"}".formatted(token), fields);
  }

  private Browser browser(String token, String... fields) {
    Caller.Reply reply = logIn(token, fields);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    String cookie = reply.field("set-cookie");
    return new Browser(
        caller, cookie.substring(0, cookie.indexOf(';')), reply.json().get("csrf").asText());
  }

  @Test
  void whoHasNotLoggedInIsToldTo() {
    JsonNode session = caller.get("/v1/session").json();

    assertThat(session)
        .hasToString(
            "{\"login\":\"token\",\"role\":null,\"csrf\":null,\"version\":\"unknown\","
                + "\"server\":\"one\",\"region\":\"eu\"}");
  }

  @ParameterizedTest
  @CsvSource({ADMIN + ", admin", READER + ", reader"})
  void aTokenGivesARole(String token, String role) {
    Browser browser = browser(token);
    JsonNode session = browser.get("/v1/session").json();

    assertThat(session.get("role").asText()).isEqualTo(role);
    assertThat(session.get("csrf").asText()).isEqualTo(browser.csrf);
    assertThat(browser.get("/v1/admin/policy").status()).isEqualTo(200);
    assertThat(browser.get("/openapi.json").status()).isEqualTo(200);
    assertThat(caller.get("/v1/session", "Authorization", "Bearer " + token).json().get("role"))
        .hasToString("\"" + role + "\"");
  }

  @Test
  @DisplayName("T71: the cookie is for our own pages only, and no script can read it")
  void theCookieIsBoundToOurPages() {
    String cookie = logIn(ADMIN).field("set-cookie");

    assertThat(cookie)
        .matches(
            "weir_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200");
    assertThat(logIn(ADMIN, "X-Forwarded-Proto", "https").field("set-cookie")).endsWith("; Secure");
    assertThat(logIn(ADMIN).field("cache-control")).isEqualTo("no-store");
  }

  @Test
  @DisplayName("T71: no session fixation: logging in gives a new id and ends the one before")
  void loggingInGivesANewId() {
    Browser before = browser(READER);
    Browser planted = browser(ADMIN, "Cookie", "weir_session=" + "A".repeat(43));
    Browser after = browser(ADMIN, "Cookie", before.cookie);

    assertThat(planted.cookie).isNotEqualTo("weir_session=" + "A".repeat(43));
    assertThat(after.cookie).isNotEqualTo(before.cookie);
    assertThat(after.csrf).isNotEqualTo(before.csrf);
    assertThat(before.get("/v1/admin/policy").status()).isEqualTo(401);
    assertThat(after.get("/v1/admin/policy").status()).isEqualTo(200);
  }

  @Test
  @DisplayName("T71: a change needs the secret that only our own pages know")
  void aChangeNeedsTheSecret() {
    Browser browser = browser(ADMIN);
    Browser other = browser(ADMIN);
    for (String[] fields :
        new String[][] {
          {}, {"X-CSRF-Token", ""}, {"X-CSRF-Token", "x"}, {"X-CSRF-Token", other.csrf}
        }) {
      Caller.Reply reply = browser.post("/v1/admin/blocks", BLOCK, fields);
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.json().get("field").asText()).isEqualTo("X-CSRF-Token");
    }
    assertThat(browser.get("/v1/admin/blocks").body()).startsWith("{\"items\": [],");
    assertThat(browser.post("/v1/admin/blocks", BLOCK, "X-CSRF-Token", browser.csrf).status())
        .isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource({
    "Origin, https://evil.example",
    "Origin, null",
    "Origin, http://127.0.0.1",
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site",
    "Sec-Fetch-Site, none",
  })
  @DisplayName("T71: a page of another site changes nothing, even with the session and the secret")
  void aCrossSiteRequestIsRefused(String field, String value) {
    Browser browser = browser(ADMIN);
    Caller.Reply reply =
        browser.post("/v1/admin/blocks", BLOCK, "X-CSRF-Token", browser.csrf, field, value);

    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.json().get("field").asText()).isEqualTo("origin");
    assertThat(reply.field("access-control-allow-origin")).isEmpty();
    assertThat(browser.get("/v1/admin/blocks").body()).startsWith("{\"items\": [],");
  }

  @Test
  void ourOwnPageMayAsk() {
    Browser browser = browser(ADMIN, "Origin", ours, "Sec-Fetch-Site", "same-origin");
    Caller.Reply made =
        browser.post(
            "/v1/admin/blocks",
            BLOCK,
            "X-CSRF-Token",
            browser.csrf,
            "Origin",
            ours.replace("http:", "https:"),
            "Sec-Fetch-Site",
            "same-origin");

    assertThat(made.status()).isEqualTo(201);
    assertThat(browser.get("/v1/admin/blocks", "Sec-Fetch-Site", "none").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "null"})
  @DisplayName("T71: a page of another site cannot log anybody in or out")
  void loggingInFromAnotherSiteIsRefused(String origin) {
    assertThat(logIn(ADMIN, "Origin", origin).status()).isEqualTo(403);
    assertThat(caller.delete("/v1/session", "Origin", origin).status()).isEqualTo(403);
  }

  @Test
  @DisplayName("T71: who has logged in with the read token changes nothing, but may ask")
  void aReaderChangesNothing() {
    Browser browser = browser(READER);
    Caller.Reply reply = browser.post("/v1/admin/blocks", BLOCK, "X-CSRF-Token", browser.csrf);
    Caller.Reply explained =
        browser.post(
            "/v1/explain", "{\"path\": \"/\", \"user\": \"a\"}", "X-CSRF-Token", browser.csrf);

    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.json().get("message").asText())
        .isEqualTo("read_token may not change anything");
    assertThat(explained.status()).isEqualTo(200);
    assertThat(browser.get("/v1/admin/blocks").body()).startsWith("{\"items\": [],");
  }

  @Test
  @DisplayName("T71: tokens cannot be tried out: the sixth wrong one in a minute is not looked at")
  void wrongTokensAreLimited() {
    for (int i = 0; i < 5; i++) {
      Caller.Reply wrong = logIn("guess-" + i);
      assertThat(wrong.status()).isEqualTo(401);
      assertThat(wrong.json().get("field").asText()).isEqualTo("token");
      assertThat(wrong.field("set-cookie")).isEmpty();
    }
    Caller.Reply limited = logIn(ADMIN);
    assertThat(limited.status()).isEqualTo(429);
    assertThat(limited.field("retry-after")).isEqualTo("60");

    assertThat(logIn(ADMIN, "X-Forwarded-For", "203.0.113.9").status()).isEqualTo(200);
    server.time.advance(Duration.ofSeconds(60));
    assertThat(logIn(ADMIN).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("T81: 200 wrong logins through a proxy do not lock out its other clients")
  void t81() {
    for (int i = 0; i < 200; i++) {
      assertThat(logIn("guess", "X-Forwarded-For", "203.0.113." + i).status()).isEqualTo(401);
    }
    assertThat(logIn(ADMIN, "X-Forwarded-For", "198.51.100.1").status()).isEqualTo(200);
  }

  @Test
  void theRightTokenIsNotCounted() {
    for (int i = 0; i < 20; i++) {
      assertThat(logIn(ADMIN).status()).isEqualTo(200);
    }
  }

  @Test
  void aSessionEndsWhenItIsLoggedOut() {
    Browser browser = browser(ADMIN);
    Caller.Reply out = caller.delete("/v1/session", "Cookie", "a=b; " + browser.cookie);

    assertThat(out.status()).isEqualTo(204);
    assertThat(out.field("set-cookie")).startsWith("weir_session=;").contains("Max-Age=0");
    assertThat(browser.get("/v1/admin/policy").status()).isEqualTo(401);
    assertThat(browser.get("/v1/session").json().get("role").isNull()).isTrue();
  }

  @Test
  void aSessionEndsAfterTwelveHours() {
    Browser browser = browser(ADMIN);
    server.time.advance(Duration.ofHours(12).minusSeconds(1));
    assertThat(browser.get("/v1/admin/policy").status()).isEqualTo(200);
    server.time.advance(Duration.ofSeconds(1));
    assertThat(browser.get("/v1/admin/policy").status()).isEqualTo(401);
  }

  @Test
  void theOldestSessionMakesRoom() {
    Browser first = browser(ADMIN);
    Browser second = browser(ADMIN);
    for (int i = 0; i < Sessions.MOST - 1; i++) {
      browser(READER);
    }

    assertThat(first.get("/v1/admin/policy").status()).isEqualTo(401);
    assertThat(second.get("/v1/admin/policy").status()).isEqualTo(200);
  }

  @Test
  void aSessionEndsWhenItsTokenChanges(@TempDir Path folder) {
    String before = "[server]\nadmin_token = \"one\"\nread_token = \"two\"\n";
    try (TestServer other = new TestServer(folder, before)) {
      Caller.Reply admin = other.caller.post("/v1/session", "{\"token\": \"one\"}");
      Caller.Reply reader = other.caller.post("/v1/session", "{\"token\": \"two\"}");
      other.write("[server]\nadmin_token = \"three\"\nread_token = \"two\"\n");
      other.server.reload();

      assertThat(policy(other, admin)).isEqualTo(401);
      assertThat(policy(other, reader)).isEqualTo(200);
    }
  }

  private static int policy(TestServer server, Caller.Reply login) {
    String cookie = Objects.requireNonNull(login.field("set-cookie"));
    return server
        .caller
        .get("/v1/admin/policy", "Cookie", cookie.substring(0, cookie.indexOf(';')))
        .status();
  }

  @Test
  void withoutATokenNobodyHasToLogIn(@TempDir Path folder) {
    try (TestServer open = new TestServer(folder, "")) {
      JsonNode session = open.caller.get("/v1/session").json();

      assertThat(session.get("login").asText()).isEqualTo("none");
      assertThat(session.get("role").asText()).isEqualTo("admin");
      assertThat(session.get("csrf").isNull()).isTrue();
      assertThat(open.caller.get("/v1/session", "Origin", "http://evil.example").status())
          .isEqualTo(403);
      assertThat(open.caller.post("/v1/session", "{}").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | token must be given: the admin or the read token",
        "{\"token\": 1} | token must be a string",
        "{\"tokn\": \"x\"} | tokn is not known here",
      })
  void whatIsNoLoginIsSaidToBeNone(String body, String message) {
    Caller.Reply reply = caller.post("/v1/session", body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("message").asText()).isEqualTo(message);
  }

  @Test
  void checksTakeNoSession() {
    Browser browser = browser(ADMIN);
    assertThat(browser.post("/v1/check", "{\"path\": \"/\", \"user\": \"a\"}").status())
        .isEqualTo(200);
    assertThat(server.server.allRoutes())
        .filteredOn(
            route -> route.path().startsWith("/v1/check") || route.path().equals("/v1/auth"))
        .hasSize(3)
        .allMatch(route -> !route.access().takesSessions());
  }
}
