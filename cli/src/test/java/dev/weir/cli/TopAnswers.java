package dev.weir.cli;

import java.nio.charset.StandardCharsets;

/** What a server answers to {@code weir top}. */
final class TopAnswers {
  static final String LIVE =
      """
      {"from": 1700000000, "allowed": [0, 10, 20, 40], "throttled": [0, 0, 1, 3],
       "blocked": [0, 0, 0, 1], "p50_micros": [0, 90, 100, 110],
       "p99_micros": [0, 900, 25000, 1500], "degraded": [0, 0, 1, 0], "active_keys": 1234,
       "backend": "memory", "state": "ready", "problems": [], "policy": "cc01a371b58d"}
      """;

  static final String STATS =
      """
      {"since": "2026-01-01T00:00:00Z", "requests": {"allowed": 70, "throttled": 4, "blocked": 1},
       "endpoints": [{"endpoint": "chat", "allowed": 50, "throttled": 4, "blocked": 0},
        {"endpoint": "*", "allowed": 20, "throttled": 0, "blocked": 1}],
       "refused_clients_since": "2026-01-01T00:00:00Z",
       "refused_clients": [{"client": "user:eve\\u001b[2J\\nadmin", "refused": 4, "at_most": 4}],
       "rules": [], "degraded": false, "backend_errors": 0}
      """;

  static final String RULES =
      """
      {"since": "2026-01-01T00:00:00Z", "rules": [
       {"rule": "default", "matched": 20, "throttled": 0, "shadow_refused": 0},
       {"rule": "endpoint:chat", "matched": 54, "throttled": 4, "shadow_refused": 0},
       {"rule": "tried", "matched": 54, "throttled": 0, "shadow_refused": 9}]}
      """;

  private TopAnswers() {}

  static TopFigures figures(String live) {
    return new TopFigures(answer(live), answer(STATS), answer(RULES));
  }

  private static AdminAnswer answer(String json) {
    return new AdminAnswer(
        ServerUrl.parse(ServerUrl.USUAL),
        200,
        AdminCall.JSON,
        json.getBytes(StandardCharsets.UTF_8));
  }

  /** Lets a server answer one look. */
  static void script(ScriptedServer server) {
    server.answer(200, LIVE).answer(200, STATS).answer(200, RULES);
  }
}
