package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the parts of a policy refuse, in which words, and what they keep. */
class DefinitionTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:b", "a/b", "é", "a#2", "*", "a\n"})
  void refusesNamesThatCouldBeMisread(String name) {
    String message =
        "name must be letters, digits, _, - and ., for example api_v1, got \"" + name + "\"";

    assertThatThrownBy(() -> TestRule.block(name).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> TestPolicy.of().endpoint(name, "/a")).hasMessage(message);
  }

  @Test
  void namesHaveUpTo255Characters() {
    assertThat(TestRule.block("n".repeat(255)).build().name()).hasSize(255);
    assertThatThrownBy(() -> TestRule.block("n".repeat(256)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name must have at most 255 characters, got 256");
    assertThatThrownBy(() -> TestPolicy.of().endpoint("n".repeat(300), "/a"))
        .hasMessage("name must have at most 255 characters, got 300");
  }

  @Test
  void namesOfTiersHaveUpTo50Characters() {
    assertThatThrownBy(() -> TestPolicy.of().tier("t".repeat(51), "1/s"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name must have at most 50 characters, got 51");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Free", "a-b", "a.b", "a:b"})
  void refusesNamesOfTiersThatCouldBeMisread(String name) {
    assertThatThrownBy(() -> TestPolicy.of().tier(name, "1/s"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name must be a-z, 0-9 and _, for example free, got \"" + name + "\"");
  }

  @Test
  void aRuleThatThrottlesNeedsLimitsAndNoOtherHasThem() {
    assertThatThrownBy(() -> TestRule.throttle("r").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "limits must have at least one element to throttle, for example [\"100/s\"], got []");
    for (Action action : List.of(Action.ALLOW, Action.BLOCK)) {
      assertThatThrownBy(() -> withLimits(action))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "limits are for action throttle only, got them with " + action + "; leave them out");
    }
  }

  private static Rule withLimits(Action action) {
    return new Rule(
        "r",
        0,
        Conditions.none(),
        List.of(Limit.parse("1/s")),
        Scope.CLIENT,
        action,
        false,
        Mode.ENFORCE,
        null,
        Refusal.plain(),
        true);
  }

  @Test
  void anEndpointNeedsPaths() {
    assertThatThrownBy(() -> TestPolicy.of().endpoint("e"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("paths must have at least one element, for example [\"/api/**\"], got []");
  }

  @Test
  void anOverrideIsAtLeastOne() {
    assertThatThrownBy(() -> TestPolicy.of().tier("free", "1/s").override("/a", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("endpoints must be at least 1, got 0 for /a");
  }

  @Test
  void everythingIsNamedOnce() {
    assertThatThrownBy(() -> TestPolicy.of(TestRule.block("a"), TestRule.allow("a")).define())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rule \"a\" must be given once, got it twice");
    assertThatThrownBy(() -> TestPolicy.of().tier("a", "1/s").tier("a", "2/s").define())
        .hasMessage("tier \"a\" must be given once, got it twice");
    assertThatThrownBy(() -> TestPolicy.of().endpoint("a", "/a").endpoint("a", "/b").define())
        .hasMessage("endpoint \"a\" must be given once, got it twice");
  }

  @Test
  void theDefaultTierExists() {
    assertThatThrownBy(() -> TestPolicy.of().tier("free", "1/s").defaultTier("pro").define())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("default_tier must be the name of a tier, got \"pro\"");
  }

  @Test
  void unknownClientsAreAllowedOrBlocked() {
    assertThatThrownBy(() -> TestPolicy.of().unknownClients(Action.THROTTLE).define())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("on_missing_client must be allow or block, got throttle");
  }

  @Test
  void thereIsAtLeastOneNode() {
    assertThatThrownBy(() -> TestPolicy.of().localNodes(0).define())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("local_nodes must be at least 1, got 0");
  }

  @Test
  void aRefusalHasAStatusOfErrors() {
    assertThat(new Refusal(400, null, null).status()).isEqualTo(400);
    assertThat(new Refusal(599, null, null).status()).isEqualTo(599);
    for (int status : new int[] {200, 399, 600}) {
      assertThatThrownBy(() -> new Refusal(status, null, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("status must be between 400 and 599, got " + status);
    }
  }

  @Test
  void aRefusalWaitsForWholeSeconds() {
    assertThat(new Refusal(null, null, Duration.ofSeconds(1)).retryAfter()).hasSeconds(1);
    for (String wrong : List.of("PT0S", "PT0.999S", "PT-1S", "PT1.5S")) {
      assertThatThrownBy(() -> new Refusal(null, null, Duration.parse(wrong)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("retry_after must be whole seconds, at least 1s, got " + wrong);
    }
  }

  @Test
  void nothingOfAPolicyCanBeChanged() {
    Conditions conditions = Conditions.none();
    Collection<?>[] parts = {
      conditions.tiers(),
      conditions.endpoints(),
      conditions.paths(),
      conditions.methods(),
      conditions.ips(),
      conditions.users(),
      conditions.keys(),
      conditions.headers().entrySet(),
      TestRule.allow("r").header("a", "b").conditions().headers().get("a"),
      ClientSet.empty().ips(),
      ClientSet.empty().users(),
      ClientSet.empty().keys(),
      new Tier("free", Limit.parse("1/s"), new TreeMap<>()).overrides().entrySet(),
    };

    for (Collection<?> part : parts) {
      assertThatThrownBy(part::clear).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void setsAreKeptInTheirNaturalOrder() {
    TreeSet<String> noCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    noCase.add("alice");
    ClientSet clients = new ClientSet(List.of(), noCase, new TreeSet<>());

    assertThat(clients.users().contains("ALICE")).isFalse();
    assertThat(clients.users().contains("alice")).isTrue();
  }

  @Test
  void aHeaderWithoutValuesIsNoCondition() {
    TreeMap<String, SortedSet<String>> headers = new TreeMap<>();
    headers.put("x-app", new TreeSet<>());
    Conditions none = Conditions.none();
    Conditions conditions =
        new Conditions(
            none.tiers(),
            none.endpoints(),
            none.paths(),
            none.methods(),
            none.ips(),
            none.users(),
            none.keys(),
            headers);

    assertThat(conditions).isEqualTo(none);
  }

  @Test
  void aListOfClientsIsReadAsUsersAddressesAndRanges() {
    ClientSet clients = ClientSet.of(Set.of("alice", "10.0.0.0/8", "::1", "1.2.3", "010.0.0.1"));

    assertThat(clients.ips()).containsExactly(Cidr.parse("10.0.0.0/8"), Cidr.parse("::1"));
    assertThat(clients.users()).containsExactly("010.0.0.1", "1.2.3", "alice");
    assertThat(clients.keys()).isEmpty();
    assertThatThrownBy(() -> ClientSet.of(Set.of("alice/8")))
        .hasMessage(
            "\"alice/8\" is no range of addresses, for example 10.0.0.0/8 or 2001:db8::/32");
  }

  @Test
  void headersAreFoundInWhateverCase() {
    Headers headers = Headers.of(Map.of("X-App", "iOS"));

    assertThat(headers.values("x-app")).containsExactly("iOS");
    assertThat(headers.values("x-other")).isEmpty();
    assertThat(Headers.none().values("x-app")).isEmpty();
  }

  @Test
  void wordsAreThoseOfTheFile() {
    assertThat(Scope.values())
        .extracting(Scope::toString)
        .containsExactly("client", "user", "key", "ip", "tier", "global");
    assertThat(Action.values())
        .extracting(Action::toString)
        .containsExactly("allow", "block", "throttle");
    assertThat(Mode.values()).extracting(Mode::toString).containsExactly("enforce", "shadow");
    assertThat(FailureMode.values())
        .extracting(FailureMode::toString)
        .containsExactly("open", "closed", "local");
    assertThat(Outcome.values())
        .extracting(Outcome::toString)
        .containsExactly("allowed", "throttled", "blocked");
  }
}
