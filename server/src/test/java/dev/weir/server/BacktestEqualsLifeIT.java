package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.backtest.Backtest;
import dev.weir.backtest.BacktestReport;
import dev.weir.backtest.LogFiles;
import dev.weir.backtest.LogOptions;
import dev.weir.backtest.LoggedRequest;
import dev.weir.backtest.Replay;
import dev.weir.backtest.RequestLog;
import dev.weir.policy.JsonText;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import dev.weir.testkit.TestLevel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests are sent to a server on a clock that is moved by hand. What it decided, one by one, is
 * what comes of replaying its events.
 */
class BacktestEqualsLifeIT {
  private static final int REQUESTS = TestLevel.amount("weir.backtest.requests", 3_000, 6_000);
  private static final int CHECKS_A_CALL = 20;
  private static final String EVENTS = "events.jsonl";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String CONFIG =
      """
      default_tier = "free"

      [events]
      log = ["allowed", "throttled", "blocked"]

      [client]
      on_missing_client = "block"

      [default]
      limit = 40
      window = "30s"

      [penalty]
      enabled = true
      detection_window = "20s"
      violation_threshold = 4
      multipliers = [1, 2, 3]

      [[tier]]
      name = "free"
      limit = 12
      window = "10s"
      algorithm = "sliding_window"
      endpoints = { "/reports/**" = 3 }

      [[tier]]
      name = "pro"
      limit = 60
      window = "10s"
      burst = 25

      [[endpoint]]
      name = "chat"
      paths = ["/chat/**"]
      limit = 6
      window = "7s"
      algorithm = "sliding_log"
      scope = "user"

      [[endpoint]]
      name = "upload"
      paths = ["/upload"]
      methods = ["POST"]
      limit = 9
      window = "15s"
      algorithm = "fixed_window"

      [[rule]]
      name = "fair"
      priority = 500
      match = { path = "/api/**" }
      limits = ["4/s", "15/10s", "200/m"]

      [[rule]]
      name = "all_writes"
      priority = 400
      match = { method = ["POST", "PUT"] }
      limits = ["30/5s"]
      algorithm = "sliding_window"
      scope = "global"

      [[rule]]
      name = "network"
      priority = 300
      match = { ip = "198.51.100.0/24" }
      limits = ["20/9s"]
      algorithm = "fixed_window"
      scope = "ip"

      [[rule]]
      name = "stricter"
      priority = 250
      match = { path = "/api/**" }
      limits = ["2/s"]
      mode = "shadow"

      [[rule]]
      name = "closed"
      priority = 900
      match = { path = "/old/**" }
      action = "block"

      [[rule]]
      name = "health"
      priority = 950
      match = { path = "/health" }
      action = "allow"

      [[exempt]]
      user = "monitor"
      """;

  private static final List<String> PATHS =
      List.of(
          "/api/a",
          "/api/b/c",
          "/chat/1",
          "/chat/2/x",
          "/upload",
          "/reports/q1",
          "/old/x",
          "/health",
          "/",
          "/other/%C3%A9");
  private static final List<String> METHODS = List.of("GET", "GET", "GET", "POST", "PUT", "HEAD");
  private static final List<String> ADDRESSES =
      List.of("203.0.113.7", "198.51.100.1", "198.51.100.2", "2001:db8::1", "2001:db8::2");

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000L));
  private final Random random = new Random(seed);

  /** What was decided. */
  private record Decided(String outcome, String reason, String rule) {
    static Decided of(Verdict verdict) {
      return new Decided(
          verdict.outcome().toString(), verdict.cause().toString(), String.valueOf(verdict.rule()));
    }

    static Decided of(JsonNode answer) {
      return new Decided(
          answer.get("decision").asText(),
          answer.get("reason").asText(),
          answer.get("rule").asText());
    }
  }

  @Test
  void replayedEventsGiveTheSameDecisionsOneByOne(@TempDir Path folder) throws IOException {
    List<Decided> life = new ArrayList<>();
    try (TestServer server = new TestServer(folder, CONFIG)) {
      for (String path : PATHS) {
        server.time.advance(Duration.ofMinutes(5));
        life.addAll(decided(server, inARow(path)));
      }
      while (life.size() < REQUESTS) {
        server.time.advance(Duration.of(stepMicros(), ChronoUnit.MICROS));
        life.addAll(decided(server, checks()));
      }
    }

    Config config = ConfigReader.parse(CONFIG, "weir.toml", Map.of());
    Replay replay = new Replay(config);
    Backtest backtest = Backtest.of(config, 10);
    List<Decided> replayed = new ArrayList<>();
    List<Decided> recorded = new ArrayList<>();
    List<List<String>> shadows = new ArrayList<>();
    try (RequestLog log = events(folder)) {
      for (LoggedRequest next = log.next(); next != null; next = log.next()) {
        Verdict verdict = replay.decide(next.atMicros(), next.request());
        replayed.add(Decided.of(verdict));
        shadows.add(verdict.refusingShadows());
        recorded.add(recorded(next));
        backtest.accept(next);
      }
      assertThat(log.counts().lines()).isEqualTo(life.size());
      assertThat(log.counts().requests()).isEqualTo(life.size());
      assertSameReport(backtest.report(log.counts()));
    }

    assertThat(recorded).as("events, seed %d", seed).isEqualTo(life);
    assertThat(replayed).as("replayed, seed %d", seed).isEqualTo(life);
    assertThat(shadows).as("shadows, seed %d", seed).isEqualTo(recordedShadows(folder));
    assertThat(shadows).contains(List.of("stricter"));
    assertAllWasMet(life);
  }

  /** Which rules in shadow mode would have refused, for each event. */
  private static List<List<String>> recordedShadows(Path folder) throws IOException {
    List<List<String>> all = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(EVENTS))) {
      List<String> rules = new ArrayList<>();
      JSON.readTree(line).path("shadow").forEach(rule -> rules.add(rule.asText()));
      all.add(rules);
    }
    return all;
  }

  private static List<Decided> decided(TestServer server, String checks) {
    List<Decided> decided = new ArrayList<>();
    server.caller.post("/v1/checks", checks).json().forEach(each -> decided.add(Decided.of(each)));
    return decided;
  }

  private static Decided recorded(LoggedRequest request) {
    return new Decided(
        String.valueOf(request.outcome()),
        String.valueOf(request.cause()),
        String.valueOf(request.rule()));
  }

  private static RequestLog events(Path folder) throws IOException {
    return LogFiles.open(
        List.of(folder.resolve(EVENTS).toString()),
        InputStream.nullInputStream(),
        LogOptions.usual(64));
  }

  private void assertSameReport(BacktestReport report) {
    assertThat(report.before()).isEqualTo(new BacktestReport.Before.Log());
    assertThat(report.totals().after()).as("seed %d", seed).isEqualTo(report.totals().before());
    assertThat(report.totals().newlyRefused()).as("seed %d", seed).isZero();
    assertThat(report.totals().noLongerRefused()).as("seed %d", seed).isZero();
    assertThat(report.rules())
        .allSatisfy(
            row -> assertThat(row.comparison().after()).isEqualTo(row.comparison().before()));
    assertThat(report.warnings()).isEmpty();
  }

  /** A test that never comes to a penalty shows nothing about penalties. */
  private static void assertAllWasMet(List<Decided> life) {
    Set<String> reasons = new TreeSet<>();
    Set<String> rules = new TreeSet<>();
    for (Decided each : life) {
      reasons.add(each.reason());
      if (each.outcome().equals("throttled")) {
        rules.add(each.rule());
      }
    }
    assertThat(reasons)
        .contains(
            "within_limits",
            "limit_exceeded",
            "penalty",
            "cost_exceeds_limit",
            "exempt",
            "blocked_by_rule",
            "allowed_by_rule",
            "missing_client");
    assertThat(rules).contains("fair", "endpoint:chat", "endpoint:upload", "tier:free:/reports/**");
  }

  /** Mostly short, so that limits are met; now and then long, so that penalties end. */
  private long stepMicros() {
    return switch (random.nextInt(20)) {
      case 0 -> random.nextInt(60_000_000);
      case 1, 2, 3 -> 0;
      default -> random.nextInt(400_000);
    };
  }

  /**
   * One client comes to one path so often that it meets the limit there, whatever chance brings.
   */
  private static String inARow(String path) {
    JsonText check = new JsonText().put("path", path).put("method", "POST");
    String one = check.put("ip", ADDRESSES.get(0)).put("user", "first").toString();
    return "[" + String.join(", ", Collections.nCopies(CHECKS_A_CALL, one)) + "]";
  }

  private String checks() {
    List<String> checks = new ArrayList<>();
    int number = 1 + random.nextInt(CHECKS_A_CALL);
    for (int i = 0; i < number; i++) {
      checks.add(check());
    }
    return "[" + String.join(", ", checks) + "]";
  }

  private String check() {
    JsonText check = new JsonText().put("path", one(PATHS)).put("method", one(METHODS));
    if (random.nextInt(50) > 0) {
      check.put("ip", one(ADDRESSES));
    }
    if (random.nextInt(3) == 0) {
      check.put("user", random.nextInt(12) == 0 ? "monitor" : "user" + random.nextInt(4));
    }
    if (random.nextInt(8) == 0) {
      check.put("key", "key" + random.nextInt(2));
    }
    if (random.nextInt(3) == 0) {
      check.put("tier", random.nextBoolean() ? "pro" : "free");
    }
    if (random.nextInt(6) == 0) {
      check.put("cost", random.nextInt(20) == 0 ? 1_000 : random.nextInt(4));
    }
    return check.toString();
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
