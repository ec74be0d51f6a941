package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GateRefundTest {
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");
  private static final Request REQUEST = Request.of("GET", "/", ALICE);

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final MemoryCounterStore store = new MemoryCounterStore(time, 1_000);
  private final ClientList blocks = new ClientList(time);

  private Gate gate(TestPolicy policy) {
    return new Gate(policy.compile(), store, blocks, List.of());
  }

  private static List<Long> remaining(Gate gate) {
    return gate.check(REQUEST.withCost(0)).standings().stream()
        .map(Verdict.Standing::status)
        .map(LimitStatus::remaining)
        .toList();
  }

  private static void refund(Gate gate, Request request) {
    assertThat(gate.refund(request)).isCompleted();
  }

  @Test
  void givesBackToEveryLimit() {
    Gate gate = gate(TestPolicy.of(TestRule.throttle("r", "9/m", "50/h")));
    gate.check(REQUEST.withCost(4));
    assertThat(remaining(gate)).containsExactly(5L, 46L);
    refund(gate, REQUEST.withCost(3));

    assertThat(remaining(gate)).containsExactly(8L, 49L);
  }

  @Test
  void neverGivesMoreThanWasUsed() {
    Gate gate = gate(TestPolicy.of().defaultLimit("9/m"));
    refund(gate, REQUEST.withCost(5));
    assertThat(store.statistics().liveKeys()).isZero();
    gate.check(REQUEST);
    refund(gate, REQUEST.withCost(Long.MAX_VALUE));

    assertThat(remaining(gate)).containsExactly(9L);
  }

  @Test
  void aCostOfNothingGivesBackNothing() {
    Gate gate = gate(TestPolicy.of().defaultLimit("9/m"));
    gate.check(REQUEST);
    refund(gate, REQUEST.withCost(0));

    assertThat(remaining(gate)).containsExactly(8L);
  }

  @Test
  void givesBackToShadowRulesToo() {
    Gate gate =
        gate(
            TestPolicy.of(
                TestRule.throttle("tried", "1/m").shadow(), TestRule.block("shut").shadow()));
    gate.check(REQUEST);
    refund(gate, REQUEST);

    assertThat(gate.check(REQUEST).shadows())
        .containsExactly(new Verdict.Shadow("shut", true), new Verdict.Shadow("tried", false));
  }

  @Test
  void whatIsNotCountedIsNotGivenBack() {
    TestPolicy limited = TestPolicy.of().defaultLimit("9/m");
    Gate gate = gate(limited);
    gate.check(REQUEST.withCost(4));

    gate.use(TestPolicy.of(TestRule.allow("all")).defaultLimit("9/m").compile());
    refund(gate, REQUEST);
    gate.use(TestPolicy.of().defaultLimit("9/m").disabled().compile());
    refund(gate, REQUEST);
    gate.use(TestPolicy.of().defaultLimit("9/m").exempt(ClientSet.of(Set.of("alice"))).compile());
    refund(gate, REQUEST);
    gate.use(limited.compile());
    blocks.put(new ListedClient("user:alice", "", null));
    refund(gate, REQUEST);
    blocks.remove("user:alice");

    assertThat(remaining(gate)).containsExactly(5L);
  }
}
