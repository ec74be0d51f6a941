package dev.weir.http.seed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Cause;
import dev.weir.policy.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Seed 003: endpoint over tier over default, wildcards, tier-wide counters, penalties. */
class Seed003Test {

  @Test
  void anEndpointComesBeforeATierAndATierBeforeTheDefault() {
    Story story =
        Story.of(
            """
            [default]
            limit = 100
            [[tier]]
            name = "standard"
            limit = 50
            [[endpoint]]
            name = "compute"
            paths = ["/api/v1/compute"]
            limit = 5
            """);

    assertThat(story.user("a/standard", "/api/v1/compute").rule()).isEqualTo("endpoint:compute");
    assertThat(story.user("a/standard", "/api/v1/search").rule()).isEqualTo("tier:standard");
    assertThat(story.user("a", "/api/v1/search").rule()).isEqualTo("default");
  }

  @Test
  void patternsMayHaveWildcards() {
    Story story =
        Story.of(
            """
            [[endpoint]]
            name = "posts"
            paths = ["/api/*/users/{id}/posts"]
            limit = 5
            [[endpoint]]
            name = "admin"
            paths = ["/admin/**"]
            limit = 5
            """);

    assertThat(story.user("a", "/api/v1/users/7/posts").endpoint()).isEqualTo("posts");
    assertThat(story.user("a", "/api/v1/users/7/8/posts").endpoint()).isEqualTo("*");
    assertThat(story.user("a", "/admin").endpoint()).isEqualTo("admin");
    assertThat(story.user("a", "/admin/a/b/c").endpoint()).isEqualTo("admin");
  }

  @Test
  void aTierMayHaveACounterForAllOfItsClients() {
    Story story =
        Story.of(
            """
            [[rule]]
            name = "premium_together"
            limits = ["30/m"]
            match = { tier = "premium" }
            scope = "tier"
            """);

    assertThat(story.allowed(20, () -> story.user("a/premium", "/"))).isEqualTo(20);
    assertThat(story.allowed(20, () -> story.user("b/premium", "/"))).isEqualTo(10);
    assertThat(story.user("c/standard", "/").isAllowed()).isTrue();
  }

  @Test
  void penaltiesGrowByOneTwoFourEight() {
    Story story =
        Story.of(
            """
            [default]
            limit = 1
            window = "10s"
            algorithm = "fixed_window"
            [penalty]
            enabled = true
            detection_window = "1h"
            violation_threshold = 3
            multipliers = [1, 2, 4, 8]
            """);
    story.user("eve", "/");
    assertThat(story.user("eve", "/").cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    assertThat(story.user("eve", "/").cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    for (int multiplier : new int[] {1, 2, 4, 8, 8}) {
      Verdict violation = story.user("eve", "/");
      assertThat(violation.retryAfterSeconds()).isEqualTo(10L * multiplier);
      Verdict during = story.user("eve", "/");
      assertThat(during.cause()).isEqualTo(Cause.PENALTY);
      assertThat(during.retryAfterSeconds()).isEqualTo(10L * multiplier);
      story.pass(Duration.ofSeconds(10L * multiplier));
      assertThat(story.user("eve", "/").isAllowed()).isTrue();
    }
  }

  @Test
  void exemptionsAreByAddressAndByUser() {
    Story story =
        Story.of(
            """
            [default]
            limit = 1
            [[exempt]]
            ip = "10.1.0.0/16"
            [[exempt]]
            user = "monitor"
            """);

    assertThat(story.allowed(9, () -> story.address("10.1.2.3", "/"))).isEqualTo(9);
    assertThat(story.allowed(9, () -> story.user("monitor", "/"))).isEqualTo(9);
    assertThat(story.allowed(9, () -> story.address("10.2.0.1", "/"))).isEqualTo(1);
  }

  @Test
  void aClientIsAUserOrAnAddressInItsUsualForm() {
    Story story = Story.of("");

    assertThat(story.user("bob@example.com", "/").request().client().id())
        .isEqualTo("user:bob@example.com");
    assertThat(story.address("192.0.2.1", "/").request().client().id()).isEqualTo("ip:192.0.2.1");
    assertThat(story.address("2001:0DB8:0:0::0001", "/").request().client().id())
        .isEqualTo("ip:2001:db8::/64");
    assertThat(story.user("a".repeat(255), "/").request().client().id())
        .isEqualTo("user:" + "a".repeat(255));
  }
}
