package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LimitTextsTest {
  private static final Request REQUEST =
      Request.of("GET", "/", Client.at(Address.parse("192.0.2.9"), 64));

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-01-31T12:00:00Z"));

  private @Nullable String policyField(Gate gate) {
    return Answer.to(gate.check(REQUEST), Fixtures.responses()).fields().get("RateLimit-Policy");
  }

  @Test
  void areMadeOnceForALimitOfAPolicy() {
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse("10/60s")));
    LimitTexts first = NamedLimit.of(gate.check(REQUEST)).get(0).texts();
    assertThat(NamedLimit.of(gate.check(REQUEST)).get(0).texts()).isSameAs(first);
  }

  @Test
  void areNotThoseOfThePolicyBefore() {
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse("10/60s")));
    assertThat(policyField(gate)).isEqualTo("\"default\";q=10;w=60");
    gate.use(Policy.compile(Fixtures.definition(Limit.parse("20/30s"))));
    assertThat(policyField(gate)).isEqualTo("\"default\";q=20;w=30");
  }

  @Test
  void aMonthIsAsLongAsTheOneThatRuns() {
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse("10/month fixed_window")));
    assertThat(policyField(gate)).isEqualTo("\"default\";q=10;w=" + 31 * 86_400);
    time.advance(Duration.ofDays(1));
    assertThat(policyField(gate)).isEqualTo("\"default\";q=10;w=" + 28 * 86_400);
  }
}
