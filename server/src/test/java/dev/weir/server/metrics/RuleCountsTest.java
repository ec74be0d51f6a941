package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Client;
import org.junit.jupiter.api.Test;

class RuleCountsTest {
  private static final String POLICY =
      """
      default_tier = "free"

      [[tier]]
      name = "free"
      limit = "100/m"
      endpoints = { "/odd" = 1 }

      [[endpoint]]
      name = "chat"
      paths = ["/chat"]
      limit = "1/m"

      [[rule]]
      name = "closed"
      priority = 900
      match = { path = "/old/**" }
      action = "block"

      [[rule]]
      name = "stricter"
      match = { path = "/chat" }
      limits = ["1/h"]
      mode = "shadow"

      [[rule]]
      name = "wide"
      limits = ["1000/h"]

      [[rule]]
      name = "off"
      limits = ["1/h"]
      enabled = false
      """;
  private static final Client ALICE = TestGate.client("alice");

  @Test
  void eachRuleIsCountedThatHadASay() {
    TestGate gate = new TestGate(POLICY);
    gate.check("/chat", ALICE, 3);
    gate.check("/old/x", ALICE, 2);
    gate.check("/odd", ALICE, 1);
    gate.check("/other", ALICE, 4);

    assertThat(gate.metrics.rulesJson(gate.gate.policy()))
        .isEqualTo(
            "{\"since\": \"2026-03-01T10:00:00Z\", \"rules\": ["
                + String.join(
                    ", ",
                    row("closed", 2, 0, 0),
                    row("off", 0, 0, 0),
                    row("stricter", 3, 0, 2),
                    row("wide", 8, 0, 0),
                    row("tier:free:/odd", 1, 0, 0),
                    row("endpoint:chat", 3, 2, 0),
                    row("tier:free", 4, 0, 0),
                    row("default", 0, 0, 0))
                + "]}");
  }

  private static String row(String rule, long matched, long throttled, long refused) {
    return "{\"rule\": \"%s\", \"matched\": %d, \"throttled\": %d, \"shadow_refused\": %d}"
        .formatted(rule, matched, throttled, refused);
  }

  @Test
  void countsOutliveAPolicyThatIsReplaced() {
    TestGate gate = new TestGate("");
    gate.check("/", ALICE, 2);
    gate.reload(POLICY);
    gate.check("/", ALICE, 1);
    gate.reload("");

    assertThat(gate.metrics.rulesJson(gate.gate.policy()))
        .endsWith(
            "[{\"rule\": \"default\", \"matched\": 2, \"throttled\": 0, \"shadow_refused\": 0}]}");
  }
}
