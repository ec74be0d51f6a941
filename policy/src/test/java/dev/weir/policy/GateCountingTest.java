package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which requests are counted together, and how much each counts. */
class GateCountingTest {
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final MemoryCounterStore store = new MemoryCounterStore(time, 100_000);

  private Gate gate(TestPolicy policy) {
    return new Gate(policy.compile(), store);
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
  @DisplayName("T4: what one client uses is not taken from another")
  void nobodyLocksOutAnother() {
    Gate gate = gate(TestPolicy.of().defaultLimit("5/m"));
    Client attacker = Client.at(Address.parse("203.0.113.9"), 64);
    Client victim = Client.at(Address.parse("203.0.113.7"), 64);

    assertThat(allowed(gate, get("/", attacker), 10)).isEqualTo(5);
    assertThat(gate.check(get("/", victim)).decisive())
        .extracting(LimitStatus::remaining)
        .isEqualTo(4L);
  }

  @Test
  @DisplayName("T14: a user is one client, whatever the address and the key")
  void aUserIsOneClient() {
    Gate gate = gate(TestPolicy.of().defaultLimit("5/m"));
    int allowed = 0;
    for (int i = 0; i < 20; i++) {
      Client client = Client.at(new Address(0, 0x0a000000 + i, true), 64);
      allowed += allowed(gate, get("/", client.withKey("k" + i).withUser("alice")), 1);
    }

    assertThat(allowed).isEqualTo(5);
  }

  @Test
  @DisplayName("T8: addresses of one /64 are one client, those of the next are another")
  void addressesOfOnePrefixAreCountedTogether() {
    Gate gate = gate(TestPolicy.of().defaultLimit("5/m"));
    int allowed = 0;
    for (int i = 0; i < 1_000; i++) {
      Address address = new Address(0x2001_0db8_0000_0000L, i, false);
      allowed += allowed(gate, get("/", Client.at(address, 64)), 1);
    }

    assertThat(allowed).isEqualTo(5);
    Client next = Client.at(Address.parse("2001:db8:0:1::1"), 64);
    assertThat(allowed(gate, get("/", next), 9)).isEqualTo(5);
  }

  @Test
  void limitsOfAnApiKeyAreCountedByKey() {
    Gate gate = gate(TestPolicy.of());
    Client first = ALICE.withKey("k1").withLimits(List.of(Limit.parse("1/m")));
    Client second = ALICE.withKey("k2").withLimits(List.of(Limit.parse("1/m")));

    assertThat(gate.check(get("/", first)).isAllowed()).isTrue();
    assertThat(gate.check(get("/", first)).isAllowed()).isFalse();
    assertThat(gate.check(get("/", second)).isAllowed()).isTrue();
  }

  @Test
  @DisplayName("T22: invented paths make no counters")
  void inventedPathsMakeNoCounters() {
    Gate gate =
        gate(TestPolicy.of().limitedEndpoint("verify", "5/m", Scope.CLIENT, "/verify/{code}"));
    int allowed = 0;
    for (int i = 0; i < 1_000; i++) {
      allowed += allowed(gate, get("/verify/" + i, ALICE), 1);
    }

    assertThat(allowed).isEqualTo(5);
    assertThat(store.statistics().liveKeys()).isEqualTo(1);
    for (int i = 0; i < 1_000; i++) {
      gate.check(get("/other/" + i, ALICE));
    }
    assertThat(store.statistics().liveKeys()).isEqualTo(2);
  }

  @Test
  @DisplayName("T23: HEAD is counted with GET, override headers change nothing")
  void headIsCountedWithGet() {
    Gate gate = gate(TestPolicy.of(TestRule.throttle("reads", "5/m").method("GET")));
    Headers override = Headers.of(Map.of("X-HTTP-Method-Override", "POST"));

    assertThat(allowed(gate, Request.of("HEAD", "/", ALICE), 3)).isEqualTo(3);
    assertThat(allowed(gate, new Request("GET", "/", ALICE, 1, override), 10)).isEqualTo(2);
    assertThat(allowed(gate, Request.of("head", "/", ALICE), 10)).isZero();
    assertThat(allowed(gate, Request.of("POST", "/", ALICE), 10)).isEqualTo(10);
  }

  @Test
  @DisplayName("T21: all spellings of a path are counted together")
  void spellingsOfAPathAreCountedTogether() {
    Gate gate = gate(TestPolicy.of().limitedEndpoint("login", "5/m", Scope.IP, "/login"));
    int allowed = 0;
    for (String spelling :
        List.of(
            "/login",
            "//login",
            "/./login",
            "/a/../login",
            "/login/",
            "/login;x",
            "/%6cogin",
            "/login?",
            "/login#x",
            "http://h/login")) {
      allowed += allowed(gate, get(spelling, ALICE), 1);
    }

    assertThat(allowed).isEqualTo(5);
  }

  @Test
  void aCostAboveTheLimitNeverPasses() {
    Gate gate = gate(TestPolicy.of().defaultLimit("5/m"));
    Verdict verdict = gate.check(get("/", ALICE).withCost(6));

    assertThat(verdict.outcome()).isEqualTo(Outcome.THROTTLED);
    assertThat(verdict.cause()).isEqualTo(Cause.COST_EXCEEDS_LIMIT);
    assertThat(verdict.retryAfterSeconds()).isZero();
    assertThat(verdict.message()).isEqualTo("the request costs more than its limit ever allows");
    assertThat(gate.check(get("/", ALICE).withCost(5)).isAllowed()).isTrue();
    assertThat(gate.check(get("/", ALICE).withCost(0)).decisive())
        .extracting(LimitStatus::remaining)
        .isEqualTo(0L);
  }
}
