package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.config.ServerSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardTest {
  private static Guard guard(String admin, String check, String metrics) {
    String read = admin.isEmpty() ? "" : admin + "-read";
    return new Guard(
        new ServerSettings(
            "127.0.0.1:0", admin, read, check, metrics, "local", "", "data", Duration.ZERO));
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

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "ADMIN, Bearer admin, -",
        "ADMIN, Bearer admin-read, READER",
        "ADMIN, Bearer check, TOKEN",
        "READER, Bearer admin, -",
        "READER, Bearer admin-read, -",
        "READER, Bearer check, TOKEN",
        "ASKER, Bearer admin-read, -",
        "ASKER, Bearer check, -",
        "ASKER, Bearer metrics, TOKEN",
        "CALLER, Bearer admin, -",
        "CALLER, Bearer admin-read, READER",
        "CALLER, Bearer check, -",
        "CHECK, Bearer admin-read, TOKEN",
        "METRICS, Bearer admin-read, TOKEN",
      })
  void eachTokenIsGoodForItsOwn(Access access, String authorization, Guard.Refusal refusal) {
    Guard guard = guard("admin", "check", "metrics");

    assertThat(guard.refusal(access, authorization, "weir.example", null)).isEqualTo(refusal);
  }

  @Test
  void aRoleIsThatOfItsTokenAlone() {
    Guard before = guard("one", "", "");
    Guard after = guard("two", "", "");

    assertThat(before.roleOf("one")).isEqualTo(Role.ADMIN);
    assertThat(before.roleOf("one-read")).isEqualTo(Role.READER);
    assertThat(before.roleOf("")).isNull();
    assertThat(guard("", "", "").roleOf("")).isNull();
    assertThat(before.isCurrent(Role.ADMIN, before.printOf(Role.ADMIN))).isTrue();
    assertThat(before.isCurrent(Role.READER, before.printOf(Role.ADMIN))).isFalse();
    assertThat(after.isCurrent(Role.ADMIN, before.printOf(Role.ADMIN))).isFalse();
    assertThat(guard("", "", "").isCurrent(Role.ADMIN, new byte[0])).isFalse();
  }

  @Test
  void withoutAnAdminTokenACheckTokenDoesNotHideExplanations() {
    Guard guard = guard("", "check", "");

    assertThat(guard.refusal(Access.ASKER, null, "localhost", null)).isNull();
    assertThat(guard.refusal(Access.ASKER, null, "evil.example", null))
        .isEqualTo(Guard.Refusal.ORIGIN);
    assertThat(guard.refusal(Access.ASKER, "Bearer check", "evil.example", null)).isNull();
    assertThat(guard.refusal(Access.CALLER, null, "localhost", null))
        .isEqualTo(Guard.Refusal.TOKEN);
  }
}
