package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Counters that are elsewhere, and may be late or out of reach. */
class GateFailureTest {
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");
  private static final Request REQUEST = Request.of("GET", "/", ALICE);

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final TestStore store = new TestStore(new MemoryCounterStore(time, 1_000));
  private final List<String> heard = new ArrayList<>();
  private final GateListener listener =
      new GateListener() {
        @Override
        public void decided(Verdict verdict, long latencyNanos) {
          heard.add(verdict.toString());
        }

        @Override
        public void failed(Request request, Throwable failure) {
          heard.add("failed " + request.path() + ": " + failure.getMessage());
        }
      };

  private Gate gate(TestPolicy policy) {
    return new Gate(policy.compile(), store, new ClientList(time), List.of(listener));
  }

  private static int allowed(Gate gate, Request request, int times) {
    int allowed = 0;
    for (int i = 0; i < times; i++) {
      allowed += gate.check(request).isAllowed() ? 1 : 0;
    }
    return allowed;
  }

  @Test
  void waitsForCountersThatAreElsewhere() {
    Gate gate = gate(TestPolicy.of().defaultLimit("2/m"));

    assertThat(allowed(gate, REQUEST, 5)).isEqualTo(2);
    assertThat(heard).hasSize(5).contains("throttled user:alice (limit_exceeded, default)");
  }

  @Test
  void decidesLaterIfTheStoreAnswersLater() {
    Gate gate = gate(TestPolicy.of(TestRule.throttle("tried", "1/m").shadow()).defaultLimit("1/m"));
    store.state = TestStore.State.SLOW;
    CompletableFuture<Verdict> verdict = gate.checkAsync(REQUEST).toCompletableFuture();
    // What the thread does meanwhile has no influence on the request that waits.
    gate.checkAsync(Request.of("GET", "/other", ALICE.withUser("bob")));
    gate.use(TestPolicy.of(TestRule.block("all")).compile());
    assertThat(verdict).isNotDone();
    assertThat(heard).isEmpty();
    store.answer();

    assertThat(verdict).isCompleted();
    assertThat(verdict.join()).hasToString("allowed user:alice (within_limits, default)");
    assertThat(verdict.join().shadows()).containsExactly(new Verdict.Shadow("tried", false));
    assertThat(verdict.join().policy()).isNotEqualTo(gate.policy().version());
    assertThat(heard)
        .containsExactlyInAnyOrder(
            "allowed user:alice (within_limits, default)",
            "allowed user:bob (within_limits, default)");
  }

  @Test
  void decidesAtOnceWhatNeedsNoCounters() {
    Gate gate =
        gate(
            TestPolicy.of(TestRule.block("shut").path("/shut"))
                .exempt(ClientSet.of(Set.of("root"))));
    store.state = TestStore.State.SLOW;

    assertThat(gate.checkAsync(Request.of("GET", "/", ALICE.withUser("root")))).isCompleted();
    assertThat(gate.checkAsync(Request.of("GET", "/shut", ALICE)))
        .isCompletedWithValueMatching(verdict -> verdict.outcome() == Outcome.BLOCKED);
    assertThat(store.asked).isEmpty();
    assertThat(heard)
        .containsExactly(
            "allowed user:root (exempt)", "blocked user:alice (blocked_by_rule, shut)");
  }

  @Test
  void aStoreThatFailsLateIsAFailureToo() {
    Gate gate = gate(TestPolicy.of().failureMode(FailureMode.CLOSED));
    store.state = TestStore.State.SLOW;
    CompletableFuture<Verdict> verdict = gate.checkAsync(REQUEST).toCompletableFuture();
    store.fail(new CompletionException(new IllegalStateException("timed out after 25 ms")));

    assertThat(verdict.join().cause()).isEqualTo(Cause.BACKEND_ERROR);
    assertThat(heard)
        .containsExactly(
            "failed /: timed out after 25 ms", "throttled user:alice (backend_error, default)");
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILS", "THROWS"})
  @DisplayName("T47: open lets pass what cannot be counted")
  void openLetsPass(TestStore.State state) {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/m").failureMode(FailureMode.OPEN));
    store.state = state;
    Verdict verdict = gate.check(REQUEST);

    assertThat(verdict.isAllowed()).isTrue();
    assertThat(verdict.cause()).isEqualTo(Cause.BACKEND_ERROR);
    assertThat(verdict.isDegraded()).isTrue();
    assertThat(verdict.decisive()).isNull();
    assertThat(allowed(gate, REQUEST, 9)).isEqualTo(9);
    assertThat(heard.subList(0, 2))
        .containsExactly(
            "failed /: " + (state == TestStore.State.FAILS ? "no connection" : "closed"),
            "allowed user:alice (backend_error, default)");
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILS", "THROWS"})
  @DisplayName("T47: closed refuses what cannot be counted")
  void closedRefuses(TestStore.State state) {
    Gate gate = gate(TestPolicy.of().failureMode(FailureMode.CLOSED));
    store.state = state;
    Verdict verdict = gate.check(REQUEST);

    assertThat(verdict.outcome()).isEqualTo(Outcome.THROTTLED);
    assertThat(verdict.cause()).isEqualTo(Cause.BACKEND_ERROR);
    assertThat(verdict.isDegraded()).isTrue();
    assertThat(verdict.status()).isEqualTo(503);
    assertThat(verdict.message()).isEqualTo("the rate limiter is not available");
  }

  @ParameterizedTest(name = "T47: of {0} each of {1} nodes grants {2}")
  @CsvSource({
    "10/h, 1, 10",
    "10/h, 3, 4",
    "10/h, 10, 1",
    "10/h, 99, 1",
    "10/h burst 7, 2, 4",
    "10/h fixed_window align first_request, 3, 4",
    "10/h sliding_window, 3, 4",
    "10/h sliding_log, 3, 4",
  })
  void localGrantsItsShare(String limit, int nodes, int share) {
    Gate gate =
        gate(TestPolicy.of().defaultLimit(limit).failureMode(FailureMode.LOCAL).localNodes(nodes));
    store.state = TestStore.State.FAILS;
    Verdict first = gate.check(REQUEST);

    assertThat(first.isDegraded()).isTrue();
    assertThat(first.cause()).isEqualTo(Cause.WITHIN_LIMITS);
    assertThat(first.decisive())
        .extracting(LimitStatus::limit)
        .extracting(Limit::capacity)
        .isEqualTo((long) share);
    assertThat(1 + allowed(gate, REQUEST, 30)).isEqualTo(share);
    assertThat(gate.check(REQUEST).cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    assertThat(gate.check(REQUEST).isDegraded()).isTrue();
  }

  @Test
  void countsAgainWhereItShouldWhenTheStoreIsBack() {
    Gate gate = gate(TestPolicy.of().defaultLimit("3/h"));
    allowed(gate, REQUEST, 2);
    store.state = TestStore.State.FAILS;
    allowed(gate, REQUEST, 9);
    store.state = TestStore.State.WELL;
    Verdict verdict = gate.check(REQUEST);

    assertThat(verdict.isDegraded()).isFalse();
    assertThat(verdict.decisive()).extracting(LimitStatus::remaining).isEqualTo(0L);
  }

  @ParameterizedTest
  @CsvSource({
    "OPEN, OPEN, OPEN, allowed (backend_error)",
    "OPEN, OPEN, LOCAL, allowed (within_limits)",
    "LOCAL, OPEN, OPEN, allowed (backend_error)",
    "LOCAL, OPEN, CLOSED, throttled (backend_error)",
    "OPEN, CLOSED, LOCAL, throttled (backend_error)",
    "CLOSED, LOCAL, OPEN, allowed (within_limits)",
  })
  void ofSeveralRulesTheStrictestSaysWhatHappens(
      FailureMode policy, FailureMode first, FailureMode second, String expected) {
    Gate gate =
        gate(
            TestPolicy.of(
                    TestRule.throttle("a", "9/h").failureMode(first),
                    TestRule.throttle("b", "9/h").failureMode(second))
                .failureMode(policy));
    store.state = TestStore.State.FAILS;
    Verdict verdict = gate.check(REQUEST);

    assertThat(verdict.outcome() + " (" + verdict.cause() + ")").isEqualTo(expected);
  }

  @Test
  void aRuleWithoutAFailureModeHasThatOfThePolicy() {
    Gate gate =
        gate(
            TestPolicy.of(
                    TestRule.throttle("a", "9/h"),
                    TestRule.throttle("b", "9/h").failureMode(FailureMode.OPEN))
                .failureMode(FailureMode.CLOSED));
    store.state = TestStore.State.FAILS;

    assertThat(gate.check(REQUEST).outcome()).isEqualTo(Outcome.THROTTLED);
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILS", "THROWS"})
  void aShadowRuleThatCannotBeCountedIsLeftOut(TestStore.State state) {
    Gate gate =
        gate(
            TestPolicy.of(
                    TestRule.throttle("tried", "9/h").shadow(), TestRule.block("shut").shadow())
                .failureMode(FailureMode.OPEN));
    store.state = state;

    assertThat(gate.check(REQUEST).shadows()).containsExactly(new Verdict.Shadow("shut", true));
  }

  @ParameterizedTest
  @CsvSource({
    "OPEN, allowed (backend_error)",
    "CLOSED, throttled (backend_error)",
    "LOCAL, allowed (within_limits)",
  })
  void countersAtHandThatThrowFollowTheFailureModeToo(FailureMode mode, String expected) {
    TestStore.Direct direct = new TestStore.Direct(new MemoryCounterStore(time, 1_000));
    direct.failing.addAll(Set.of("rule:lost", "default/*"));
    Policy policy =
        TestPolicy.of(
                TestRule.throttle("lost", "9/h").shadow(),
                TestRule.throttle("tried", "1/h").shadow(),
                TestRule.block("shut").shadow())
            .failureMode(mode)
            .compile();
    Gate gate = new Gate(policy, direct, new ClientList(time), List.of(listener));
    gate.check(REQUEST);
    Verdict verdict = gate.check(REQUEST);

    assertThat(verdict.outcome() + " (" + verdict.cause() + ")").isEqualTo(expected);
    assertThat(verdict.isDegraded()).isTrue();
    assertThat(verdict.shadows())
        .containsExactly(new Verdict.Shadow("shut", true), new Verdict.Shadow("tried", true));
    assertThat(heard).hasSize(4).contains("failed /: default/* is out of reach");
  }

  @Test
  void aShadowRuleThatCannotBeCountedChangesNothingElse() {
    TestStore.Direct direct = new TestStore.Direct(new MemoryCounterStore(time, 1_000));
    direct.failing.add("rule:lost");
    Policy policy = TestPolicy.of(TestRule.throttle("lost", "9/h").shadow()).compile();
    Verdict verdict = new Gate(policy, direct).check(REQUEST);

    assertThat(verdict).hasToString("allowed user:alice (within_limits, default)");
    assertThat(verdict.isDegraded()).isFalse();
    assertThat(verdict.shadows()).isEmpty();
  }

  @Test
  void aRefundThatFailsSaysSo() {
    Gate gate = gate(TestPolicy.of());
    store.state = TestStore.State.THROWS;

    assertThat(gate.refund(REQUEST)).isCompletedExceptionally();
  }

  @ParameterizedTest
  @CsvSource({"OPEN, ALLOWED", "CLOSED, THROTTLED", "LOCAL, ALLOWED"})
  void explainingWithoutCountersSaysWhatTheModeDoes(FailureMode mode, Outcome outcome) {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/m").failureMode(mode));
    store.state = TestStore.State.FAILS;

    for (int i = 0; i < 3; i++) {
      Verdict verdict = gate.explain(REQUEST).verdict();
      assertThat(verdict.outcome()).isEqualTo(outcome);
      assertThat(verdict.isDegraded()).isTrue();
    }
    assertThat(heard).isEmpty();
  }
}
