package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.Penalty;
import dev.weir.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GatePenaltyTest {
  private static final Penalty PENALTY = new Penalty(Duration.ofHours(1), 3, List.of(1, 2, 4, 8));
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final MemoryCounterStore store = new MemoryCounterStore(time, 1_000);

  private Gate gate(TestPolicy policy) {
    return new Gate(policy.penalty(PENALTY).compile(), store, new ClientList(time), List.of());
  }

  private static Request get(String path) {
    return Request.of("GET", path, ALICE);
  }

  /** Uses up the limit of one in ten seconds, violates it, and returns the last verdict. */
  private static Verdict violate(Gate gate, int times) {
    Verdict verdict = gate.check(get("/"));
    assertThat(verdict.isAllowed()).isTrue();
    for (int i = 0; i < times; i++) {
      verdict = gate.check(get("/"));
      assertThat(verdict.cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    }
    return verdict;
  }

  @Test
  void fewViolationsHaveNoConsequence() {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/10s"));

    assertThat(violate(gate, 2).retryAfterSeconds()).isEqualTo(10);
    time.advance(Duration.ofSeconds(10));
    assertThat(gate.check(get("/")).isAllowed()).isTrue();
  }

  @Test
  void eachViolationMoreDoublesTheTimeUpToEightWindows() {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/10s"));
    assertThat(violate(gate, 3).retryAfterSeconds()).isEqualTo(10);
    for (int seconds : new int[] {20, 40, 80, 80, 80}) {
      time.advance(Duration.ofSeconds(80));

      assertThat(violate(gate, 1).retryAfterSeconds()).isEqualTo(seconds);
      Verdict penalty = gate.check(get("/"));
      assertThat(penalty.outcome()).isEqualTo(Outcome.THROTTLED);
      assertThat(penalty.cause()).isEqualTo(Cause.PENALTY);
      assertThat(penalty.retryAfterSeconds()).isEqualTo(seconds);
      assertThat(penalty.status()).isEqualTo(429);
      assertThat(penalty.message()).isEqualTo("too many violations, retry in " + seconds + " s");
    }
  }

  @Test
  void aPenaltyRunsOutHoweverOftenTheClientAsks() {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/10s"));
    violate(gate, 3);
    for (int second = 10; second > 0; second--) {
      assertThat(gate.check(get("/")).retryAfterSeconds()).isEqualTo(second);
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(gate.check(get("/")).isAllowed()).isTrue();
  }

  @Test
  void violationsAreForgottenAfterTheDetectionWindow() {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/10s"));
    violate(gate, 2);
    time.advance(Duration.ofHours(1));

    assertThat(violate(gate, 2).retryAfterSeconds()).isEqualTo(10);
    time.advance(Duration.ofSeconds(10));
    assertThat(gate.check(get("/")).isAllowed()).isTrue();
  }

  @Test
  void aPenaltyHoldsForTheClientOnEveryEndpointAndForNobodyElse() {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/10s").endpoint("other", "/other"));
    violate(gate, 3);

    assertThat(gate.check(get("/other")).cause()).isEqualTo(Cause.PENALTY);
    assertThat(gate.check(Request.of("GET", "/", ALICE.withUser("bob"))).isAllowed()).isTrue();
  }

  @Test
  void violationsOfAllLimitsOfAClientAddUp() {
    Gate gate =
        gate(TestPolicy.of(TestRule.throttle("slow", "1/m").path("/slow")).defaultLimit("1/10s"));
    violate(gate, 2);
    assertThat(gate.check(get("/slow")).isAllowed()).isTrue();
    Verdict third = gate.check(get("/slow"));

    assertThat(third.cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    assertThat(third.retryAfterSeconds()).isEqualTo(60);
    assertThat(gate.check(get("/")).cause()).isEqualTo(Cause.PENALTY);
  }

  @Test
  void allowedAndExemptRequestsPassWhileAPenaltyRuns() {
    TestPolicy policy =
        TestPolicy.of(TestRule.allow("health").path("/health")).defaultLimit("1/10s");
    Gate gate = gate(policy);
    violate(gate, 3);

    assertThat(gate.check(get("/health")).isAllowed()).isTrue();
    gate.use(policy.exempt(ClientSet.of(Set.of("alice"))).compile());
    assertThat(gate.check(get("/")).isAllowed()).isTrue();
  }

  @Test
  void refusalsOfShadowRulesAreNoViolations() {
    Gate gate = gate(TestPolicy.of(TestRule.throttle("tried", "1/10s").shadow()));
    for (int i = 0; i < 10; i++) {
      assertThat(gate.check(get("/")).isAllowed()).isTrue();
    }
  }

  @Test
  void explainingShowsThePenaltyAndIsNoViolation() {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/10s"));
    violate(gate, 2);
    for (int i = 0; i < 5; i++) {
      assertThat(gate.explain(get("/")).verdict().cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    }
    gate.check(get("/"));

    assertThat(gate.explain(get("/")).verdict().cause()).isEqualTo(Cause.PENALTY);
  }
}
