package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.policy.config.ServerSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
  private static ServerSettings settings(String listen, String token) {
    return new ServerSettings(listen, token, "", "", "", "local", "", "data", Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:8080", "[::]:8080", "10.0.0.1:80", "weir.example:80"})
  void beyondLoopbackThereMustBeAToken(String listen) {
    assertThatThrownBy(() -> ListenAddress.of(settings(listen, ""), null))
        .isInstanceOf(StartException.class)
        .hasMessageStartingWith("server.listen: " + listen + " is reached from outside")
        .hasMessageContaining("RATE_LIMIT_SERVER_ADMIN_TOKEN");
    assertThat(ListenAddress.of(settings(listen, "s3cret"), null).port()).isIn(80, 8080);
  }

  @Test
  void theHostIsReadWithoutBrackets() {
    assertThat(ListenAddress.of(settings("[::1]:8080", ""), null))
        .isEqualTo(new ListenAddress("::1", 8080));
    assertThat(new ListenAddress("::1", 0).url(99)).isEqualTo("http://[::1]:99");
    assertThat(ListenAddress.of(settings("localhost:1", ""), 7).url(7))
        .isEqualTo("http://localhost:7");
  }
}
