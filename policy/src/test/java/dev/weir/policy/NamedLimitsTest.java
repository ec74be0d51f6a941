package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits that are asked for by their names, and which limits have to know the user. */
class NamedLimitsTest {
  private static final Client ALICE = Client.unknown().withUser("alice");
  private static final Client BOB = Client.unknown().withUser("bob");

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final MemoryCounterStore store = new MemoryCounterStore(time, 1_000);

  private Gate gate(TestPolicy policy) {
    return new Gate(policy.compile(), store);
  }

  private static Request get(String path, Client client) {
    return Request.of("GET", path, client);
  }

  private static NamedLimits limits(Scope scope, String... texts) {
    return NamedLimits.of("method:a", List.of(texts).stream().map(Limit::parse).toList(), scope);
  }

  @Test
  void holdAloneWhateverTheRequestMatches() {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/m"));
    NamedLimits limits = limits(Scope.CLIENT, "3/m", "100/h");
    for (int i = 0; i < 5; i++) {
      Verdict verdict = gate.check(get("/", ALICE), limits);
      assertThat(verdict.isAllowed()).isEqualTo(i < 3);
      assertThat(verdict.rule()).isEqualTo("method:a");
      assertThat(verdict.standings()).hasSize(2);
    }
    assertThat(gate.check(get("/", BOB), limits).isAllowed()).isTrue();
    assertThat(gate.check(get("/", ALICE)).isAllowed()).isTrue();
  }

  @Test
  void ofARuleShareItsCounters() {
    Gate gate = gate(TestPolicy.of(TestRule.throttle("reports", "2/m").path("/reports")));
    NamedLimits reports = Objects.requireNonNull(gate.policy().named("reports"));
    assertThat(gate.check(get("/elsewhere", ALICE), reports).isAllowed()).isTrue();
    assertThat(gate.check(get("/reports", ALICE)).isAllowed()).isTrue();
    assertThat(gate.check(get("/reports", ALICE)).isAllowed()).isFalse();
    assertThat(gate.check(get("/elsewhere", ALICE), reports).isAllowed()).isFalse();
  }

  @Test
  void areFoundByTheNamesOfRulesAndEndpoints() {
    Policy policy =
        TestPolicy.of(TestRule.throttle("chat", "2/m").path("/a"))
            .limitedEndpoint("chat", "3/m", Scope.USER, "/chat")
            .limitedEndpoint("talk", "4/m", Scope.IP, "/talk")
            .endpoint("free", "/free")
            .compile();
    assertThat(policy.named("chat")).hasToString("chat [2/m] by client");
    assertThat(policy.named("endpoint:chat")).hasToString("endpoint:chat [3/m] by user");
    assertThat(policy.named("talk")).hasToString("endpoint:talk [4/m] by ip");
    assertThat(policy.named("default")).isNotNull();
    assertThat(policy.named("free")).isNull();
    assertThat(policy.named("nothing")).isNull();
  }

  @Test
  void forEverybodyNeedNobody() {
    Gate gate = gate(TestPolicy.of().unknownClients(Action.BLOCK));
    NamedLimits all = limits(Scope.GLOBAL, "2/m");
    assertThat(gate.check(get("/", Client.unknown()), all).isAllowed()).isTrue();
    assertThat(gate.check(get("/", ALICE), all).isAllowed()).isTrue();
    assertThat(gate.check(get("/", Client.unknown()), all).isAllowed()).isFalse();
    assertThat(gate.check(get("/", Client.unknown()), limits(Scope.CLIENT, "2/m")).cause())
        .isEqualTo(Cause.MISSING_CLIENT);
  }

  @Test
  void doNotHoldForThoseWhoAreExemptAndNotAtAllIfSwitchedOff() {
    NamedLimits one = limits(Scope.CLIENT, "1/m");
    Gate gate = gate(TestPolicy.of());
    gate.exemptions().put(new ListedClient("user:bob", "", null));
    assertThat(gate.check(get("/", BOB), one).cause()).isEqualTo(Cause.EXEMPT);
    Gate off = gate(TestPolicy.of().disabled());
    assertThat(off.check(get("/", ALICE), one).cause()).isEqualTo(Cause.DISABLED);
  }

  @Test
  void areAtLeastOne() {
    assertThatThrownBy(() -> NamedLimits.of("a", List.of(), Scope.CLIENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limits must have at least one element, got []");
  }

  @ParameterizedTest
  @CsvSource({
    "CLIENT, true",
    "USER, true",
    "KEY, true",
    "TIER, true",
    "IP, false",
    "GLOBAL, false"
  })
  void whatCountsByMoreThanTheAddressHasToKnowTheUser(Scope scope, boolean isAwaited) {
    Policy policy = TestPolicy.of().limitedEndpoint("login", "5/m", scope, "/login").compile();
    Client somewhere = Client.at(Address.parse("192.0.2.1"), 64);
    assertThat(policy.countsByUser(get("/login", somewhere))).isEqualTo(isAwaited);
    assertThat(policy.countsByUser(get("/", somewhere))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"user:alice", "key:k-1", "ip:192.0.2.1", "ip:2001:db8::/64"})
  void clientsAreReadAsTheyAreShown(String id) {
    assertThat(Client.parse(id, 64).id()).isEqualTo(id);
  }

  @ParameterizedTest
  @CsvSource({"alice", "user:", "ip:nowhere", "tier:free", "''"})
  void whatIsNoClientIsSaidToBeNone(String id) {
    assertThatThrownBy(() -> Client.parse(id, 64))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessageContaining("user:<id>");
  }
}
