package dev.weir.server.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** Requests and a configuration as a small shop might have them. */
final class SampleTraffic {
  private static final List<String> USERS =
      List.of(
          "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "ken",
          "laura", "mike", "nina", "olga", "peter");
  private static final List<String> PATHS =
      List.of(
          "/api/search", "/api/orders/17", "/api/orders/42", "/api/reports/2026", "/", "/login");

  private final WatchedServer server;
  private final Random random = new Random(42);

  private SampleTraffic(WatchedServer server) {
    this.server = server;
  }

  static SampleTraffic on(WatchedServer server) {
    return new SampleTraffic(server);
  }

  /** Rules, keys, a quota, somebody who is blocked and somebody who is exempt. */
  void configure() {
    rule("burst_guard", 700, "/api/**", "20/s", "600/m");
    rule("login", 600, "/login", "5/m sliding_window");
    server.change(
        "POST",
        "v1/admin/rules",
        """
        {"name": "stricter_reports", "priority": 500, "mode": "shadow",
         "match": {"path": "/api/reports/**", "tier": "free"}, "limits": ["2/m"]}
        """);
    server.change(
        "PUT",
        "v1/admin/rules/login",
        """
        {"priority": 600, "match": {"path": "/login", "method": ["POST", "GET"]},
         "limits": ["10/m sliding_window"], "scope": "ip"}
        """);
    listing("blocks", "user:mallory", "credential stuffing from several addresses");
    listing("blocks", "ip:198.51.100.0/24", "scanner");
    listing("exemptions", "user:monitor", "our own probes");
    server.change("PUT", "v1/admin/quotas/alice", "{\"tier\": \"pro\", \"monthly\": 20000}");
    key("alice", "laptop", "10/s");
    key("alice", "build server", "50/s");
    JsonNode lost = key("bob", "lost phone", "5/s");
    server.change("DELETE", "v1/admin/keys/" + lost.get("id").asText(), "");
  }

  private void rule(String name, int priority, String path, String... limits) {
    ObjectNode rule = WatchedServer.object().put("name", name).put("priority", priority);
    rule.putObject("match").put("path", path);
    for (String limit : limits) {
      rule.withArray("limits").add(limit);
    }
    server.change("POST", "v1/admin/rules", rule);
  }

  private void listing(String list, String client, String reason) {
    server.change(
        "POST",
        "v1/admin/" + list,
        WatchedServer.object().put("client", client).put("reason", reason));
  }

  private JsonNode key(String user, String name, String limit) {
    ObjectNode key = WatchedServer.object().put("user", user).put("name", name);
    key.putArray("limits").add(limit);
    return server.change("POST", "v1/admin/keys", key);
  }

  /** So many requests; some users ask more than others, and alice more than she may. */
  void send(int requests) {
    for (int i = 0; i < requests; i++) {
      double skewed = random.nextDouble() * random.nextDouble();
      String user = USERS.get((int) (skewed * USERS.size()));
      String path = PATHS.get((int) (random.nextDouble() * random.nextDouble() * PATHS.size()));
      server.check(path, user, "203.0.113." + (1 + USERS.indexOf(user)));
      if (i % 29 == 0) {
        server.check("/admin/users", "mallory", "198.51.100.23");
      }
    }
  }
}
