package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.ListedClient;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.config.ConfigReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConclusionTest {
  private static final Client ALICE = Client.unknown().withUser("alice");

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-01-01T00:00:00Z"));
  private final ClientList blocks = new ClientList(time);

  private Gate gate(String policy) {
    return new Gate(
        Policy.compile(ConfigReader.parse(policy, "weir.toml", Map.of()).policy()),
        new MemoryCounterStore(time, 1_000),
        blocks,
        List.of());
  }

  private static String conclusion(Gate gate, Request request) {
    return Conclusion.of(Decided.of(gate.explain(request).verdict()), request.cost());
  }

  private static Request request() {
    return Request.of("GET", "/", ALICE);
  }

  @Test
  void saysWhatIsLeftOfALimitThatHasRoom() {
    assertThat(conclusion(gate("default.limit = \"10/m\""), request()))
        .isEqualTo("So it is allowed by default: 10 of 10 left.");
  }

  @Test
  void saysWhenToRetryALimitThatIsUsedUp() {
    Gate gate = gate("default.limit = \"10/m burst 1\"");
    gate.check(request());

    assertThat(conclusion(gate, request()))
        .isEqualTo("So it is throttled by default: 0 of 1 left, retry in 6 s.");
  }

  @Test
  void saysThatACostIsAboveTheLimit() {
    assertThat(conclusion(gate("default.limit = \"20/m\""), request().withCost(21)))
        .isEqualTo("So it is throttled by default: the cost 21 is above the limit 20.");
  }

  @Test
  void saysThatAPenaltyRuns() {
    Gate gate =
        gate(
            """
            [default]
            limit = "1/m"
            [penalty]
            enabled = true
            violation_threshold = 1
            multipliers = [2]
            """);
    gate.check(request());
    gate.check(request());

    assertThat(conclusion(gate, request()))
        .isEqualTo("So it is throttled by default: a penalty runs, retry in 120 s.");
  }

  @Test
  void saysWhoBlocks() {
    String rule = "[[rule]]\nname = \"shut\"\naction = \"block\"\n";

    assertThat(conclusion(gate(rule), request()))
        .isEqualTo("So it is blocked by shut: the rule blocks it.");
    assertThat(conclusion(gate(rule + "response.retry_after = 30"), request()))
        .isEqualTo("So it is blocked by shut: the rule blocks it, retry in 30 s.");
    blocks.put(new ListedClient("user:alice", "scanning", null));
    assertThat(conclusion(gate(rule), request()))
        .isEqualTo("So it is blocked: the client is blocked.");
  }

  @Test
  void saysThatNobodyIsKnown() {
    Gate gate = gate("client.on_missing_client = \"block\"");

    assertThat(conclusion(gate, Request.of("GET", "/", Client.unknown())))
        .isEqualTo("So it is blocked: nothing is known of the client.");
    assertThat(conclusion(gate(""), Request.of("GET", "/", Client.unknown())))
        .isEqualTo("So it is allowed: missing_client.");
  }
}
