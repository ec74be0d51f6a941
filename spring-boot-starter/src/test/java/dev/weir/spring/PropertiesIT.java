package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.policy.PolicyDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be said in properties, and what is said about what is wrong there. */
class PropertiesIT {
  @TempDir Path folder = Path.of("");

  private static TestApplication start(String... properties) {
    return TestApplication.start(List.of(), properties);
  }

  private static List<String> mistakes(String... properties) {
    Throwable thrown =
        catchThrowable(
            () -> {
              try (TestApplication unexpected = start(properties)) {
                unexpected.bean(RateLimits.class);
              }
            });
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof RateLimitConfigurationException wrong) {
        return wrong.mistakes();
      }
    }
    throw new AssertionError("expected mistakes, got " + thrown, thrown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ratelimit.requests-per-minute=0     | ratelimit.requests-per-minute must be at least 1, got 0
          ratelimit.requests-per-minute=-5    | ratelimit.requests-per-minute must be at least 1, got -5
          ratelimit.window-duration-ms=0      | ratelimit.window-duration-ms must be at least 1, got 0
          ratelimit.window-duration-ms=-1     | ratelimit.window-duration-ms must be at least 1, got -1
          ratelimit.counters.max-keys=0       | ratelimit.counters.max-keys must be between 1 and 100000000, got 0
          ratelimit.default.limit=0           | ratelimit.default.limit must be between 1 and
          ratelimit.counters.backend=mysql    | ratelimit.counters.backend must be memory or redis, got "mysql"
          ratelimit.client.trusted-proxies=x  | ratelimit.client.trusted-proxies
          ratelimit.endpoint[0].limit=5       | ratelimit.endpoint[0].name is missing
          ratelimit.rule[0].limits=5/fortnight| ratelimit.rule[0]
          ratelimit.default-tier=gold         | ratelimit.default-tier must be the name of a tier, got "gold"
          ratelimit.config=file:nowhere.toml  | ratelimit.config: nowhere.toml
          """)
  void mistakesNameTheirProperties(String property, String mistake) {
    assertThat(mistakes(property)).first().asString().startsWith(mistake);
  }

  @Test
  void allMistakesAreToldAtOnce() {
    assertThat(
            mistakes(
                "ratelimit.response.body=xml",
                "ratelimit.tier[0].name=free",
                "ratelimit.tier[0].limit=0",
                "ratelimit.penalty.violation-threshold=0"))
        .hasSize(3)
        .anyMatch(mistake -> mistake.startsWith("ratelimit.response.body "))
        .anyMatch(mistake -> mistake.startsWith("ratelimit.tier[0].limit "))
        .anyMatch(mistake -> mistake.startsWith("ratelimit.penalty.violation-threshold "));
  }

  @Test
  void aPropertyThatDoesNotExistIsAMistake() {
    assertThat(
            catchThrowable(
                () -> {
                  try (TestApplication unexpected = start("ratelimit.request-per-minute=5")) {
                    unexpected.bean(RateLimits.class);
                  }
                }))
        .hasStackTraceContaining("ratelimit.request-per-minute");
  }

  @Test
  void allOfAPolicyCanBeSaid() {
    try (TestApplication application =
        start(
            "ratelimit.default-tier=free",
            "ratelimit.default.limit=100/m burst 20",
            "ratelimit.tier[0].name=free",
            "ratelimit.tier[0].limit=100",
            "ratelimit.tier[0].window=60s",
            "ratelimit.tier[0].endpoints[/api/v1/request]=50",
            "ratelimit.endpoint[0].name=chat",
            "ratelimit.endpoint[0].paths=/api/chat,/api/talk",
            "ratelimit.endpoint[0].limit=10",
            "ratelimit.endpoint[0].window=1m",
            "ratelimit.endpoint[0].scope=user",
            "ratelimit.rule[0].name=partners",
            "ratelimit.rule[0].priority=600",
            "ratelimit.rule[0].match.path=/api/**",
            "ratelimit.rule[0].match.header.x-plan=gold",
            "ratelimit.rule[0].limits=100/s,1000/h",
            "ratelimit.rule[0].algorithm=sliding_window",
            "ratelimit.rule[0].final=true",
            "ratelimit.rule[0].response.status=503",
            "ratelimit.rule[0].response.retry-after=30s",
            "ratelimit.penalty.enabled=true",
            "ratelimit.penalty.multipliers=1,3",
            "ratelimit.exempt[0].ip=10.1.0.0/16",
            "ratelimit.client.ipv6-prefix=56",
            "ratelimit.counters.failure-mode=closed")) {
      RateLimits limits = application.bean(RateLimits.class);
      PolicyDefinition policy = limits.gate().policy().definition();
      assertThat(policy.defaultTier()).isEqualTo("free");
      assertThat(policy.defaultLimit()).hasToString("100/m burst 20");
      assertThat(policy.tiers())
          .singleElement()
          .satisfies(
              tier -> {
                assertThat(tier.overrides()).hasSize(1);
              });
      assertThat(policy.endpoints())
          .singleElement()
          .satisfies(
              endpoint -> {
                assertThat(endpoint.paths()).hasSize(2);
              });
      assertThat(policy.rules())
          .singleElement()
          .satisfies(
              rule -> {
                assertThat(rule.limits()).hasSize(2);
                assertThat(rule.isFinal()).isTrue();
                assertThat(rule.match().headers()).containsKey("x-plan");
              });
      assertThat(limits.config().client().ipv6Prefix()).isEqualTo(56);
    }
  }

  @Test
  void aFileMaySayItInPlaceOfProperties() throws IOException {
    Path file = folder.resolve("weir.toml");
    Files.writeString(file, "[default]\nlimit = \"5/m\"\n");
    try (TestApplication application = start("ratelimit.config=file:" + file)) {
      RateLimits limits = application.bean(RateLimits.class);
      assertThat(limits.gate().policy().definition().defaultLimit().permits()).isEqualTo(5);
      Files.writeString(file, "[default]\nlimit = \"7/m\"\n");
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> limits.gate().policy().definition().defaultLimit().permits() == 7);
      Files.writeString(file, "[default]\nlimit = 0\n");
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> limits.problem() != null);
      assertThat(limits.problem()).contains("default.limit");
      assertThat(limits.gate().policy().definition().defaultLimit().permits()).isEqualTo(7);
    }
    assertThat(mistakes("ratelimit.config=file:" + file))
        .first()
        .asString()
        .contains("ratelimit.config: ")
        .contains("default.limit");
    assertThat(mistakes("ratelimit.config=file:" + file, "ratelimit.default.limit=3"))
        .containsExactly(
            "ratelimit.default must not be given together with ratelimit.config; say it there");
    assertThat(mistakes("ratelimit.config=file:" + file, "ratelimit.requests-per-minute=3"))
        .containsExactly(
            "ratelimit.requests-per-minute must not be given together with ratelimit.config; say it"
                + " there");
    assertThat(mistakes("ratelimit.default.limit=3", "ratelimit.window-duration-ms=3"))
        .containsExactly(
            "ratelimit.window-duration-ms must not be given together with ratelimit.default");
  }
}
