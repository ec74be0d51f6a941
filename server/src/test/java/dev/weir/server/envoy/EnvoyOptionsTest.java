package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.policy.FailureMode;
import dev.weir.policy.config.ConfigReader;
import dev.weir.server.envoy.EnvoyOptions.WhenOver;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EnvoyOptionsTest {

  private static EnvoyOptions of(String toml, Map<String, String> environment) {
    return EnvoyOptions.of(ConfigReader.parse(toml, "weir.toml", environment));
  }

  @Test
  void anEmptyFileGivesTheStandard() {
    assertThat(of("", Map.of())).isEqualTo(EnvoyOptions.STANDARD);
    assertThat(of("[envoy]\nresponse_headers = true", Map.of()).responseHeaders())
        .contains(EnvoyOptions.HeaderNames.STANDARD);
  }

  @Test
  void everySettingIsTaken() {
    EnvoyOptions options =
        of(
            """
            [counters]
            failure_mode = "closed"
            local_nodes = 3
            [envoy]
            quota_mode = true
            response_headers = true
            limit_header = "X-A"
            remaining_header = "X-B"
            reset_header = "X-C"
            dynamic_metadata = true
            all_or_nothing = true
            """,
            Map.of("RATE_LIMIT_ENVOY_SHADOW_MODE", "true"));

    assertThat(options)
        .isEqualTo(
            new EnvoyOptions(
                true,
                true,
                Optional.of(new EnvoyOptions.HeaderNames("X-A", "X-B", "X-C")),
                true,
                WhenOver.COUNT_NOTHING,
                FailureMode.CLOSED,
                3));
  }

  @Test
  void whatIsCountedWhenALimitIsOverIsOneOfThree() {
    assertThat(of("", Map.of()).whenOver()).isEqualTo(WhenOver.COUNT_ALL);
    assertThat(of("[envoy]\nstop_when_over = true", Map.of()).whenOver())
        .isEqualTo(WhenOver.COUNT_OVER);
    assertThat(of("[envoy]\nall_or_nothing = true", Map.of()).whenOver())
        .isEqualTo(WhenOver.COUNT_NOTHING);
  }

  @Test
  void limitsAreDividedAmongAtLeastOne() {
    assertThatThrownBy(
            () ->
                new EnvoyOptions(
                    false,
                    false,
                    Optional.empty(),
                    false,
                    WhenOver.COUNT_ALL,
                    FailureMode.LOCAL,
                    0))
        .hasMessage("localNodes must be at least 1, got 0");
  }
}
