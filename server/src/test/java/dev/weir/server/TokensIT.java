package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may have what, with tokens. */
class TokensIT {
  /** What answers without a token when one is set, and nothing else. */
  private static final Set<String> OPEN =
      Set.of(
          "/v1/check",
          "/v1/checks",
          "/v1/auth",
          "/json",
          "/healthz",
          "/healthcheck",
          "/readyz",
          "/metrics",
          "/v1/session",
          "/",
          "/dashboard/{file}");

  private static final Set<String> HEALTH =
      Set.of("/healthz", "/healthcheck", "/readyz", "/v1/session", "/", "/dashboard/{file}");

  /** What somebody may do who may only look, besides all that is a GET. */
  private static final Set<String> QUESTIONS =
      Set.of("/v1/explain", "/v1/admin/preview", "/v1/admin/backtest");

  @TempDir private Path folder = Path.of("");

  private static Caller.Reply call(Caller caller, Route route, String... headers) {
    HttpMethod method = route.method();
    String path = route.path().replaceAll("\\{.*}", "user:alice");
    boolean hasBody = HttpMethod.POST.equals(method);
    return caller.call(
        method == null ? "GET" : method.name(), path, hasBody ? "{}" : null, headers);
  }

  @Test
  @DisplayName("T71: with an admin token, all but checks and health want it, on every path")
  void withAnAdminTokenEverythingElseWantsIt() {
    try (TestServer server =
        new TestServer(folder, "", "RATE_LIMIT_SERVER_ADMIN_TOKEN", "s3cret-admin")) {
      Set<String> open = new TreeSet<>();
      for (Route route : server.server.allRoutes()) {
        // Wrong tokens are limited by the minute.
        server.time.advance(Duration.ofMinutes(1));
        Caller.Reply without = call(server.caller, route);
        if (without.status() != 401) {
          open.add(route.path());
        } else {
          assertThat(without.field("www-authenticate")).isEqualTo("Bearer");
          assertThat(without.json().get("field").asText()).isEqualTo("authorization");
        }
        for (String wrong : new String[] {"Bearer s3cret-admi", "Bearer x", "Basic s3cret-admin"}) {
          assertThat(call(server.caller, route, "Authorization", wrong).status() == 401)
              .as("%s with %s", route.path(), wrong)
              .isEqualTo(!OPEN.contains(route.path()));
        }
        assertThat(call(server.caller, route, "Authorization", "Bearer s3cret-admin").status())
            .as(route.path())
            .isNotEqualTo(401);
      }
      assertThat(open).isEqualTo(new TreeSet<>(OPEN));
    }
  }

  @Test
  @DisplayName("T71: without a token, a web page of another site may do nothing")
  void withoutATokenAPageOfAnotherSiteIsRefused() {
    try (TestServer server = new TestServer(folder, "")) {
      String ours = "http://127.0.0.1:" + server.server.port();
      int admin = 0;
      for (Route route : server.server.allRoutes()) {
        // Wrong tokens are limited by the minute.
        server.time.advance(Duration.ofMinutes(1));
        if (!route.path().startsWith("/v1/admin/")) {
          continue;
        }
        admin++;
        for (String site : new String[] {"https://evil.example", "null", ours + "0"}) {
          Caller.Reply reply = call(server.caller, route, "Origin", site);
          assertThat(reply.status()).as("%s from %s", route.path(), site).isEqualTo(403);
          assertThat(reply.field("access-control-allow-origin")).isEmpty();
        }
        assertThat(call(server.caller, route, "Origin", ours).status())
            .as(route.path())
            .isNotIn(401, 403);
      }
      assertThat(admin).isGreaterThan(20);
    }
  }

  @Test
  @DisplayName("T71: who has the read token may look at everything and change nothing")
  void withTheReadTokenNothingCanBeChanged() {
    try (TestServer server =
        new TestServer(
            folder,
            "",
            "RATE_LIMIT_SERVER_ADMIN_TOKEN",
            "s3cret-admin",
            "RATE_LIMIT_SERVER_READ_TOKEN",
            "s3cret-read")) {
      int changing = 0;
      for (Route route : server.server.allRoutes()) {
        // Wrong tokens are limited by the minute.
        server.time.advance(Duration.ofMinutes(1));
        Caller.Reply reply = call(server.caller, route, "Authorization", "Bearer s3cret-read");
        boolean isLook =
            (HttpMethod.GET.equals(route.method()) && !route.path().endsWith("/export"))
                || OPEN.contains(route.path())
                || QUESTIONS.contains(route.path());
        assertThat(reply.status() == 403).as(route.path()).isEqualTo(!isLook);
        assertThat(reply.status()).as(route.path()).isNotEqualTo(401);
        if (!isLook) {
          changing++;
          assertThat(reply.json().get("message").asText())
              .isEqualTo(
                  route.path().endsWith("/export")
                      ? "read_token may not see secrets"
                      : "read_token may not change anything");
        }
      }
      assertThat(changing).isGreaterThan(20);
    }
  }

  @Test
  @DisplayName("T71: what clients are called comes back as data that no browser takes for a page")
  void whatClientsAreCalledIsNoPage() {
    try (TestServer server = new TestServer(folder, "")) {
      String name = "user:<img src=x onerror=alert(1)>";
      Caller.Reply made =
          server.caller.post("/v1/admin/blocks", "{\"client\": \"%s\"}".formatted(name));
      assertThat(made.status()).isEqualTo(201);
      for (String list : new String[] {"blocks", "quotas", "audit", "acts", "rules"}) {
        Caller.Reply reply = server.caller.get("/v1/admin/" + list);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.field("content-type")).as(list).startsWith("application/json");
        assertThat(reply.field("x-content-type-options")).as(list).isEqualTo("nosniff");
        assertThat(reply.field("cache-control")).as(list).isEqualTo("no-store");
      }
      assertThat(
              server
                  .caller
                  .get("/v1/admin/blocks")
                  .json()
                  .get("items")
                  .get(0)
                  .get("client")
                  .asText())
          .isEqualTo(name);
    }
  }

  @Test
  @DisplayName("T71: with a check token, checks want it, and it is no good for the admin API")
  void withACheckTokenChecksWantItToo() {
    try (TestServer server =
        new TestServer(
            folder,
            "",
            "RATE_LIMIT_SERVER_ADMIN_TOKEN",
            "s3cret-admin",
            "RATE_LIMIT_SERVER_CHECK_TOKEN",
            "s3cret-check",
            "RATE_LIMIT_SERVER_METRICS_TOKEN",
            "s3cret-metrics")) {
      for (Route route : server.server.allRoutes()) {
        // Wrong tokens are limited by the minute.
        server.time.advance(Duration.ofMinutes(1));
        int without = call(server.caller, route).status();
        boolean isHealth = HEALTH.contains(route.path());
        assertThat(without == 401).as(route.path()).isEqualTo(!isHealth);
        boolean isAdmin = route.path().startsWith("/v1/admin/");
        boolean isMetrics = route.path().equals("/metrics");
        int asChecker = call(server.caller, route, "Authorization", "bearer s3cret-check").status();
        assertThat(asChecker == 401).as(route.path()).isEqualTo(isAdmin || isMetrics);
        int asScraper =
            call(server.caller, route, "Authorization", "Bearer s3cret-metrics").status();
        assertThat(asScraper == 401).as(route.path()).isEqualTo(!isHealth && !isMetrics);
      }
    }
  }
}
