package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.Penalty;
import dev.weir.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a client has used, and how it is forgotten. */
class GateUsageTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");
  private static final Client ALICE_BY_NAME = Client.unknown().withUser("alice");

  private final ManualTime time = TimeSource.manual(START);
  private final MemoryCounterStore store = new MemoryCounterStore(time, 100_000);

  private Gate gate(TestPolicy policy) {
    return new Gate(policy.compile(), store);
  }

  private static void check(Gate gate, String path, int times) {
    for (int i = 0; i < times; i++) {
      gate.check(Request.of("GET", path, ALICE));
    }
  }

  private static Usage usage(Gate gate, Client client) {
    return gate.usage(client).toCompletableFuture().join();
  }

  @Test
  void tellsWhatIsUsedOfEachCounterThatIsTheClientsOwn() {
    Gate gate =
        gate(
            TestPolicy.of(
                    TestRule.throttle("all", "100/s").scope(Scope.GLOBAL),
                    TestRule.throttle("each", "50/s", "60/m"),
                    TestRule.throttle("unused", "7/s").path("/other"))
                .limitedEndpoint("chat", "5/m", Scope.USER, "/**/chat")
                .endpoint("upload", "/upload")
                .defaultLimit("9/m"));
    check(gate, "/api/chat", 2);
    check(gate, "/upload", 1);
    Usage usage = usage(gate, ALICE_BY_NAME);

    assertThat(usage.client()).isEqualTo("user:alice");
    assertThat(usage.used())
        .extracting(LimitStatus::name, status -> status.limit().capacity() - status.remaining())
        .containsExactly(
            tuple("rule:each", 3L), tuple("rule:each#2", 3L), tuple("endpoint:chat", 2L));
    assertThat(usage.penaltySeconds()).isZero();
    assertThat(usage(gate, Client.unknown().withUser("bob")).used()).isEmpty();
  }

  @Test
  void countersOfEachEndpointAreToldApart() {
    Gate gate =
        gate(
            TestPolicy.of()
                .endpoint("chat", "/chat")
                .endpoint("upload", "/upload")
                .defaultLimit("9/m"));
    check(gate, "/chat", 1);
    check(gate, "/upload", 2);
    check(gate, "/else", 3);

    assertThat(usage(gate, ALICE_BY_NAME).used())
        .extracting(LimitStatus::name, LimitStatus::remaining)
        .containsExactly(
            tuple("default/*", 6L), tuple("default/chat", 8L), tuple("default/upload", 7L));
  }

  @Test
  void aResetForgetsCountersAndPenaltiesOfThatClientOnly() {
    Penalty penalty = new Penalty(Duration.ofHours(1), 1, List.of(10));
    Gate gate = gate(TestPolicy.of().defaultLimit("2/m").penalty(penalty));
    Client bob = Client.at(Address.parse("10.9.9.9"), 64).withUser("bob");
    check(gate, "/", 3);
    gate.check(Request.of("GET", "/", bob));

    assertThat(usage(gate, ALICE_BY_NAME).penaltySeconds()).isEqualTo(600);
    gate.reset(ALICE_BY_NAME).toCompletableFuture().join();
    assertThat(usage(gate, ALICE_BY_NAME).used()).isEmpty();
    assertThat(usage(gate, ALICE_BY_NAME).penaltySeconds()).isZero();
    assertThat(gate.check(Request.of("GET", "/", ALICE)).isAllowed()).isTrue();
    assertThat(usage(gate, Client.unknown().withUser("bob")).used()).hasSize(1);
  }

  @Test
  void manyRulesAreLookedAtInSeveralOperations() {
    TestRule[] rules = new TestRule[200];
    for (int i = 0; i < rules.length; i++) {
      rules[i] = TestRule.throttle("rule-%03d".formatted(i), (i + 10) + "/m");
    }
    Gate gate = gate(TestPolicy.of(rules));
    check(gate, "/", 1);

    assertThat(usage(gate, ALICE_BY_NAME).used()).hasSize(200);
    gate.reset(ALICE_BY_NAME).toCompletableFuture().join();
    assertThat(usage(gate, ALICE_BY_NAME).used()).isEmpty();
  }

  @Test
  void limitsOfItsOwnAreAmongThem() {
    Gate gate = gate(TestPolicy.of());
    Client owner = TestOwner.withKey(ALICE, "k1", "4/m");
    gate.check(Request.of("GET", "/", owner));

    assertThat(usage(gate, owner).used())
        .extracting(LimitStatus::name, LimitStatus::remaining)
        .containsExactly(tuple("own", 3L));
  }

  @Test
  void exemptionsCanBeGivenWhileRequestsGoOn() {
    Gate gate =
        new Gate(
            TestPolicy.of().defaultLimit("1/m").compile(),
            store,
            new ClientList(time),
            new ClientList(time),
            List.of());
    check(gate, "/", 1);
    Request request = Request.of("GET", "/", ALICE);
    assertThat(gate.check(request).isAllowed()).isFalse();
    gate.exemptions().put(new ListedClient("user:alice", "load test", START.plusSeconds(5)));

    Verdict exempt = gate.check(request);
    assertThat(exempt.cause()).isEqualTo(Cause.EXEMPT);
    time.advance(Duration.ofSeconds(5));
    assertThat(gate.check(request).isAllowed()).isFalse();
    gate.blocks().put(new ListedClient("user:alice", "abuse", null));
    gate.exemptions().put(new ListedClient("ip:10.0.0.0/8", "ours", null));
    assertThat(gate.check(request).cause()).isEqualTo(Cause.BLOCKED_CLIENT);
  }

  @Test
  void peekingConsumesNothingAndTellsNobody() {
    Gate gate =
        new Gate(
            TestPolicy.of().defaultLimit("1/m").compile(),
            store,
            new ClientList(time),
            List.of(
                (verdict, latencyNanos) -> {
                  throw new AssertionError("told of " + verdict);
                }));
    Request request = Request.of("GET", "/", ALICE);
    for (int i = 0; i < 3; i++) {
      assertThat(gate.peekAsync(request).toCompletableFuture().join().isAllowed()).isTrue();
    }
    assertThat(usage(gate, ALICE_BY_NAME).used()).isEmpty();
  }
}
