package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;

/** What answers have to say about a limit of five requests a minute. */
final class Fields {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WINDOW_SECONDS = 60;

  private Fields() {}

  static void assertThatLimitIsTold(RawAnswer answer, int remaining) {
    assertThat(answer.field("X-RateLimit-Limit")).isEqualTo("5");
    assertThat(answer.field("X-RateLimit-Remaining")).isEqualTo(Integer.toString(remaining));
    assertThat(Long.parseLong(answer.field("X-RateLimit-Reset")))
        .isBetween(now() - WINDOW_SECONDS, now() + WINDOW_SECONDS + 1);
    assertThat(answer.field("RateLimit-Policy")).isEqualTo("\"default\";q=5;w=60");
    assertThat(answer.field("RateLimit")).matches("\"default\";r=" + remaining + ";t=[0-9]+");
  }

  static void assertThatItIsThrottled(RawAnswer answer) {
    assertThat(answer.status()).isEqualTo(429);
    int retryAfter = Integer.parseInt(answer.field("Retry-After"));
    assertThat(retryAfter).isBetween(1, WINDOW_SECONDS);
    assertThat(answer.field("Content-Type")).isEqualTo("application/json");
    JsonNode body = json(answer);
    assertThat(body.path("error").asText()).isEqualTo("Too Many Requests");
    assertThat(body.path("message").asText())
        .isEqualTo("rate limit exceeded, retry in %d s", retryAfter);
    assertThat(body.path("retryAfter").asInt()).isEqualTo(retryAfter);
  }

  static JsonNode json(RawAnswer answer) {
    try {
      return JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + answer, e);
    }
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }
}
