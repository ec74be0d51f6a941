package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What editors know of the properties. */
class MetadataTest {
  private static String metadata() throws IOException {
    try (InputStream in =
        RateLimitProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ratelimit.enabled",
        "ratelimit.requests-per-minute",
        "ratelimit.window-duration-ms",
        "ratelimit.config",
        "ratelimit.default-tier",
        "ratelimit.default.limit",
        "ratelimit.tier",
        "ratelimit.endpoint",
        "ratelimit.rule",
        "ratelimit.exempt",
        "ratelimit.penalty.multipliers",
        "ratelimit.counters.failure-mode",
        "ratelimit.redis.url",
        "ratelimit.client.trusted-proxies",
        "ratelimit.response.headers",
        "ratelimit.events.log",
        "ratelimit.filter.order",
        "ratelimit.annotations.enabled"
      })
  void knowsTheProperty(String name) throws IOException {
    assertThat(metadata()).contains("\"name\": \"" + name + "\"");
  }

  @Test
  void tellsWhatTheyAreAndWhatTheyAreIfNothingIsSaid() throws IOException {
    assertThat(metadata())
        .contains("How many requests a client may send in a window")
        .contains("\"defaultValue\": 60")
        .contains("\"defaultValue\": 60000");
  }
}
