package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
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
          "/metrics");

  private static final Set<String> HEALTH = Set.of("/healthz", "/healthcheck", "/readyz");

  @TempDir private Path folder = Path.of("");

  private static Caller.Reply call(Caller caller, Route route, String... headers) {
    HttpMethod method = route.method();
    String path = route.path().replace("{client}", "user:alice");
    boolean hasBody = HttpMethod.POST.equals(method);
    return caller.call(
        method == null ? "GET" : method.name(), path, hasBody ? "{}" : null, headers);
  }

  @Test
  void withAnAdminTokenEverythingElseWantsIt() {
    try (TestServer server =
        new TestServer(folder, "", "RATE_LIMIT_SERVER_ADMIN_TOKEN", "s3cret-admin")) {
      Set<String> open = new TreeSet<>();
      for (Route route : server.server.allRoutes()) {
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
