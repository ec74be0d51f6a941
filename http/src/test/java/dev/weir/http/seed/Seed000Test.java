package dev.weir.http.seed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.policy.Cause;
import dev.weir.policy.Verdict;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Seed 000: three categories of endpoints with their scopes, set by the environment. */
class Seed000Test {
  private final Story story = Story.builtIn(Map.of());

  @Test
  void chatIsTenAMinuteForEachUser() {
    assertThat(story.allowed(15, () -> story.user("alice", "/api/v1/rag/chat"))).isEqualTo(10);
    assertThat(story.allowed(15, () -> story.user("bob", "/api/v1/rag/chat"))).isEqualTo(10);
  }

  @Test
  void uploadIsTwoInTenMinutesForEachUser() {
    assertThat(story.allowed(3, () -> story.user("alice", "/documents/upload"))).isEqualTo(2);
    story.pass(Duration.ofMinutes(10));
    assertThat(story.allowed(3, () -> story.user("alice", "/documents/upload"))).isEqualTo(2);
  }

  @Test
  void authIsFiveAMinuteForEachAddressWhoeverTheUserIs() {
    assertThat(story.allowed(4, () -> story.user("alice", "/auth/token"))).isEqualTo(4);
    assertThat(story.allowed(4, () -> story.user("bob", "/login"))).isEqualTo(1);
    assertThat(story.address("203.0.113.8", "/login").isAllowed()).isTrue();
  }

  @Test
  void categoriesAreCountedApart() {
    assertThat(story.allowed(10, () -> story.user("alice", "/chat"))).isEqualTo(10);
    assertThat(story.user("alice", "/upload").isAllowed()).isTrue();
  }

  @Test
  void whoIsNoUserIsCountedByAddress() {
    assertThat(story.allowed(15, () -> story.address("203.0.113.9", "/chat"))).isEqualTo(10);
    assertThat(story.address("203.0.113.10", "/chat").isAllowed()).isTrue();
  }

  @Test
  void theEnvironmentSetsRequestsAndWindows() {
    Story other =
        Story.builtIn(
            Map.of(
                "RATE_LIMIT_CHAT_REQUESTS", "3",
                "RATE_LIMIT_CHAT_WINDOW", "30",
                "RATE_LIMIT_UPLOAD_REQUESTS", "1",
                "RATE_LIMIT_AUTH_WINDOW", "10"));

    assertThat(other.allowed(9, () -> other.user("alice", "/chat"))).isEqualTo(3);
    other.pass(Duration.ofSeconds(30));
    assertThat(other.allowed(9, () -> other.user("alice", "/chat"))).isEqualTo(3);
    assertThat(other.allowed(9, () -> other.user("alice", "/upload"))).isEqualTo(1);
    assertThat(other.allowed(9, () -> other.address("203.0.113.7", "/login"))).isEqualTo(5);
    other.pass(Duration.ofSeconds(10));
    assertThat(other.allowed(9, () -> other.address("203.0.113.7", "/login"))).isEqualTo(5);
  }

  @Test
  void theStateIsToldInFields() {
    Answer first = story.answer(story.user("alice", "/chat"));
    assertThat(first.fields())
        .containsEntry("X-RateLimit-Limit", "10")
        .containsEntry("X-RateLimit-Remaining", "9")
        .containsEntry("X-RateLimit-Reset", "1767268806")
        .doesNotContainKey("Retry-After");
    story.allowed(9, () -> story.user("alice", "/chat"));
    Verdict refused = story.user("alice", "/chat");

    assertThat(refused.cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    assertThat(story.answer(refused).status()).isEqualTo(429);
    assertThat(story.answer(refused).fields())
        .containsEntry("X-RateLimit-Remaining", "0")
        .containsEntry("X-RateLimit-Reset", "1767268860")
        .containsEntry("Retry-After", "6");
  }
}
