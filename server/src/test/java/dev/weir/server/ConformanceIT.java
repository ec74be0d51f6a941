package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.conformance.Clock;
import dev.weir.conformance.Report;
import dev.weir.conformance.Run;
import dev.weir.conformance.Suite;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigException;
import dev.weir.redis.TimedStores;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The neutral suite for rate limit services of Envoy, and recorded responses of
 * envoyproxy/ratelimit to random requests, on our service.
 *
 * <p>Two cases are left out. One wants statistics by the values of descriptors that bring their own
 * limits, and callers could make up any number of these; Weir has one sum for each domain. The
 * other has more hits at once than 32 bits can hold, which Weir refuses.
 */
class ConformanceIT {
  private static final Path TABLE = Path.of("..", "docs", "conformance", "envoy-rls");
  private static final Path RECORDED = Path.of("..", "docs", "conformance", "recorded");

  private static final List<String> LEFT_OUT =
      List.of("stats/stats-of-an-override", "hits/large-descriptor-hits");

  private static final Pattern COUNTER =
      Pattern.compile("(?m)^weir_envoy_(\\w+)_total\\{rule=\"([^\"]*)\"} ([0-9.E]+)$");

  /** The variables of each setting. */
  private static final Map<String, List<String>> SETTINGS =
      Map.of(
          "default", List.of(),
          "no_config", List.of(),
          "shadow_mode", List.of("RATE_LIMIT_ENVOY_SHADOW_MODE", "true"),
          "quota_mode", List.of("RATE_LIMIT_ENVOY_QUOTA_MODE", "true"),
          "stop_when_over", List.of("RATE_LIMIT_ENVOY_STOP_WHEN_OVER", "true"),
          "response_headers", List.of("RATE_LIMIT_ENVOY_RESPONSE_HEADERS", "true"),
          "header_names",
              List.of(
                  "RATE_LIMIT_ENVOY_LIMIT_HEADER", "X-Conformance-Limit",
                  "RATE_LIMIT_ENVOY_REMAINING_HEADER", "X-Conformance-Remaining",
                  "RATE_LIMIT_ENVOY_RESET_HEADER", "X-Conformance-Reset"),
          "dynamic_metadata", List.of("RATE_LIMIT_ENVOY_DYNAMIC_METADATA", "true"),
          "merge_domains", List.of("RATE_LIMIT_ENVOY_MERGE_DOMAINS", "true"));

  @TempDir private Path folder = Path.of("");

  /** The clock of the server, as the suite moves it. */
  private record ServerClock(TestServer server) implements Clock {
    @Override
    public long nowSeconds() {
      return server.time.nowMicros() / 1_000_000;
    }

    @Override
    public void advanceTo(long seconds) {
      server.time.set(Instant.ofEpochSecond(seconds));
    }
  }

  private Report run(Path table, String profile, BiFunction<Config, TimeSource, Counters> counters)
      throws IOException {
    List<String> variables = new ArrayList<>();
    for (String setting : profile.split("\\+", -1)) {
      variables.addAll(SETTINGS.get(setting));
    }
    Path rules = Files.createDirectories(folder.resolve("rules"));
    Suite suite = Suite.read(table);
    // The server finds them when it starts, wrong ones too.
    suite.writeConfigs(Run.on("nobody yet", rules).profile(profile));
    try (TestServer server =
        new TestServer(folder, "", rules, counters, variables.toArray(new String[0]))) {
      return suite.run(
          Run.on("127.0.0.1:" + server.server.port(), rules)
              .profile(profile)
              .clock(new ServerClock(server))
              .without("override_stats")
              .without("hits_of_64_bits")
              .reloader(() -> reload(server))
              .stats(() -> counters(server)));
    }
  }

  private static Optional<String> reload(TestServer server) {
    try {
      server.server.envoy().reload();
      return Optional.empty();
    } catch (ConfigException wrong) {
      return Optional.of(String.valueOf(wrong.getMessage()));
    }
  }

  /** The counters of rules, from the page of metrics. */
  private static Map<String, Long> counters(TestServer server) {
    Map<String, Long> counters = new HashMap<>();
    Matcher line = COUNTER.matcher(server.caller.get("/metrics").body());
    while (line.find()) {
      String rule = line.group(2).replace("\\\\", "\\");
      counters.put(rule + "." + line.group(1), (long) Double.parseDouble(line.group(3)));
    }
    return counters;
  }

  private static Stream<Arguments> tables() {
    return Stream.of(TABLE, RECORDED)
        .flatMap(
            table ->
                Suite.read(table).profiles().keySet().stream()
                    .map(profile -> Arguments.of(table, profile)));
  }

  private static void assertAllPassed(Report report) {
    assertThat(report.failures()).as(report.toString()).isEmpty();
    assertThat(report.outcomes())
        .filteredOn(outcome -> outcome.verdict() == Report.Verdict.SKIPPED)
        .extracting(Report.Outcome::title)
        .isSubsetOf(LEFT_OUT);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void inMemory(Path table, String profile) throws IOException {
    assertAllPassed(run(table, profile, Counters::open));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void onRedis(Path table, String profile) throws IOException {
    try (RedisServer redis = RedisServer.start()) {
      assertAllPassed(
          run(
              table,
              profile,
              (config, time) ->
                  new Counters.OnRedis(TimedStores.open(redis.uri(), time), config.redis())));
    }
  }
}
