package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** T79: every route honours the query parameters that it declares and refuses all others. */
class RouteParametersIT {
  /** Routes of proxies, scrapers and browsers, which add parameters of their own. */
  private static final Set<String> LENIENT =
      Set.of(
          "/v1/auth", "/healthz", "/readyz", "/metrics", "/healthcheck", "/", "/dashboard/{file}");

  /** Calls that change nothing although they are no reads. */
  private static final Set<String> QUESTIONS =
      Set.of("/v1/admin/preview", "/v1/admin/backtest", "/v1/admin/policy/reload");

  @TempDir private Path folder = Path.of("");

  private static Caller.Reply call(Caller caller, Route route, String query) {
    HttpMethod method = route.method();
    String name = method == null ? "GET" : method.name();
    String path = route.path().replaceAll("\\{.*}", "user:alice");
    boolean hasBody = !Set.of("GET", "DELETE").contains(name);
    return caller.call(name, path + query, hasBody ? "{}" : null);
  }

  @Test
  @DisplayName("T79: an unknown query parameter is refused on every route")
  void t79UnknownParametersAreRefused() {
    try (TestServer server = new TestServer(folder, "")) {
      for (Route route : server.server.allRoutes()) {
        Caller.Reply reply = call(server.caller, route, "?nonsense=1");
        if (LENIENT.contains(route.path())) {
          assertThat(reply.status()).as(route.path()).isNotEqualTo(404);
        } else {
          assertThat(reply.status()).as("%s: %s", route.path(), reply.body()).isEqualTo(400);
          assertThat(reply.json().get("field").asText()).isEqualTo("nonsense");
        }
      }
    }
  }

  @Test
  @DisplayName("T79: every write of the admin API honours dry_run or refuses it")
  void t79EveryWriteDeclaresDryRun() {
    try (TestServer server = new TestServer(folder, "")) {
      int honouring = 0;
      for (Route route : server.server.allRoutes()) {
        boolean isWrite =
            route.path().startsWith("/v1/admin/")
                && !HttpMethod.GET.equals(route.method())
                && !QUESTIONS.contains(route.path());
        Set<String> parameters = route.parameters();
        if (!isWrite || parameters == null) {
          continue;
        }
        if (parameters.contains(Route.DRY_RUN)) {
          honouring++;
        } else {
          assertThat(call(server.caller, route, "?dry_run=true").json().get("field").asText())
              .as(route.path())
              .isEqualTo("dry_run");
        }
      }
      assertThat(honouring).isGreaterThan(20);
    }
  }

  @Test
  @DisplayName("T79: dry_run without a value is refused, and nothing is changed")
  void t79DryRunNeedsAValue() {
    try (TestServer server = new TestServer(folder, "")) {
      Caller caller = server.caller;
      caller.post("/v1/admin/rules", Instance.rule("kept"));
      for (String query : List.of("?dry_run", "?dry_run=", "?dry_run=yes", "?dry_run=TRUE")) {
        for (Route route : server.server.allRoutes()) {
          Set<String> parameters = route.parameters();
          if (parameters != null && parameters.contains(Route.DRY_RUN)) {
            Caller.Reply reply = call(caller, route, query);
            assertThat(reply.status()).as("%s%s", route.path(), query).isEqualTo(400);
          }
        }
        assertThat(caller.delete("/v1/admin/rules/kept" + query).json().get("field").asText())
            .isEqualTo("dry_run");
      }
      assertThat(caller.get("/v1/admin/rules/kept").status()).isEqualTo(200);
      assertThat(caller.get("/v1/admin/audit?user=").status()).isEqualTo(400);
    }
  }

  @Test
  @DisplayName("T79: a dry run of any change says what would be and leaves everything as it was")
  void t79DryRunsChangeNothing() {
    try (TestServer server = new TestServer(folder, "")) {
      Caller caller = server.caller;
      String id = caller.post("/v1/admin/keys", "{\"user\": \"dave\"}").json().get("id").asText();
      caller.call("PUT", "/v1/admin/quotas/dave", "{\"daily\": 7}");
      caller.post("/v1/admin/rules", Instance.rule("kept"));
      caller.post("/v1/admin/tiers", "{\"name\": \"kept\", \"limit\": \"9/m\"}");
      caller.post("/v1/admin/blocks", "{\"client\": \"user:kept\"}");
      caller.post("/v1/check", "{\"path\": \"/\", \"user\": \"dave\"}");
      List<String> before = state(caller, id);

      dryRun(caller, "POST", "/v1/admin/keys", "{\"user\": \"erin\"}");
      dryRun(caller, "PUT", "/v1/admin/keys/" + id, "{\"name\": \"other\"}");
      dryRun(caller, "PATCH", "/v1/admin/keys/" + id, "{\"name\": \"other\"}");
      dryRun(caller, "DELETE", "/v1/admin/keys/" + id, null);
      dryRun(caller, "PUT", "/v1/admin/quotas/dave", "{\"blocked\": true}");
      dryRun(caller, "PATCH", "/v1/admin/quotas/dave", "{\"monthly\": 3}");
      dryRun(caller, "PUT", "/v1/admin/quotas/erin", "{}");
      dryRun(caller, "DELETE", "/v1/admin/quotas/dave", null);
      dryRun(caller, "POST", "/v1/admin/rules", Instance.rule("other"));
      dryRun(caller, "PATCH", "/v1/admin/rules/kept", "{\"priority\": 3}");
      dryRun(caller, "DELETE", "/v1/admin/rules/kept", null);
      dryRun(caller, "PATCH", "/v1/admin/tiers/kept", "{\"limit\": \"8/m\"}");
      dryRun(caller, "POST", "/v1/admin/blocks", "{\"client\": \"user:other\"}");
      dryRun(caller, "DELETE", "/v1/admin/blocks/user:kept", null);
      dryRun(caller, "DELETE", "/v1/admin/counters/user:dave", null);
      dryRun(caller, "POST", "/v1/admin/archive", "");

      assertThat(state(caller, id)).isEqualTo(before);
    }
  }

  private static void dryRun(
      Caller caller, String method, String path, @org.jspecify.annotations.Nullable String body) {
    Caller.Reply reply = caller.call(method, path + "?dry_run=true", body);
    assertThat(reply.status()).as("%s %s: %s", method, path, reply.body()).isEqualTo(200);
    assertThat(reply.json().get("dry_run").asBoolean()).as(path).isTrue();
    Caller.Reply wrong = caller.call(method, path + "?dry_run=yes", body);
    assertThat(wrong.status()).as("%s %s: %s", method, path, wrong.body()).isEqualTo(400);
  }

  private static List<String> state(Caller caller, String id) {
    return List.of(
        caller.get("/v1/admin/export").body(),
        caller.get("/v1/admin/keys").body(),
        caller.get("/v1/admin/keys/" + id).body(),
        caller.get("/v1/admin/quotas").body(),
        caller.get("/v1/admin/blocks").body(),
        caller.get("/v1/admin/counters/user:dave").body(),
        caller.get("/v1/admin/acts?limit=1000").body());
  }
}
