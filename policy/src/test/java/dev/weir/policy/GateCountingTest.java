package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.testkit.http.PathSpellings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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

  private static int allowedOf(Gate gate, int times, IntFunction<Request> request) {
    int allowed = 0;
    for (int i = 0; i < times; i++) {
      allowed += gate.check(request.apply(i)).isAllowed() ? 1 : 0;
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
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 10_000; i++) {
      Address address = new Address(0x2001_0db8_0000_0000L, random.nextLong(), false);
      allowed += allowed(gate, get("/", Client.at(address, 64)), 1);
    }

    assertThat(allowed).isEqualTo(5);
    Client next = Client.at(Address.parse("2001:db8:0:1::1"), 64);
    assertThat(allowed(gate, get("/", next), 9)).isEqualTo(5);
    assertThat(store.statistics().liveKeys()).isEqualTo(2);
  }

  @ParameterizedTest(name = "T8: a prefix of {0} bits makes {1} clients of 128")
  @CsvSource({"32, 1", "56, 1", "63, 1", "64, 2", "65, 4", "120, 4", "126, 32", "128, 128"})
  void aPrefixSaysHowManyClientsThereAre(int prefix, int clients) {
    Gate gate = gate(TestPolicy.of().defaultLimit("1/m"));
    int allowed = 0;
    for (int i = 0; i < 128; i++) {
      long high = 0x2001_0db8_0000_0000L | i >>> 6;
      long low = (long) (i >>> 5 & 1) << 63 | (i & 31);
      Client client = Client.at(new Address(high, low, false), prefix);
      allowed += allowed(gate, get("/", client), 1);
    }

    assertThat(allowed).isEqualTo(clients);
  }

  @Test
  void limitsOfAnApiKeyAreCountedByKey() {
    Gate gate = gate(TestPolicy.of());
    Client first = TestOwner.withKey(ALICE, "k1", "1/m");
    Client second = TestOwner.withKey(ALICE, "k2", "1/m");

    assertThat(gate.check(get("/", first)).isAllowed()).isTrue();
    assertThat(gate.check(get("/", first)).isAllowed()).isFalse();
    assertThat(gate.check(get("/", second)).isAllowed()).isTrue();
  }

  @Test
  @DisplayName("T22: 1,000 codes in a path are counted together, by one counter")
  void inventedPathsMakeNoCounters() {
    Gate gate =
        gate(TestPolicy.of().limitedEndpoint("verify", "5/m", Scope.CLIENT, "/verify/{code}"));

    assertThat(allowedOf(gate, 1_000, i -> get("/verify/" + i, ALICE))).isEqualTo(5);
    assertThat(store.statistics().liveKeys()).isEqualTo(1);
    assertThat(allowedOf(gate, 1_000, i -> get("/other/" + i + "/" + i, ALICE))).isEqualTo(100);
    assertThat(store.statistics().liveKeys()).isEqualTo(2);
  }

  @Test
  @DisplayName("T22: so they are by a rule, and by a tier's limit on a path")
  void inventedPathsMakeNoCountersOfRulesAndTiers() {
    Gate gate =
        gate(
            TestPolicy.of(TestRule.throttle("codes", "5/m").path("/codes/**"))
                .tier("free", "100/m")
                .override("/verify/*", 5));
    Client free = ALICE.withTier("free");

    assertThat(allowedOf(gate, 1_000, i -> get("/codes/a/" + i, free))).isEqualTo(5);
    assertThat(allowedOf(gate, 1_000, i -> get("/verify/" + i, free))).isEqualTo(5);
    assertThat(store.statistics().liveKeys()).isEqualTo(3);
  }

  @Test
  @DisplayName("T16: what a client writes into its query or body chooses no counter")
  void aQueryChoosesNoCounter() {
    Gate gate = gate(TestPolicy.of().limitedEndpoint("login", "5/m", Scope.IP, "/login"));

    assertThat(allowedOf(gate, 100, i -> get("/login?email=user" + i + "@example.org", ALICE)))
        .isEqualTo(5);
    assertThat(Scope.values())
        .as("a counter is kept for one of these, and none is of a body")
        .extracting(Scope::toString)
        .containsExactly("client", "user", "key", "ip", "tier", "global");
    assertThat(store.statistics().liveKeys()).isEqualTo(1);
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
  @DisplayName("T23: a method nobody knows, or one written otherwise, is under the same limits")
  void unknownMethodsAreUnderTheLimitsForAll() {
    Gate gate =
        gate(
            TestPolicy.of(TestRule.throttle("deletes", "1/m").method("DELETE"))
                .limitedEndpoint("login", "5/m", Scope.IP, "/login"));
    List<String> methods = List.of("BREW", "brew", "POST", "x!", "GET", "get", "HEAD", "OPTIONS");

    assertThat(
            allowedOf(gate, 80, i -> Request.of(methods.get(i % methods.size()), "/login", ALICE)))
        .isEqualTo(5);
    assertThat(store.statistics().liveKeys()).isEqualTo(1);
    Headers override = Headers.of(Map.of("X-HTTP-Method-Override", "DELETE"));
    Request post = new Request("POST", "/account?_method=DELETE", ALICE, 1, override);
    assertThat(gate.check(post).rule()).isEqualTo("default");
    assertThat(allowed(gate, Request.of("delete", "/account", ALICE), 9)).isEqualTo(1);
  }

  @ParameterizedTest(name = "T21: by {0}")
  @EnumSource(Counted.class)
  @DisplayName("T21: 60 spellings of a path are 5 requests under a limit of 5")
  void spellingsOfAPathAreCountedTogether(Counted counted) {
    Gate gate = gate(counted.policy());
    int allowed = 0;
    int refused = 0;
    for (String spelling : PathSpellings.OF_LOGIN) {
      try {
        allowed += allowed(gate, get(spelling, ALICE), 1);
      } catch (MalformedRequestException ambiguous) {
        refused++;
      }
    }

    assertThat(PathSpellings.OF_LOGIN).hasSizeGreaterThanOrEqualTo(60).doesNotHaveDuplicates();
    assertThat(allowed).isEqualTo(5);
    assertThat(refused).as("those that servers read differently").isEqualTo(27);
    assertThat(store.statistics().liveKeys()).isEqualTo(1);
  }

  /** Where a limit on a path can stand. */
  private enum Counted {
    ENDPOINT {
      @Override
      TestPolicy policy() {
        return TestPolicy.of().limitedEndpoint("login", "5/m", Scope.IP, "/login");
      }
    },
    RULE {
      @Override
      TestPolicy policy() {
        return TestPolicy.of(TestRule.throttle("login", "5/m").path("/login"));
      }
    },
    TIER {
      @Override
      TestPolicy policy() {
        return TestPolicy.of().tier("free", "100/m").override("/login", 5).defaultTier("free");
      }
    };

    abstract TestPolicy policy();
  }

  @Test
  @DisplayName("T21: a path in other letters is another path, and counted with all the others")
  void aPathInOtherLettersIsAnotherPath() {
    Gate gate =
        gate(
            TestPolicy.of()
                .limitedEndpoint("login", "5/m", Scope.IP, "/login")
                .defaultLimit("7/m"));
    List<String> paths = List.of("/LOGIN", "/Login", "/logi", "/login.", "/login2", "*");

    assertThat(allowedOf(gate, 60, i -> get(paths.get(i % paths.size()), ALICE))).isEqualTo(7);
  }

  @Test
  @DisplayName("T24: a request of 20 operations under a limit of 5 is refused whole")
  void aBatchBeyondTheLimitIsRefusedWhole() {
    Gate gate =
        gate(
            TestPolicy.of(TestRule.throttle("all", "1000/m").scope(Scope.GLOBAL))
                .limitedEndpoint("graph", "5/m", Scope.CLIENT, "/graph"));
    Request batch = get("/graph", ALICE).withCost(20);

    for (int i = 0; i < 10; i++) {
      Verdict verdict = gate.check(batch);
      assertThat(verdict.cause()).isEqualTo(Cause.COST_EXCEEDS_LIMIT);
      assertThat(verdict.rule()).isEqualTo("endpoint:graph");
      assertThat(verdict.standings())
          .extracting(standing -> standing.status().remaining())
          .containsExactly(1_000L, 5L);
    }
    assertThat(gate.check(get("/graph", ALICE).withCost(Long.MAX_VALUE)).isAllowed()).isFalse();
    assertThat(allowed(gate, get("/graph", ALICE), 9)).isEqualTo(5);
  }

  @Test
  @DisplayName(
      "T24: a batch is counted by its sum, and takes nothing when there is too little left")
  void aBatchIsCountedByItsSum() {
    Gate gate = gate(TestPolicy.of().defaultLimit("5/m"));

    assertThat(gate.check(get("/", ALICE).withCost(3)).isAllowed()).isTrue();
    assertThat(gate.check(get("/", ALICE).withCost(3)).cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    assertThat(allowed(gate, get("/", ALICE), 9)).isEqualTo(2);
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
