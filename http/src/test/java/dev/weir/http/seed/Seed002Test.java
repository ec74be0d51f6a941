package dev.weir.http.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.policy.Cause;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ConfigReader;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seed 002: tiers with stricter limits on some paths, a whitelist, and what is valid. */
class Seed002Test {
  private static final String TIERS =
      """
      default_tier = "free"
      [[tier]]
      name = "free"
      limit = 100
      window = "60s"
      algorithm = "sliding_log"
      [[tier]]
      name = "premium"
      limit = 1000
      window = "60s"
      algorithm = "sliding_log"
      endpoints = { "/api/v1/request" = 50 }
      """;

  private final Story story = Story.of(TIERS);

  @Test
  void scenario1AFreeUserHitsTheLimitOfTheTier() {
    assertThat(story.allowed(99, () -> story.user("550e8400", "/api/v1/request"))).isEqualTo(99);
    Verdict hundredth = story.user("550e8400", "/api/v1/request");
    assertThat(hundredth.isAllowed()).isTrue();
    assertThat(story.answer(hundredth).fields())
        .containsEntry("X-RateLimit-Remaining", "0")
        .containsEntry("X-RateLimit-Reset", "1767268860");
    story.pass(Duration.ofSeconds(1));
    Verdict next = story.user("550e8400", "/api/v1/request");
    assertThat(next.isAllowed()).isFalse();
    assertThat(story.answer(next).status()).isEqualTo(429);
    assertThat(story.answer(next).fields()).containsEntry("Retry-After", "59");
    story.pass(Duration.ofMinutes(1));

    assertThat(story.user("550e8400", "/api/v1/request").isAllowed()).isTrue();
  }

  @Test
  void scenario2APremiumUserHasAStricterLimitOnOnePath() {
    String user = "premium-user-001/premium";
    assertThat(story.allowed(50, () -> story.user(user, "/api/v1/request"))).isEqualTo(50);
    story.pass(Duration.ofSeconds(1));
    Verdict next = story.user(user, "/api/v1/request");
    assertThat(next.isAllowed()).isFalse();
    assertThat(next.rule()).isEqualTo("tier:premium:/api/v1/request");
    story.pass(Duration.ofSeconds(1));
    Verdict health = story.user(user, "/api/v1/health");

    assertThat(health.isAllowed()).isTrue();
    assertThat(health.rule()).isEqualTo("tier:premium");
    assertThat(story.answer(health).fields()).containsEntry("X-RateLimit-Remaining", "999");
  }

  @Test
  void theMostRestrictiveOfTierAndPathHolds() {
    Story lax = Story.of(TIERS.replace("\"/api/v1/request\" = 50", "\"/api/v1/request\" = 5000"));

    assertThat(lax.allowed(1_100, () -> lax.user("a/premium", "/api/v1/request"))).isEqualTo(1_000);
  }

  @Test
  void theWhitelistIsNeverCounted() {
    Story open =
        Story.builtIn(
            Map.of("RATE_LIMIT_WHITELIST", "550e8400-e29b-41d4-a716-446655440000,192.0.2.0/24"));

    assertThat(open.allowed(50, () -> open.user("550e8400-e29b-41d4-a716-446655440000", "/chat")))
        .isEqualTo(50);
    assertThat(open.address("192.0.2.77", "/login").cause()).isEqualTo(Cause.EXEMPT);
    assertThat(open.allowed(50, () -> open.user("bob", "/chat"))).isEqualTo(10);
  }

  @Test
  void refusalsHaveAReason() {
    story.allowed(100, () -> story.user("alice", "/"));

    assertThat(story.user("alice", "/").cause()).hasToString("limit_exceeded");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          default_tier = "gold"                                         | default_tier
          [[tier]]~name = "Free Tier"                                   | tier[0].name
          [[tier]]~limit = 5                                            | tier[0].name
          [[tier]]~name = "a"~limit = 0                                 | tier[0].limit
          [[tier]]~name = "a"~limit = 5~window = "0s"                   | tier[0].limit
          [[tier]]~name = "a"~limit = 5~window = -1                     | tier[0].window
          [[tier]]~name = "a"~limit = 5~window = "367d"                 | tier[0].limit
          [[tier]]~name = "a"~limit = 5~endpoints = { "api" = 1 }       | tier[0].endpoints.api
          [[tier]]~name = "a"~limit = 5~endpoints = { "/api" = 0 }      | tier[0].endpoints."/api"
          [redis]~url = "http://localhost"                              | redis.url
          """)
  void whatIsNotValidIsRefusedByItsName(String toml, String key) {
    assertThatThrownBy(() -> ConfigReader.parse(toml.replace('~', '\n'), "weir.toml", Map.of()))
        .hasMessageContaining(": " + key + ": ");
  }

  @Test
  void aWhitelistOfNonsenseIsRefused() {
    assertThatThrownBy(() -> Story.builtIn(Map.of("RATE_LIMIT_WHITELIST", "10.0.0.0/33")))
        .hasMessageStartingWith("RATE_LIMIT_WHITELIST: ");
  }
}
