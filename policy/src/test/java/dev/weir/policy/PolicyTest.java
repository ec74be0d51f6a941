package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Limit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");

  private static Request get(String path) {
    return Request.of("GET", path, ALICE);
  }

  private static Request get(String path, Client client) {
    return Request.of("GET", path, client);
  }

  /** The names of the steps whose limits hold for the request, in order. */
  private static List<String> enforced(Policy policy, Request request) {
    return names(policy.match(request).enforced);
  }

  private static List<String> names(List<Step> steps) {
    return steps.stream().map(step -> step.name).toList();
  }

  private static @Nullable String ending(Policy policy, Request request) {
    Step step = policy.match(request).ending;
    return step == null ? null : step.name;
  }

  private static List<Counter> counters(Policy policy, Request request) {
    return policy.match(request).acquire(request, policy).counters();
  }

  @Test
  void rulesAreWalkedByDescendingPriority() {
    Policy policy =
        TestPolicy.of(
                TestRule.throttle("low", "1/s").priority(-5),
                TestRule.throttle("high", "2/s").priority(Integer.MAX_VALUE),
                TestRule.throttle("lowest", "3/s").priority(Integer.MIN_VALUE),
                TestRule.throttle("usual", "4/s"))
            .compile();

    assertThat(enforced(policy, get("/"))).containsExactly("high", "usual", "low", "lowest");
  }

  @Test
  void tiesAreBrokenByName() {
    Policy policy =
        TestPolicy.of(
                TestRule.throttle("b", "1/s"),
                TestRule.throttle("c", "1/s"),
                TestRule.throttle("a", "1/s"),
                TestRule.throttle("B", "1/s"))
            .compile();

    assertThat(enforced(policy, get("/"))).containsExactly("B", "a", "b", "c");
  }

  @Test
  void aFinalRuleEndsTheWalk() {
    Policy policy =
        TestPolicy.of(
                TestRule.throttle("first", "1/s").priority(3),
                TestRule.throttle("final", "1/s").priority(2).path("/a").last(),
                TestRule.throttle("behind", "1/s").priority(1))
            .limitedEndpoint("api", "1/s", Scope.CLIENT, "/**")
            .compile();

    assertThat(enforced(policy, get("/a"))).containsExactly("first", "final");
    assertThat(enforced(policy, get("/b"))).containsExactly("first", "behind", "endpoint:api");
  }

  @Test
  void allowEndsTheWalk() {
    Policy policy =
        TestPolicy.of(
                TestRule.allow("friends").user("alice").priority(5),
                TestRule.block("all").priority(4))
            .compile();

    assertThat(ending(policy, get("/"))).isEqualTo("friends");
    assertThat(ending(policy, get("/", ALICE.withUser("bob")))).isEqualTo("all");
  }

  @Test
  void blockEndsTheWalkBeforeWhatComesBehind() {
    Policy policy =
        TestPolicy.of(
                TestRule.block("admin").path("/admin/**").priority(5),
                TestRule.allow("everybody").priority(4))
            .compile();

    assertThat(ending(policy, get("/admin/users"))).isEqualTo("admin");
    assertThat(ending(policy, get("/users"))).isEqualTo("everybody");
  }

  @Test
  void shadowRulesHaveNoEffectOnOthers() {
    Policy policy =
        TestPolicy.of(
                TestRule.block("block").priority(9).shadow(),
                TestRule.allow("allow").priority(8).shadow(),
                TestRule.throttle("final", "1/s").priority(7).last().shadow(),
                TestRule.throttle("real", "1/s").priority(6).path("/real"))
            .compile();
    Match match = policy.match(get("/real"));

    assertThat(names(match.shadows)).containsExactly("block", "allow", "final");
    assertThat(names(match.enforced)).containsExactly("real");
    assertThat(match.ending).isNull();
    assertThat(enforced(policy, get("/other"))).containsExactly("default");
  }

  @Test
  void disabledRulesAreSkipped() {
    Policy policy =
        TestPolicy.of(TestRule.block("block").disabled(), TestRule.throttle("t", "1/s").disabled())
            .compile();

    assertThat(enforced(policy, get("/"))).containsExactly("default");
    assertThat(names(policy.steps())).containsExactly("default");
  }

  @Test
  void theDefaultHoldsOnlyIfNothingElseGivesALimit() {
    Policy policy =
        TestPolicy.of(TestRule.throttle("posts", "1/s").method("POST"))
            .endpoint("named", "/named/**")
            .compile();

    assertThat(enforced(policy, get("/"))).containsExactly("default");
    assertThat(enforced(policy, get("/named/x"))).containsExactly("default");
    assertThat(enforced(policy, Request.of("POST", "/", ALICE))).containsExactly("posts");
  }

  @Test
  void theMostSpecificOfTheSugarHolds() {
    Policy policy =
        TestPolicy.of()
            .tier("free", "50/m")
            .override("/chat/stream", 5)
            .limitedEndpoint("chat", "10/m", Scope.USER, "/chat/**")
            .compile();
    Client free = ALICE.withTier("free");
    Client own = TestOwner.withKey(free, "k", "7/s", "70/h");

    assertThat(enforced(policy, get("/chat/stream", own)))
        .containsExactly("tier:free:/chat/stream");
    assertThat(enforced(policy, get("/chat/x", own))).containsExactly("endpoint:chat");
    assertThat(enforced(policy, get("/x", own))).containsExactly("own");
    assertThat(enforced(policy, get("/x", free))).containsExactly("tier:free");
    assertThat(enforced(policy, get("/x"))).containsExactly("default");
    assertThat(enforced(policy, get("/x", TestOwner.withKey(ALICE, "k", "7/s"))))
        .containsExactly("own");
  }

  @Test
  void rulesComeOnTopOfTheSugar() {
    Policy policy =
        TestPolicy.of(TestRule.throttle("all", "1000/s").scope(Scope.GLOBAL))
            .tier("free", "50/m")
            .compile();
    Client free = ALICE.withTier("free");
    Client own = TestOwner.withKey(ALICE, "k", "7/s");

    assertThat(enforced(policy, get("/", free))).containsExactly("all", "tier:free");
    assertThat(enforced(policy, get("/", own))).containsExactly("all", "own");
    assertThat(enforced(policy, get("/"))).containsExactly("all");
  }

  @Test
  void aRuleThatEndsTheWalkAlsoEndsItForOwnLimits() {
    Policy policy =
        TestPolicy.of(
                TestRule.allow("health").path("/health"),
                TestRule.throttle("final", "5/s").path("/final").last())
            .compile();
    Client own = TestOwner.withKey(ALICE, "k", "7/s");

    assertThat(ending(policy, get("/health", own))).isEqualTo("health");
    assertThat(enforced(policy, get("/health", own))).isEmpty();
    assertThat(enforced(policy, get("/final", own))).containsExactly("final");
  }

  @ParameterizedTest
  @CsvSource({
    "100/m, 50, 50/m",
    "100/m, 100, 100/m",
    "100/m, 500, 100/m",
    "100/m burst 20, 50, 50/m burst 20",
    "100/m burst 20, 10, 10/m",
    "100/m burst 200, 50, 50/m",
    "100/m fixed_window, 5, 5/m fixed_window",
    "100/m fixed_window align first_request, 5, 5/m fixed_window align first_request",
    "100/m sliding_window, 5, 5/m sliding_window",
    "100/m sliding_log, 5, 5/m sliding_log",
  })
  void aTiersOverrideIsTheStricterOfBoth(String tier, long override, String expected) {
    Policy policy = TestPolicy.of().tier("free", tier).override("/a", override).compile();
    List<Counter> counters = counters(policy, get("/a", ALICE.withTier("free")));

    assertThat(counters).extracting(Counter::limit).containsExactly(Limit.parse(expected));
  }

  @Test
  void theMostSpecificOverrideWins() {
    Policy policy =
        TestPolicy.of()
            .tier("free", "100/m")
            .override("/**", 90)
            .override("/a/**", 80)
            .override("/a/*", 70)
            .override("/a/b", 60)
            .compile();
    Client free = ALICE.withTier("free");

    assertThat(enforced(policy, get("/a/b", free))).containsExactly("tier:free:/a/b");
    assertThat(enforced(policy, get("/a/c", free))).containsExactly("tier:free:/a/*");
    assertThat(enforced(policy, get("/a/b/c", free))).containsExactly("tier:free:/a/**");
    assertThat(enforced(policy, get("/", free))).containsExactly("tier:free:/**");
  }

  @Test
  void aTierHasNoSayInAnother() {
    Policy policy =
        TestPolicy.of().tier("free", "10/m").override("/a", 1).tier("pro", "99/m").compile();

    assertThat(enforced(policy, get("/a", ALICE.withTier("pro")))).containsExactly("tier:pro");
    assertThat(enforced(policy, get("/a", ALICE.withTier("gold")))).containsExactly("default");
  }

  @Test
  void clientsWithoutATierHaveTheDefaultTier() {
    Policy policy =
        TestPolicy.of().tier("free", "10/m").tier("pro", "99/m").defaultTier("free").compile();

    assertThat(enforced(policy, get("/"))).containsExactly("tier:free");
    assertThat(enforced(policy, get("/", ALICE.withTier("pro")))).containsExactly("tier:pro");
    assertThat(policy.locate(get("/")).tier).isEqualTo("free");
  }

  @Test
  void theMostSpecificEndpointWins() {
    Policy policy =
        TestPolicy.of()
            .endpoint("rest", "/**")
            .endpoint("api", "/api/**", "/v1/*")
            .endpoint("users", "/api/users/*")
            .endpoint("me", "/api/users/me")
            .endpoint("chat", "/**/chat")
            .compile();

    assertThat(policy.locate(get("/api/users/me")).endpoint).isEqualTo("me");
    assertThat(policy.locate(get("/api/users/7")).endpoint).isEqualTo("users");
    assertThat(policy.locate(get("/api/users/7/x")).endpoint).isEqualTo("api");
    assertThat(policy.locate(get("/v1/x")).endpoint).isEqualTo("api");
    assertThat(policy.locate(get("/x/y/chat")).endpoint).isEqualTo("chat");
    assertThat(policy.locate(get("/api/chat")).endpoint).isEqualTo("api");
    assertThat(policy.locate(get("/x")).endpoint).isEqualTo("rest");
    assertThat(TestPolicy.of().compile().locate(get("/x")).endpoint).isEqualTo("*");
  }

  @Test
  void anEndpointMayHaveMorePathsThanThereAreRules() {
    Policy policy = TestPolicy.of().endpoint("many", "/a", "/b", "/c", "/d").compile();

    assertThat(enforced(policy, get("/d"))).containsExactly("default");
  }

  @Test
  void endpointsMayHaveMethods() {
    Policy policy =
        TestPolicy.of()
            .endpoint("all", new TreeSet<>(), null, Scope.CLIENT, "/a")
            .endpoint("write", new TreeSet<>(Set.of("POST", "PUT")), null, Scope.CLIENT, "/a")
            .endpoint("read", new TreeSet<>(Set.of("GET")), null, Scope.CLIENT, "/b", "/a/**")
            .compile();

    assertThat(policy.locate(Request.of("POST", "/a", ALICE)).endpoint).isEqualTo("write");
    assertThat(policy.locate(Request.of("put", "/a", ALICE)).endpoint).isEqualTo("write");
    assertThat(policy.locate(get("/a")).endpoint).isEqualTo("all");
    assertThat(policy.locate(get("/b")).endpoint).isEqualTo("read");
    assertThat(policy.locate(Request.of("POST", "/b", ALICE)).endpoint).isEqualTo("*");
  }

  @Test
  @DisplayName("T23: HEAD counts as GET, in whatever case; override headers change nothing")
  void headCountsAsGet() {
    Policy policy =
        TestPolicy.of(
                TestRule.throttle("reads", "1/s").method("GET"),
                TestRule.throttle("deletes", "1/s").method("DELETE"))
            .endpoint("read", new TreeSet<>(Set.of("GET")), null, Scope.CLIENT, "/a")
            .compile();
    Headers override = Headers.of(Map.of("X-HTTP-Method-Override", "DELETE"));

    for (String method : List.of("GET", "HEAD", "get", "head", "Head")) {
      assertThat(enforced(policy, Request.of(method, "/a", ALICE))).containsExactly("reads");
      assertThat(policy.locate(Request.of(method, "/a", ALICE)).endpoint).isEqualTo("read");
    }
    assertThat(enforced(policy, new Request("POST", "/a?_method=GET", ALICE, 1, override)))
        .containsExactly("default");
    assertThat(enforced(policy, Request.of("BREW", "/a", ALICE))).containsExactly("default");
  }

  @Test
  void tiersAndTheDefaultAreCountedPerEndpoint() {
    Policy policy = TestPolicy.of().tier("free", "9/m").endpoint("a", "/a/**").compile();
    Client free = ALICE.withTier("free");

    assertThat(counters(policy, get("/a/1", free)))
        .containsExactly(new Counter("tier:free/a", "user:alice", Limit.parse("9/m")));
    assertThat(counters(policy, get("/a/2", free))).isEqualTo(counters(policy, get("/a/1", free)));
    assertThat(counters(policy, get("/b", free)))
        .containsExactly(new Counter("tier:free/*", "user:alice", Limit.parse("9/m")));
    assertThat(counters(policy, get("/b")))
        .containsExactly(new Counter("default/*", "user:alice", Limit.parse("100/m")));
  }

  @Test
  void eachLimitOfARuleHasACounterOfItsOwn() {
    Policy policy = TestPolicy.of(TestRule.throttle("r", "1/s", "9/m", "99/h")).compile();

    assertThat(counters(policy, get("/")))
        .extracting(Counter::name)
        .containsExactly("rule:r", "rule:r#2", "rule:r#3");
  }

  @Test
  void everyConditionMustHold() {
    TestRule rule =
        TestRule.throttle("r", "1/s")
            .tier("pro")
            .endpoint("api")
            .path("/api/**")
            .method("POST")
            .ip("10.0.0.0/8")
            .user("alice")
            .key("k1")
            .header("x-app", "ios");
    Policy policy = TestPolicy.of(rule).endpoint("api", "/api/**").compile();
    Client client = ALICE.withKey("k1").withTier("pro");
    Headers ios = Headers.of(Map.of("X-App", "ios"));

    assertThat(enforced(policy, new Request("POST", "/api/x", client, 1, ios)))
        .containsExactly("r");
    for (Request other :
        List.of(
            new Request("POST", "/x", client, 1, ios),
            new Request("PUT", "/api/x", client, 1, ios),
            new Request("POST", "/api/x", client, 1, Headers.none()),
            new Request("POST", "/api/x", client, 1, Headers.of(Map.of("x-app", "IOS"))),
            new Request("POST", "/api/x", client.withTier("free"), 1, ios),
            new Request("POST", "/api/x", client.withUser("bob"), 1, ios),
            new Request("POST", "/api/x", client.withKey("k2"), 1, ios),
            new Request("POST", "/api/x", ALICE.withTier("pro"), 1, ios))) {
      assertThat(enforced(policy, other)).as(other.toString()).containsExactly("default");
    }
  }

  @Test
  void oneValueOfAConditionIsEnough() {
    TestRule rule =
        TestRule.throttle("r", "1/s").path("/a").path("/b/**").ip("10.0.0.0/8").ip("::1");
    Policy policy = TestPolicy.of(rule).compile();
    Client local = Client.at(Address.parse("::1"), 64);

    assertThat(enforced(policy, get("/a"))).containsExactly("r");
    assertThat(enforced(policy, get("/b/c", local))).containsExactly("r");
    assertThat(enforced(policy, get("/c"))).containsExactly("default");
    assertThat(enforced(policy, get("/a", Client.at(Address.parse("::2"), 64))))
        .containsExactly("default");
  }

  @Test
  void printsItsVersionAndSize() {
    Policy policy = TestPolicy.of(TestRule.block("b")).tier("free", "1/s").compile();

    assertThat(policy).hasToString("policy " + policy.version() + " of 3 rules");
  }

  @Test
  void findsARequestToAnEndpoint() {
    Policy policy =
        TestPolicy.of()
            .endpoint("shadowed", "/a/**")
            .endpoint("narrow", "/a", "/a/*/b")
            .endpoint("deep", "/**/deep/{id}/**")
            .compile();
    Client client = Client.unknown().withUser("alice");

    assertThat(policy.requestTo("narrow", client, 3)).extracting(Request::cost).isEqualTo(3L);
    assertThat(policy.requestTo("narrow", client, 1)).extracting(Request::path).isEqualTo("/a/x/b");
    assertThat(policy.requestTo("deep", client, 1)).extracting(Request::path).isEqualTo("/deep/x");
    assertThat(policy.requestTo("*", client, 1)).extracting(Request::path).isEqualTo("/");
    assertThat(policy.requestTo("nowhere", client, 1)).isNull();
  }
}
