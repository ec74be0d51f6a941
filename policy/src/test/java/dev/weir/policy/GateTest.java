package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.DirectCounterStore;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.Operation;
import dev.weir.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");
  private static final Client BOB = Client.at(Address.parse("10.9.9.9"), 64).withUser("bob");

  private final ManualTime time = TimeSource.manual(START);
  private final MemoryCounterStore store = new MemoryCounterStore(time, 100_000);
  private final ClientList blocks = new ClientList(time);
  private final List<Verdict> told = new ArrayList<>();

  private Gate gate(TestPolicy policy) {
    return new Gate(
        policy.compile(), store, blocks, List.of((verdict, latencyNanos) -> told.add(verdict)));
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

  @Test
  void countsByTheLimitsThatHold() {
    Gate gate = gate(TestPolicy.of().limitedEndpoint("chat", "2/m", Scope.USER, "/**/chat"));
    Request request = get("/api/chat", ALICE);
    Verdict first = gate.check(request);

    assertThat(first.isAllowed()).isTrue();
    assertThat(first.cause()).isEqualTo(Cause.WITHIN_LIMITS);
    assertThat(first.endpoint()).isEqualTo("chat");
    assertThat(first.rule()).isEqualTo("endpoint:chat");
    assertThat(first.policy()).isEqualTo(gate.policy().version());
    assertThat(first.request()).isEqualTo(request);
    assertThat(first.tier()).isNull();
    assertThat(first.retryAfterSeconds()).isZero();
    assertThat(first.atMicros()).isEqualTo(START.getEpochSecond() * 1_000_000);
    assertThat(first.decisive()).extracting(LimitStatus::remaining).isEqualTo(1L);
    assertThat(first).hasToString("allowed user:alice (within_limits, endpoint:chat)");
    gate.check(request);
    Verdict third = gate.check(request);

    assertThat(third.outcome()).isEqualTo(Outcome.THROTTLED);
    assertThat(third.cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    assertThat(third.retryAfterSeconds()).isEqualTo(30);
    assertThat(third.status()).isEqualTo(429);
    assertThat(third.message()).isEqualTo("rate limit exceeded, retry in 30 s");
    assertThat(third.isDegraded()).isFalse();
    assertThat(third).hasToString("throttled user:alice (limit_exceeded, endpoint:chat)");
    time.advance(Duration.ofSeconds(30));
    assertThat(gate.check(request).isAllowed()).isTrue();
  }

  @Test
  void reportsEveryLimitAndTheDecisiveOne() {
    Gate gate =
        gate(
            TestPolicy.of(
                    TestRule.throttle("all", "100/s", "3/m").priority(700).scope(Scope.GLOBAL),
                    TestRule.throttle("one", "50/s"))
                .tier("free", "9/m")
                .defaultTier("free"));
    Verdict verdict = gate.check(get("/", ALICE));

    assertThat(verdict.standings())
        .extracting(Verdict.Standing::rule)
        .containsExactly("all", "all", "one", "tier:free");
    assertThat(verdict.standings())
        .extracting(standing -> standing.status().remaining())
        .containsExactly(99L, 2L, 49L, 8L);
    assertThat(verdict.rule()).isEqualTo("all");
    assertThat(verdict.tier()).isEqualTo("free");
    allowed(gate, get("/", BOB), 2);
    Verdict refused = gate.check(get("/", ALICE));
    assertThat(refused.rule()).isEqualTo("all");
    assertThat(refused.decisive()).extracting(LimitStatus::limit).isEqualTo(Limit.parse("3/m"));
    assertThat(refused.standings().get(3).status().remaining()).isEqualTo(8);
  }

  @Test
  void exemptClientsAreNeverCounted() {
    ClientSet exempt =
        new ClientSet(
            List.of(Cidr.parse("10.1.0.0/16")),
            new TreeSet<>(Set.of("root")),
            new TreeSet<>(Set.of("k1")));
    Gate gate = gate(TestPolicy.of(TestRule.block("all")).exempt(exempt));
    Client other = Client.at(Address.parse("10.2.0.1"), 64);
    Verdict verdict = gate.check(get("/", ALICE));

    assertThat(verdict.isAllowed()).isTrue();
    assertThat(verdict.cause()).isEqualTo(Cause.EXEMPT);
    assertThat(verdict.rule()).isNull();
    assertThat(verdict.decisive()).isNull();
    assertThat(verdict.standings()).isEmpty();
    assertThat(verdict.atMicros()).isZero();
    assertThat(verdict.message()).isEqualTo("allowed");
    assertThat(verdict).hasToString("allowed user:alice (exempt)");
    assertThat(gate.check(get("/", other.withUser("root"))).isAllowed()).isTrue();
    assertThat(gate.check(get("/", other.withKey("k1"))).isAllowed()).isTrue();
    assertThat(gate.check(get("/", other.withUser("k1"))).isAllowed()).isFalse();
    assertThat(gate.check(get("/", other)).isAllowed()).isFalse();
    assertThat(store.statistics().liveKeys()).isZero();
  }

  @Test
  void blockedClientsAreRefusedBeforeAnyRule() {
    Gate gate = gate(TestPolicy.of(TestRule.allow("all")));
    ListedClient block = new ListedClient("ip:10.1.0.0/16", "abuse", START.plusSeconds(60));
    blocks.put(block);
    Verdict verdict = gate.check(get("/", ALICE));

    assertThat(verdict.outcome()).isEqualTo(Outcome.BLOCKED);
    assertThat(verdict.cause()).isEqualTo(Cause.BLOCKED_CLIENT);
    assertThat(verdict.block()).isEqualTo(block);
    assertThat(verdict.status()).isEqualTo(403);
    assertThat(verdict.message()).isEqualTo("blocked");
    assertThat(gate.blocks()).isSameAs(blocks);
    assertThat(gate.check(get("/", BOB)).cause()).isEqualTo(Cause.ALLOWED_BY_RULE);
    time.advance(Duration.ofSeconds(60));
    assertThat(gate.check(get("/", ALICE)).block()).isNull();
  }

  @Test
  @DisplayName("T11: clients of which nothing is known pass uncounted, and every one is told of")
  void clientsOfWhichNothingIsKnownAreAllowedUncounted() {
    Gate gate = gate(TestPolicy.of(TestRule.block("all")).defaultLimit("5/m"));
    Request request = get("/", Client.unknown().withTier("free"));

    assertThat(allowed(gate, request, 100)).isEqualTo(100);
    assertThat(told).hasSize(100);
    assertThat(told).allMatch(verdict -> verdict.cause() == Cause.MISSING_CLIENT);
    assertThat(store.statistics().liveKeys()).isZero();
    assertThat(gate.check(get("/", ALICE)).isAllowed()).isFalse();
  }

  @Test
  @DisplayName("T11: clients of which nothing is known are refused if the policy says so")
  void clientsOfWhichNothingIsKnownMayBeBlocked() {
    Gate gate = gate(TestPolicy.of().unknownClients(Action.BLOCK));
    Verdict verdict = gate.check(get("/", Client.unknown()));

    assertThat(verdict.outcome()).isEqualTo(Outcome.BLOCKED);
    assertThat(verdict.cause()).isEqualTo(Cause.MISSING_CLIENT);
    assertThat(verdict.status()).isEqualTo(403);
    assertThat(verdict.message()).isEqualTo("the client could not be told");
    assertThat(gate.check(get("/", ALICE)).isAllowed()).isTrue();
  }

  @Test
  void aDisabledPolicyLetsEverythingPassUncounted() {
    Gate gate = gate(TestPolicy.of(TestRule.block("all")).defaultLimit("1/m").disabled());
    blocks.put(new ListedClient("user:alice", "", null));

    assertThat(allowed(gate, get("/", ALICE), 10)).isEqualTo(10);
    assertThat(gate.check(get("/", ALICE)).cause()).isEqualTo(Cause.DISABLED);
    assertThat(store.statistics().liveKeys()).isZero();
  }

  @Test
  void aRuleMayAllowOrBlock() {
    Gate gate =
        gate(
            TestPolicy.of(
                TestRule.allow("health").path("/health").priority(9),
                TestRule.throttle("few", "1/m").priority(8),
                TestRule.block("admin").path("/admin/**").priority(7)));
    Verdict health = gate.check(get("/health", ALICE));
    Verdict admin = gate.check(get("/admin/x", ALICE));

    assertThat(health.cause()).isEqualTo(Cause.ALLOWED_BY_RULE);
    assertThat(health.rule()).isEqualTo("health");
    assertThat(admin.outcome()).isEqualTo(Outcome.BLOCKED);
    assertThat(admin.cause()).isEqualTo(Cause.BLOCKED_BY_RULE);
    assertThat(admin.rule()).isEqualTo("admin");
    assertThat(admin.status()).isEqualTo(403);
    assertThat(admin.message()).isEqualTo("blocked");
    assertThat(admin.retryAfterSeconds()).isZero();
    assertThat(store.statistics().liveKeys()).isZero();
  }

  @Test
  void aRuleSaysHowItsRefusalsAreAnswered() {
    Refusal refusal = new Refusal(503, "slow down", Duration.ofSeconds(90));
    Gate gate =
        gate(
            TestPolicy.of(
                TestRule.throttle("few", "1/m").refusal(refusal),
                TestRule.throttle("more", "50/m"),
                TestRule.block("b").path("/b").priority(999).refusal(refusal)));
    gate.check(get("/", ALICE));
    Verdict verdict = gate.check(get("/", ALICE));
    Verdict blocked = gate.check(get("/b", ALICE));

    assertThat(verdict.status()).isEqualTo(503);
    assertThat(verdict.message()).isEqualTo("slow down");
    assertThat(verdict.retryAfterSeconds()).isEqualTo(90);
    assertThat(blocked.status()).isEqualTo(503);
    assertThat(blocked.retryAfterSeconds()).isEqualTo(90);
  }

  @Test
  void shadowRulesAreCountedAndReportedAndNeverRefuse() {
    Gate gate =
        gate(
            TestPolicy.of(
                TestRule.throttle("tight", "1/m").shadow(),
                TestRule.block("shut").path("/shut").shadow(),
                TestRule.allow("open").path("/shut").shadow()));

    assertThat(gate.check(get("/", ALICE)).shadows())
        .containsExactly(new Verdict.Shadow("tight", false));
    Verdict second = gate.check(get("/shut", ALICE));
    assertThat(second.isAllowed()).isTrue();
    assertThat(second.shadows())
        .containsExactlyInAnyOrder(
            new Verdict.Shadow("open", false),
            new Verdict.Shadow("shut", true),
            new Verdict.Shadow("tight", true));
    assertThat(second.standings()).extracting(Verdict.Standing::rule).containsExactly("default");
    assertThat(gate.check(get("/", BOB)).shadows())
        .containsExactly(new Verdict.Shadow("tight", false));
  }

  @Test
  void shadowRulesAreReportedWithARuleThatEndsTheWalk() {
    Gate gate =
        gate(
            TestPolicy.of(
                TestRule.throttle("tried", "1/m").priority(900).shadow(), TestRule.block("shut")));

    assertThat(gate.check(get("/", ALICE)).shadows())
        .containsExactly(new Verdict.Shadow("tried", false));
    Verdict verdict = gate.check(get("/", ALICE));
    assertThat(verdict.outcome()).isEqualTo(Outcome.BLOCKED);
    assertThat(verdict.shadows()).containsExactly(new Verdict.Shadow("tried", true));
  }

  @Test
  void aNewPolicyKeepsTheCounts() {
    Gate gate = gate(TestPolicy.of().limitedEndpoint("chat", "10/m", Scope.USER, "/chat"));
    String before = gate.policy().version();
    allowed(gate, get("/chat", ALICE), 6);
    gate.use(
        TestPolicy.of().limitedEndpoint("chat", "8/m", Scope.USER, "/chat", "/talk").compile());
    Verdict verdict = gate.check(get("/talk", ALICE));

    assertThat(verdict.decisive()).extracting(LimitStatus::remaining).isEqualTo(1L);
    assertThat(verdict.policy()).isEqualTo(gate.policy().version()).isNotEqualTo(before);
    assertThat(allowed(gate, get("/chat", ALICE), 5)).isEqualTo(1);
  }

  @Test
  void aBlockHoldsAlsoForThoseWhoAreExempt() {
    ClientSet exempt = new ClientSet(List.of(), new TreeSet<>(Set.of("alice")), new TreeSet<>());
    Gate gate = gate(TestPolicy.of().exempt(exempt));
    assertThat(gate.check(get("/", ALICE)).cause()).isEqualTo(Cause.EXEMPT);
    gate.blocks().put(new ListedClient("user:alice", "stolen account", null));

    assertThat(gate.check(get("/", ALICE)).cause()).isEqualTo(Cause.BLOCKED_CLIENT);
  }

  @Test
  void aDirectStoreThatFailsIsAFailureToo() {
    DirectCounterStore broken =
        new DirectCounterStore() {
          @Override
          public Decision applyNow(Operation operation) {
            throw new IllegalStateException("broken");
          }

          @Override
          public void close() {}
        };
    Gate gate = new Gate(TestPolicy.of().failureMode(FailureMode.CLOSED).compile(), broken);
    Verdict verdict = gate.check(get("/", ALICE));

    assertThat(verdict.cause()).isEqualTo(Cause.BACKEND_ERROR);
    assertThat(verdict.isDegraded()).isTrue();
    assertThat(verdict.status()).isEqualTo(503);
    assertThat(verdict.retryAfterSeconds()).isEqualTo(1);
  }
}
