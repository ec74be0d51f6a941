package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedisOptionsTest {

  @Test
  void hasTheDefaultsOfTheConfiguration() {
    assertThat(RedisOptions.defaults())
        .isEqualTo(
            new RedisOptions(
                "ratelimit", Duration.ofMillis(25), Duration.ofSeconds(2), Optional.empty(), true));
  }

  @Test
  void refusesAPrefixThatCouldMoveKeysToAnotherSlot() {
    assertThatThrownBy(() -> RedisOptions.defaults().withKeyPrefix("a{b}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("keyPrefix must be letters, digits, _, -, . and :, got \"a{b}\"");
    assertThatThrownBy(() -> RedisOptions.defaults().withKeyPrefix(""))
        .hasMessage("keyPrefix must be letters, digits, _, -, . and :, got \"\"");
  }

  @Test
  void refusesTimesThatAreNone() {
    assertThatThrownBy(() -> RedisOptions.defaults().withCommandTimeout(Duration.ZERO))
        .hasMessage("commandTimeout must be between 1ms and 60s, got PT0S");
    assertThatThrownBy(
            () ->
                new RedisOptions(
                    "a", Duration.ofMillis(1), Duration.ofMinutes(2), Optional.empty(), true))
        .hasMessage("connectTimeout must be between 1ms and 60s, got PT2M");
  }
}
