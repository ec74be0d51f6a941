package dev.weir.http.seed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.policy.Outcome;
import dev.weir.policy.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Seed 004: rules by priority, with several rates, bursts, actions and answers of their own. */
class Seed004Test {
  private final Story story =
      Story.of(
          """
          [[rule]]
          name = "free_tier_limit"
          priority = 700
          match = { tier = "free" }
          limits = ["1000/h"]
          burst = 20
          [[rule]]
          name = "api_v1_limit"
          priority = 600
          match = { path = "/api/v1/*", method = "GET" }
          limits = ["100/s", "150/m", "1000/d"]
          algorithm = "sliding_window"
          [[rule]]
          name = "bad_network"
          priority = 900
          match = { ip = "198.51.100.0/24" }
          action = "block"
          response = { status = 451, message = "not from there", retry_after = 3600 }
          [[rule]]
          name = "probes"
          priority = 1000
          match = { path = "/healthz" }
          action = "allow"
          """);

  @Test
  void aTierMayHaveABurst() {
    assertThat(story.allowed(50, () -> story.user("a/free", "/x"))).isEqualTo(20);
  }

  @Test
  void severalRatesHoldAtOnce() {
    assertThat(story.allowed(120, () -> story.user("a", "/api/v1/x"))).isEqualTo(100);
    story.pass(Duration.ofSeconds(2));
    assertThat(story.allowed(120, () -> story.user("a", "/api/v1/x"))).isEqualTo(50);
    Verdict refused = story.user("a", "/api/v1/x");

    assertThat(refused.standings()).hasSize(3);
    assertThat(refused.decisive())
        .satisfies(status -> assertThat(status.limit()).hasToString("150/m sliding_window"));
  }

  @Test
  void rulesCombineAndNoneIsChargedUnlessAllHaveRoom() {
    assertThat(story.allowed(50, () -> story.user("a/free", "/api/v1/x"))).isEqualTo(20);
    Verdict refused = story.user("a/free", "/api/v1/x");

    assertThat(refused.rule()).isEqualTo("free_tier_limit");
    assertThat(refused.standings().get(1).status().remaining()).isEqualTo(80);
  }

  @Test
  void theMethodCounts() {
    assertThat(story.ask("POST", "/api/v1/x", "203.0.113.7", null).rule()).isEqualTo("default");
    assertThat(story.ask("GET", "/api/v1/x", "203.0.113.7", null).rule()).isEqualTo("api_v1_limit");
  }

  @Test
  void aBlockAnswersAsItsRuleSays() {
    Verdict blocked = story.address("198.51.100.9", "/api/v1/x");
    Answer answer = story.answer(blocked);

    assertThat(blocked.outcome()).isEqualTo(Outcome.BLOCKED);
    assertThat(answer.status()).isEqualTo(451);
    assertThat(answer.fields()).containsEntry("Retry-After", "3600");
    assertThat(answer.body()).contains("\"message\": \"not from there\"");
  }

  @Test
  void whatIsAllowedIsNotCounted() {
    assertThat(story.allowed(500, () -> story.address("198.51.100.9", "/healthz"))).isEqualTo(500);
    assertThat(story.address("203.0.113.7", "/healthz").standings()).isEmpty();
  }
}
