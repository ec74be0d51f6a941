package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.MemoryCounterStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostNameTest {
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");

  @ParameterizedTest(name = "T19: Host {0} is {1}")
  @CsvSource({
    "api.example.com, api.example.com",
    "API.Example.COM, api.example.com",
    "api.example.com., api.example.com",
    "api.example.com:443, api.example.com",
    "api.example.com:, api.example.com",
    "Api.example.com.:8443, api.example.com",
    "203.0.113.7:80, 203.0.113.7",
    "[2001:DB8::1], [2001:db8::1]",
    "[2001:db8::1]:443, [2001:db8::1]",
    "2001:db8::1, 2001:db8::1",
    "api.example.com:http, api.example.com:http",
    "api.example.com..:80, api.example.com.",
    "'', ''",
    "., .",
    ":80, :80",
  })
  void everySpellingOfAHostIsOne(String value, String expected) {
    assertThat(HostName.canonical(value)).isEqualTo(expected);
  }

  private static Request request(String field, String value) {
    return new Request("GET", "/", ALICE, 1, Headers.of(Map.of(field, value)));
  }

  @Test
  @DisplayName("T19: a rule on a host holds for all its spellings, one on another field for one")
  void aRuleOnAHostHoldsForAllItsSpellings() {
    Policy policy =
        TestPolicy.of(
                TestRule.block("host").header("host", "API.example.com:443"),
                TestRule.block("field").header("x-kind", "Bot"))
            .compile();
    Gate gate = new Gate(policy, new MemoryCounterStore());

    for (String spelling :
        List.of("api.example.com", "API.EXAMPLE.COM", "api.example.com.", "api.example.com:8080")) {
      assertThat(gate.check(request("Host", spelling)).rule()).as(spelling).isEqualTo("host");
    }
    assertThat(gate.check(request("hOST", "www.example.com")).isAllowed()).isTrue();
    assertThat(gate.check(request("X-KIND", "Bot")).rule()).isEqualTo("field");
    for (String other : List.of("bot", "BOT", "Bot.", "Bot:80", "\uff22ot")) {
      assertThat(gate.check(request("X-Kind", other)).isAllowed()).as(other).isTrue();
    }
  }

  @Test
  @DisplayName("T19: a second condition on a host holds for all its spellings too")
  void aSecondConditionOnAHostHoldsToo() {
    Policy policy =
        TestPolicy.of(TestRule.block("both").user("alice").header("host", "api.example.com"))
            .compile();
    Gate gate = new Gate(policy, new MemoryCounterStore());

    assertThat(gate.check(request("Host", "Api.Example.com.:443")).isAllowed()).isFalse();
  }
}
