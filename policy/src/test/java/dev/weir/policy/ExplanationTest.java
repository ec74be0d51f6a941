package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.Explanation.Effect;
import dev.weir.policy.Explanation.Line;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final MemoryCounterStore store = new MemoryCounterStore(time, 1_000);
  private final ClientList blocks = new ClientList(time);
  private final List<Verdict> told = new ArrayList<>();

  private Gate gate(TestPolicy policy) {
    return new Gate(
        policy.compile(), store, blocks, List.of((verdict, latencyNanos) -> told.add(verdict)));
  }

  private static Request get(String path) {
    return Request.of("GET", path, ALICE);
  }

  private static List<String> details(Explanation explanation) {
    return explanation.lines().stream().map(Line::detail).toList();
  }

  @Test
  void consumesNothingAndTellsNobody() {
    Gate gate = gate(TestPolicy.of(TestRule.throttle("tried", "1/m").shadow()).defaultLimit("2/m"));
    for (int i = 0; i < 10; i++) {
      Verdict explained = gate.explain(get("/")).verdict();
      assertThat(explained.isAllowed()).isTrue();
      assertThat(explained.shadows()).containsExactly(new Verdict.Shadow("tried", false));
    }
    assertThat(store.statistics().liveKeys()).isZero();
    assertThat(told).isEmpty();
    Verdict verdict = gate.check(get("/"));

    assertThat(verdict.decisive()).extracting(LimitStatus::remaining).isEqualTo(1L);
    assertThat(verdict.shadows()).containsExactly(new Verdict.Shadow("tried", false));
    assertThat(gate.explain(get("/")).verdict().refusingShadows()).containsExactly("tried");
  }

  @Test
  void saysWhatWouldBeSaidNow() {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/m"));
    gate.check(get("/"));
    Verdict verdict = gate.explain(get("/")).verdict();

    assertThat(verdict.cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    assertThat(verdict.retryAfterSeconds()).isEqualTo(60);
    assertThat(verdict.rule()).isEqualTo("default");
  }

  @Test
  void hasALineForEveryRuleInOrder() {
    Gate gate =
        gate(
            TestPolicy.of(
                    TestRule.block("shut").priority(900).path("/shut"),
                    TestRule.throttle("tried", "1/s").priority(800).shadow(),
                    TestRule.throttle("many", "9/s", "99/m").scope(Scope.IP))
                .tier("free", "7/m")
                .override("/x", 3)
                .limitedEndpoint("chat", "5/m", Scope.USER, "/chat"));
    Request request = Request.of("GET", "/chat", ALICE.withTier("free"));

    assertThat(gate.explain(request).lines())
        .containsExactly(
            new Line("shut", Effect.NO_MATCH, "path must match /shut, got /chat"),
            new Line("tried", Effect.SHADOW, "is only tried: limits each client to 1/s"),
            new Line("many", Effect.APPLIES, "limits each ip to 9/s and 99/m"),
            new Line("tier:free:/x", Effect.NO_MATCH, "path must match /x, got /chat"),
            new Line("endpoint:chat", Effect.APPLIES, "limits each user to 5/m"),
            new Line(
                "tier:free",
                Effect.NOT_REACHED,
                "endpoint:chat comes before and is the last to be looked at"),
            new Line("default", Effect.NOT_REACHED, "other limits hold, so the default does not"));
  }

  @Test
  void saysWhichRuleHasDecided() {
    Gate gate =
        gate(
            TestPolicy.of(
                TestRule.allow("health").priority(900).path("/health"),
                TestRule.block("rest").priority(800)));

    assertThat(gate.explain(get("/health")).lines())
        .containsExactly(
            new Line("health", Effect.APPLIES, "allows the request, uncounted"),
            new Line("rest", Effect.NOT_REACHED, "health decides, whatever the limits say"),
            new Line("default", Effect.NOT_REACHED, "health decides, whatever the limits say"));
    assertThat(gate.explain(get("/")).lines().get(1))
        .isEqualTo(new Line("rest", Effect.APPLIES, "blocks the request"));
    assertThat(gate.explain(get("/")).verdict().cause()).isEqualTo(Cause.BLOCKED_BY_RULE);
  }

  @Test
  void saysWhatWasDecidedBeforeTheRules() {
    Gate gate = gate(TestPolicy.of(TestRule.block("b")).exempt(ClientSet.of(Set.of("10.1.2.3"))));
    Explanation explanation = gate.explain(get("/"));

    assertThat(explanation.verdict().cause()).isEqualTo(Cause.EXEMPT);
    assertThat(details(explanation))
        .containsExactly("decided before the rules: exempt", "decided before the rules: exempt");
    blocks.put(new ListedClient("user:bob", "", null));
    Request bobs = Request.of("GET", "/", Client.unknown().withUser("bob"));
    assertThat(details(gate.explain(bobs))).contains("decided before the rules: blocked_client");
  }

  @Test
  void aClientsOwnLimitsHaveALine() {
    Gate gate = gate(TestPolicy.of(TestRule.throttle("r", "9/s")).tier("free", "7/m"));
    Client own = TestOwner.withKey(ALICE.withTier("free"), "k", "3/s");
    Explanation explanation = gate.explain(Request.of("GET", "/", own));

    assertThat(explanation.lines())
        .containsExactly(
            new Line("r", Effect.APPLIES, "limits each client to 9/s"),
            new Line("own", Effect.APPLIES, "limits each key to 3/s"),
            new Line(
                "tier:free",
                Effect.NOT_REACHED,
                "own comes before and is the last to be looked at"),
            new Line("default", Effect.NOT_REACHED, "other limits hold, so the default does not"));
  }

  @Test
  void saysWhichConditionFails() {
    Gate gate =
        gate(
            TestPolicy.of(
                TestRule.block("a").tier("pro").tier("gold"),
                TestRule.block("b").endpoint("chat"),
                TestRule.block("c").method("POST").method("PUT"),
                TestRule.block("d").user("bob"),
                TestRule.block("e").key("k1"),
                TestRule.block("f").ip("11.0.0.0/8").ip("::/0"),
                TestRule.block("g").header("x-app", "ios"),
                TestRule.block("h").path("/a").path("/b/**")));

    assertThat(details(gate.explain(get("/"))))
        .startsWith(
            "tier must be gold or pro, got none",
            "endpoint must be chat, got *",
            "method must be POST or PUT, got GET",
            "user must be bob, got alice",
            "key must be k1, got none",
            "ip must be in 11.0.0.0/8 or ::/0, got 10.1.2.3",
            "header x-app must be ios",
            "path must match /a or /b/**, got /");
    Request unknown = Request.of("GET", "/", Client.unknown().withTier("free").withKey("k"));
    assertThat(details(gate.explain(unknown)))
        .contains(
            "tier must be gold or pro, got free",
            "user must be bob, got none",
            "key must be k1, got k",
            "ip must be in 11.0.0.0/8 or ::/0, got none");
  }

  @Test
  void disabledRulesHaveNoLine() {
    Gate gate = gate(TestPolicy.of(TestRule.block("off").disabled()));

    assertThat(gate.explain(get("/")).lines()).extracting(Line::rule).containsExactly("default");
  }

  @Test
  void limitsThatARuleOverrulesDoNotHold() {
    Gate gate =
        new Gate(
            TestPolicy.of(
                    TestRule.throttle("first", "1/m").priority(500),
                    TestRule.allow("health").priority(400))
                .compile(),
            new MemoryCounterStore());
    Explanation explanation =
        gate.explain(Request.of("GET", "/", Client.at(Address.parse("10.0.0.1"), 64)));

    assertThat(explanation.lines().get(0))
        .isEqualTo(
            new Explanation.Line(
                "first",
                Explanation.Effect.NOT_REACHED,
                "health decides, whatever the limits say"));
    assertThat(explanation.lines().get(1).effect()).isEqualTo(Explanation.Effect.APPLIES);
  }
}
