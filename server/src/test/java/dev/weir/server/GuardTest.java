package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.config.ServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardTest {
  private static Guard guard(String admin, String check, String metrics) {
    return new Guard(new ServerSettings("127.0.0.1:0", admin, check, metrics, "local", "", "data"));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "127.0.0.1:8080, -, true",
        "localhost, -, true",
        "LOCALHOST:1, -, true",
        "[::1]:8080, -, true",
        "127.9.9.9, -, true",
        "127.0.0.1:8080, http://127.0.0.1:8080, true",
        "127.0.0.1:8080, http://127.0.0.1:9090, false",
        "127.0.0.1:8080, http://evil.example, false",
        "127.0.0.1:8080, null, false",
        "evil.example, -, false",
        "localhost.evil.example, -, false",
        "127.0.0.1.evil.example:8080, -, false",
        "10.0.0.1:8080, -, false",
        "-, -, false",
        "'', -, false",
      })
  void withoutATokenOnlyThisMachineIsLetIn(String host, String origin, boolean isLetIn) {
    Guard guard = guard("", "", "");

    assertThat(guard.refusal(Access.ADMIN, null, host, origin) == null).isEqualTo(isLetIn);
    assertThat(guard.refusal(Access.CALLER, null, host, origin) == null).isEqualTo(isLetIn);
    assertThat(guard.refusal(Access.CHECK, null, host, origin)).isNull();
    assertThat(guard.refusal(Access.METRICS, null, host, origin)).isNull();
  }

  @Test
  void aTokenIsEnoughWhereverItComesFrom() {
    Guard guard = guard("admin", "", "");

    assertThat(guard.refusal(Access.ADMIN, "Bearer admin", "weir.example", "http://x")).isNull();
    assertThat(guard.refusal(Access.ADMIN, "BEARER  admin ", null, null)).isNull();
    assertThat(guard.refusal(Access.ADMIN, "Bearer Admin", "localhost", null))
        .isEqualTo(Guard.Refusal.TOKEN);
    assertThat(guard.refusal(Access.ADMIN, "Bearer ", "localhost", null))
        .isEqualTo(Guard.Refusal.TOKEN);
    assertThat(guard.refusal(Access.ADMIN, null, "localhost", null)).isEqualTo(Guard.Refusal.TOKEN);
  }
}
