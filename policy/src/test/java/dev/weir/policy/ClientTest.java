package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Counter;
import dev.weir.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientTest {
  private static final Client AT_HOME = Client.at(Address.parse("10.0.0.1"), 64);

  @Test
  void isItsUserElseItsKeyElseItsAddress() {
    assertThat(AT_HOME.withKey("k").withUser("alice").id()).isEqualTo("user:alice");
    assertThat(AT_HOME.withKey("k").id()).isEqualTo("key:k");
    assertThat(AT_HOME.id()).isEqualTo("ip:10.0.0.1");
    assertThat(Client.unknown().withUser("alice").id()).isEqualTo("user:alice");
    assertThat(Client.unknown().id()).isEqualTo("unknown");
  }

  @Test
  void isUnknownOnlyIfNothingIsKnownToCountBy() {
    assertThat(Client.unknown().isUnknown()).isTrue();
    assertThat(Client.unknown().withTier("free").isUnknown()).isTrue();
    assertThat(Client.unknown().withUser("alice").isUnknown()).isFalse();
    assertThat(Client.unknown().withKey("k").isUnknown()).isFalse();
    assertThat(AT_HOME.isUnknown()).isFalse();
  }

  @Test
  void keepsWhatIsKnown() {
    Client client =
        TestOwner.withKey(TestOwner.withUser(AT_HOME, "u", 9L, "2/s"), "k", "1/s").withTier("free");

    assertThat(client.address()).isEqualTo(Address.parse("10.0.0.1"));
    assertThat(client.user()).isEqualTo("u");
    assertThat(client.key()).isEqualTo("k");
    assertThat(client.tier()).isEqualTo("free");
    assertThat(client.knownKey())
        .isEqualTo(new ApiKeys.ApiKey("k", null, null, List.of(Limit.parse("1/s"))));
    assertThat(client.knownUser())
        .isEqualTo(new Users.User("u", null, OwnLimits.ofUser(List.of(Limit.parse("2/s")), 9L)));
    assertThat(client.withUser("v").knownUser()).isNull();
    assertThat(client.withKey("l").knownKey()).isNull();
    assertThat(client).hasToString("user:u (free)");
    assertThat(AT_HOME).hasToString("ip:10.0.0.1");
  }

  @Test
  void keepsTheWholeAddressOfAnIpv6Client() {
    Client client = Client.at(Address.parse("2001:db8::7"), 64);

    assertThat(client.address()).isEqualTo(Address.parse("2001:db8::7"));
    assertThat(client.id()).isEqualTo("ip:2001:db8::/64");
  }

  @Test
  void refusesEmptyAndEndlessNames() {
    assertThat(AT_HOME.withUser("u".repeat(255)).user()).hasSize(255);
    assertThatThrownBy(() -> AT_HOME.withUser(""))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessage("user must be 1 to 255 characters long, got 0");
    assertThatThrownBy(() -> AT_HOME.withKey("k".repeat(256)))
        .hasMessage("key must be 1 to 255 characters long, got 256");
    assertThatThrownBy(() -> AT_HOME.withTier(""))
        .isInstanceOfSatisfying(
            MalformedRequestException.class,
            malformed -> assertThat(malformed.field()).isEqualTo("tier"))
        .hasMessage("tier must be 1 to 255 characters long, got 0");
  }

  @ParameterizedTest
  @CsvSource({
    "CLIENT, user:u, key:k, ip:10.0.0.1",
    "USER, user:u, ip:10.0.0.1, ip:10.0.0.1",
    "KEY, key:k, key:k, ip:10.0.0.1",
    "IP, ip:10.0.0.1, ip:10.0.0.1, ip:10.0.0.1",
    "TIER, tier:pro, tier:pro, tier:pro",
    "GLOBAL, global, global, global",
  })
  void aScopeSaysWhatIsCountedTogether(Scope scope, String user, String key, String address) {
    assertThat(scope.keyOf(AT_HOME.withUser("u").withKey("k"), "pro")).isEqualTo(user);
    assertThat(scope.keyOf(AT_HOME.withKey("k"), "pro")).isEqualTo(key);
    assertThat(scope.keyOf(AT_HOME, "pro")).isEqualTo(address);
  }

  @Test
  void scopesFallBackToWhatIsKnown() {
    assertThat(Scope.IP.keyOf(Client.unknown().withUser("u"), null)).isEqualTo("user:u");
    assertThat(Scope.USER.keyOf(Client.unknown().withKey("k"), null)).isEqualTo("key:k");
    assertThat(Scope.KEY.keyOf(Client.unknown().withUser("u"), null)).isEqualTo("user:u");
    assertThat(Scope.TIER.keyOf(AT_HOME, null)).isEqualTo("tier:");
    assertThat(Scope.TIER.keyOf(AT_HOME.withTier("free"), "free")).isEqualTo("tier:free");
  }

  /** What tells one counter from another. */
  private record Who(
      Scope scope, @Nullable String user, @Nullable String key, String address, String endpoint) {}

  private static @Nullable String randomName(SplittableRandom random) {
    String signs = "ab:/#{}*%\0é";
    StringBuilder name = new StringBuilder();
    for (int length = random.nextInt(4); length > 0; length--) {
      name.append(signs.charAt(random.nextInt(signs.length())));
    }
    return name.isEmpty() ? null : name.toString();
  }

  /** The part of a client that its counter is kept for, and where. */
  private static Who whom(Scope scope, Client client, String endpoint) {
    String address = String.valueOf(client.address());
    boolean byUser = scope == Scope.CLIENT || scope == Scope.USER;
    if (byUser && client.user() != null) {
      return new Who(scope, client.user(), null, "", endpoint);
    }
    boolean byKey = scope == Scope.CLIENT || scope == Scope.KEY;
    if (byKey && client.key() != null) {
      return new Who(scope, null, client.key(), "", endpoint);
    }
    return new Who(scope, null, null, address, endpoint);
  }

  @Test
  @DisplayName("T17: of a million random requests no two of different clients share a counter")
  void countersAreInjective() {
    Scope[] scopes = {Scope.CLIENT, Scope.USER, Scope.KEY, Scope.IP};
    TestPolicy define = TestPolicy.of();
    for (Scope scope : scopes) {
      for (String path : List.of("a", "b", "c")) {
        String name = scope + "." + path;
        define.limitedEndpoint(name, "5/m", scope, "/" + scope + "/" + path);
      }
    }
    Policy policy = define.compile();
    SplittableRandom random = new SplittableRandom(81);
    Map<List<String>, Who> owners = new HashMap<>();
    for (int i = 0; i < 1_000_000; i++) {
      Client client = Client.at(new Address(0, 0x0a000000 | random.nextInt(4), true), 64);
      String user = randomName(random);
      String key = randomName(random);
      client = user == null ? client : client.withUser(user);
      client = key == null ? client : client.withKey(key);
      Scope scope = scopes[random.nextInt(scopes.length)];
      String path = "/" + scope + "/" + "abc".charAt(random.nextInt(3));
      Request request = Request.of("GET", path, client);
      Counter counter = policy.match(request).acquire(request, policy).counters().get(0);
      Who who = whom(scope, client, path);

      Who before = owners.putIfAbsent(List.of(counter.name(), counter.key()), who);
      if (before != null && !before.equals(who)) {
        assertThat(before).isEqualTo(who);
      }
    }
    assertThat(owners).hasSizeGreaterThan(10_000);
    assertThat(owners.values()).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("T17: no user, key or address is spelt like one of another kind")
  void kindsOfClientsAreApart() {
    Client named = AT_HOME.withUser("key:k");

    assertThat(named.id()).isNotEqualTo(AT_HOME.withKey("k").id());
    assertThat(AT_HOME.withUser("10.0.0.1").id()).isNotEqualTo(AT_HOME.id());
    assertThat(AT_HOME.withKey("user:a").id()).isNotEqualTo(AT_HOME.withUser("a").id());
    assertThat(AT_HOME.withUser("a:b").withKey("c").id())
        .isNotEqualTo(AT_HOME.withUser("a").withKey("b:c").id());
  }

  @Test
  @DisplayName("T17: no two limits of a policy have counters of one name")
  void limitsHaveCountersOfTheirOwn() {
    Policy policy =
        TestPolicy.of(
                TestRule.throttle("free", "1/s", "2/m"),
                TestRule.throttle("default", "1/s", "2/m"),
                TestRule.throttle("endpoint", "1/s"),
                TestRule.throttle("own", "1/s"))
            .tier("free", "9/m")
            .override("/chat", 3)
            .override("/free/chat", 4)
            .tier("chat", "9/m")
            .limitedEndpoint("chat", "5/m", Scope.CLIENT, "/chat")
            .limitedEndpoint("free", "5/m", Scope.CLIENT, "/free")
            .compile();
    List<String> names = new ArrayList<>();
    for (Step step : policy.steps()) {
      names.addAll(List.of(step.counterNames("chat")));
    }

    assertThat(names).hasSize(13).doesNotHaveDuplicates();
  }
}
