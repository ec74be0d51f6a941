package dev.weir.http.seed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.policy.Cause;
import dev.weir.policy.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Seed 001: sixty a minute for each address, from the first request on. */
class Seed001Test {
  private final Story story =
      Story.of(
          """
          [default]
          limit = 60
          window = "60s"
          algorithm = "fixed_window"
          align = "first_request"
          """);

  @Test
  void theSixtyFirstRequestInAMinuteIsRefused() {
    assertThat(story.allowed(60, () -> story.address("192.0.2.1", "/a"))).isEqualTo(60);
    story.pass(Duration.ofSeconds(29));
    Verdict refused = story.address("192.0.2.1", "/b");

    assertThat(refused.isAllowed()).isFalse();
    assertThat(refused.retryAfterSeconds()).isEqualTo(31);
    assertThat(story.address("192.0.2.2", "/a").isAllowed()).isTrue();
  }

  @Test
  void aNewWindowStartsWithTheFirstRequestAfterTheLast() {
    story.allowed(61, () -> story.address("192.0.2.1", "/"));
    story.pass(Duration.ofMinutes(1));
    Verdict first = story.address("192.0.2.1", "/");

    assertThat(first.isAllowed()).isTrue();
    assertThat(story.answer(first).fields()).containsEntry("X-RateLimit-Remaining", "59");
  }

  @Test
  void theRefusalSaysWhatHappenedAndWhenToComeBack() {
    story.allowed(60, () -> story.address("192.0.2.1", "/"));
    story.pass(Duration.ofSeconds(29));
    Answer refused = story.answer(story.address("192.0.2.1", "/"));

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.contentType()).isEqualTo("application/json");
    assertThat(refused.body())
        .isEqualTo(
            "{\"error\": \"Too Many Requests\", \"message\": \"rate limit exceeded, retry in 31 s\","
                + " \"retryAfter\": 31}");
    assertThat(refused.fields()).containsEntry("Retry-After", "31");
  }

  @Test
  void anInvalidOrMissingAddressPasses() {
    for (String address : new String[] {"not an address", "300.1.1.1", ""}) {
      assertThat(story.allowed(100, () -> story.ask("GET", "/", address, null))).isEqualTo(100);
    }
    Verdict missing = story.ask("GET", "/", null, null);

    assertThat(missing.isAllowed()).isTrue();
    assertThat(missing.cause()).isEqualTo(Cause.MISSING_CLIENT);
  }
}
