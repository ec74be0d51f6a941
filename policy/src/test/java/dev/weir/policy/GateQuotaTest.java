package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.Operation;
import dev.weir.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Limits of users, those of their keys beside them, and monthly quotas. */
class GateQuotaTest {
  private static final Instant LAST_DAY = Instant.parse("2026-02-28T23:59:00Z");
  private static final Client SOMEBODY = Client.at(Address.parse("10.1.2.3"), 64);

  private final ManualTime time = TimeSource.manual(LAST_DAY);
  private final MemoryCounterStore store = new MemoryCounterStore(time, 100_000);

  private Gate gate(TestPolicy policy) {
    return new Gate(policy.compile(), store, new ClientList(time), List.of());
  }

  private static Request get(String path, Client client) {
    return Request.of("GET", path, client);
  }

  private static int allowed(Gate gate, Request request, int times) {
    int allowed = 0;
    for (int i = 0; i < times; i++) {
      allowed += gate.check(request).isAllowed() ? 1 : 0;
    }
    return allowed;
  }

  private static Client alice(long quota, String... limits) {
    return TestOwner.withUser(SOMEBODY, "alice", quota, limits);
  }

  @Test
  void limitsOfKeyAndUserHoldBothInPlaceOfTheTiers() {
    Gate gate = gate(TestPolicy.of().tier("free", "1/h"));
    Client user = TestOwner.withUser(SOMEBODY.withTier("free"), "alice", null, "5/h");
    Client first = TestOwner.withKey(user, "k1", "3/h");
    Client second = TestOwner.withKey(user, "k2", "3/h");

    assertThat(allowed(gate, get("/", first), 9)).isEqualTo(3);
    assertThat(gate.check(get("/", first)).rule()).isEqualTo("own");
    assertThat(allowed(gate, get("/", second), 9)).isEqualTo(2);
    Verdict refused = gate.check(get("/", second));
    assertThat(refused.rule()).isEqualTo("own:user");
    assertThat(refused.standings())
        .extracting(Verdict.Standing::rule, standing -> standing.status().remaining())
        .containsExactly(tuple("own", 1L), tuple("own:user", 0L));
    assertThat(refused.isOverQuota()).isFalse();
  }

  @Test
  void aQuotaIsForAMonthOfTheCalendarAndForAllThatTheUserDoes() {
    Gate gate =
        gate(
            TestPolicy.of()
                .limitedEndpoint("chat", "100/m", Scope.USER, "/chat")
                .endpoint("x", "/x"));
    Client alice = alice(5);
    Client withKey = TestOwner.withKey(alice, "k1", "50/s");

    assertThat(allowed(gate, get("/chat", alice), 2)).isEqualTo(2);
    assertThat(allowed(gate, get("/x", withKey), 2)).isEqualTo(2);
    assertThat(allowed(gate, get("/else", alice), 3)).isEqualTo(1);
    Verdict refused = gate.check(get("/else", alice));
    assertThat(refused.outcome()).isEqualTo(Outcome.THROTTLED);
    assertThat(refused.cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    assertThat(refused.rule()).isEqualTo("quota");
    assertThat(refused.isOverQuota()).isTrue();
    assertThat(refused.retryAfterSeconds()).isEqualTo(60);
    assertThat(refused.standings())
        .extracting(Verdict.Standing::rule)
        .containsExactly("default", "quota");
    time.advance(Duration.ofSeconds(60));
    assertThat(allowed(gate, get("/chat", alice), 9)).isEqualTo(5);
  }

  @Test
  void aQuotaHoldsBesideTheDefaultAndBehindAFinalRule() {
    Gate gate =
        gate(
            TestPolicy.of(TestRule.throttle("final", "2/h").path("/final").last())
                .defaultLimit("3/h"));
    Client alice = alice(4);

    assertThat(allowed(gate, get("/final", alice), 9)).isEqualTo(2);
    assertThat(allowed(gate, get("/", alice), 9)).isEqualTo(2);
    assertThat(gate.check(get("/", alice)).rule()).isEqualTo("quota");
  }

  @Test
  void whatAnotherLimitRefusesTakesNothingOfTheQuota() {
    Gate gate = gate(TestPolicy.of().defaultLimit("2/h"));

    assertThat(allowed(gate, get("/", alice(5)), 9)).isEqualTo(2);
    assertThat(gate.usage(alice(5)).toCompletableFuture().join().used())
        .extracting(LimitStatus::name, LimitStatus::remaining)
        .containsExactly(tuple("default/*", 0L), tuple("quota", 3L));
  }

  @Test
  void whatIsNotCountedTakesNothingOfTheQuota() {
    Gate gate =
        gate(
            TestPolicy.of(
                TestRule.allow("health").path("/health"),
                TestRule.block("none").path("/none"),
                TestRule.throttle("tried", "1/h").path("/tried").shadow()));

    assertThat(allowed(gate, get("/health", alice(1)), 3)).isEqualTo(3);
    assertThat(allowed(gate, get("/none", alice(1)), 3)).isZero();
    Verdict verdict = gate.check(get("/tried", alice(1)));
    assertThat(verdict.isAllowed()).isTrue();
    assertThat(verdict.shadows()).containsExactly(new Verdict.Shadow("tried", false));
    assertThat(allowed(gate, get("/tried", alice(1)), 3)).isZero();
  }

  @Test
  void aRefundAndAResetGiveTheQuotaBack() {
    Gate gate = gate(TestPolicy.of());
    Request request = get("/", alice(2));
    assertThat(allowed(gate, request, 3)).isEqualTo(2);
    gate.refund(request).toCompletableFuture().join();
    assertThat(allowed(gate, request, 3)).isEqualTo(1);
    gate.reset(alice(2)).toCompletableFuture().join();
    assertThat(allowed(gate, request, 3)).isEqualTo(2);
  }

  @Test
  void explainKnowsThem() {
    Gate gate = gate(TestPolicy.of().tier("free", "9/h"));
    Client client = TestOwner.withKey(alice(7, "5/h").withTier("free"), "k", "3/h");

    assertThat(gate.explain(get("/", client)).lines())
        .extracting(Explanation.Line::rule, Explanation.Line::detail)
        .containsExactly(
            tuple("own", "limits each key to 3/h"),
            tuple("own:user", "limits each user to 5/h"),
            tuple("tier:free", "own comes before and is the last to be looked at"),
            tuple("default", "other limits hold, so the default does not"),
            tuple("quota", "limits each user to 7/month fixed_window"));
    assertThat(gate.explain(get("/", alice(7))).lines())
        .extracting(Explanation.Line::rule, Explanation.Line::effect)
        .containsExactly(
            tuple("tier:free", Explanation.Effect.NO_MATCH),
            tuple("default", Explanation.Effect.APPLIES),
            tuple("quota", Explanation.Effect.APPLIES));
  }

  @Test
  void whatWasUsedBeforeCanBeCharged() {
    Gate gate = gate(TestPolicy.of());
    gate.chargeQuota(alice(10), 7);
    assertThat(allowed(gate, get("/", alice(10)), 9)).isEqualTo(3);
    time.advance(Duration.ofMinutes(1));
    assertThat(allowed(gate, get("/", alice(10)), 20)).isEqualTo(10);
  }

  @Test
  void moreThanTheQuotaCanBeChargedAndALargerOneKnowsIt() {
    Gate gate = gate(TestPolicy.of());
    gate.chargeQuota(alice(10), 25);
    gate.chargeQuota(SOMEBODY, 25);
    assertThat(allowed(gate, get("/", alice(10)), 1)).isZero();
    assertThat(allowed(gate, get("/", alice(27)), 9)).isEqualTo(2);
  }

  @Test
  void countersElsewhereAreNotCharged() {
    CounterStore elsewhere =
        new CounterStore() {
          @Override
          public CompletionStage<Decision> apply(Operation operation) {
            return CompletableFuture.failedStage(new AssertionError(operation.toString()));
          }

          @Override
          public void close() {}
        };
    Gate gate = new Gate(TestPolicy.of().compile(), elsewhere);
    gate.chargeQuota(alice(10), 7);
    assertThat(gate.check(get("/", alice(10))).isAllowed()).isTrue();
  }

  @Test
  void aShareOfTheQuotaHoldsWhileEachInstanceCountsAlone() {
    CounterStore gone =
        new CounterStore() {
          @Override
          public CompletionStage<Decision> apply(Operation operation) {
            return CompletableFuture.failedStage(new IllegalStateException("gone"));
          }

          @Override
          public void close() {}
        };
    Gate gate = new Gate(TestPolicy.of().localNodes(2).compile(), gone);
    assertThat(allowed(gate, get("/", alice(5)), 9)).isEqualTo(3);
  }
}
