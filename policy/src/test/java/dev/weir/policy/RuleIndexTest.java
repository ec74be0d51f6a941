package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** How few steps a look-up brings; that they are the right ones is tested with the policy. */
class RuleIndexTest {
  private static final int RULES = 1_000;

  /** How many of many rules are looked at for one request, besides the default. */
  private static int looked(BiFunction<TestRule, Integer, TestRule> conditions, Request request) {
    TestPolicy policy = TestPolicy.of();
    for (int i = 0; i < RULES; i++) {
      TestRule common = TestRule.throttle("r" + i, "1/s").method("GET").tier("free").path("/**");
      policy.rule(conditions.apply(common, i).build());
    }
    Match match = policy.endpoint("e7", "/e7").endpoint("e8", "/e8").compile().match(request);
    assertThat(match.enforced).extracting(step -> step.name).contains("r7").doesNotContain("r8");
    return match.found.size() - 1;
  }

  private static Request request(String path, Client client) {
    return new Request("GET", path, client, 1, Headers.of(Map.of("x-id", "v7")));
  }

  private static Client client() {
    return Client.at(Address.parse("10.0.0.7"), 64).withTier("free");
  }

  @Test
  void aRuleIsFiledUnderTheConditionThatTheFewestShare() {
    Request plain = request("/", client());

    assertThat(looked((rule, i) -> rule.user("u" + i), request("/", client().withUser("u7"))))
        .isEqualTo(1);
    assertThat(looked((rule, i) -> rule.key("k" + i), request("/", client().withKey("k7"))))
        .isEqualTo(1);
    assertThat(looked((rule, i) -> rule.header("x-id", "v" + i), plain)).isEqualTo(1);
    assertThat(looked((rule, i) -> rule.endpoint("e" + i), request("/e7", client()))).isEqualTo(1);
    assertThat(looked((rule, i) -> rule.ip("10.0.%d.%d".formatted(i / 250, i % 250)), plain))
        .isEqualTo(1);
  }

  private static int lookedWithoutMore(
      BiFunction<TestRule, Integer, TestRule> conditions, Request request) {
    TestPolicy policy = TestPolicy.of();
    for (int i = 0; i < RULES; i++) {
      TestRule common = TestRule.throttle("r" + i, "1/s").ip("0.0.0.0/0");
      policy.rule(conditions.apply(common, i).build());
    }
    Match match = policy.compile().match(request);
    assertThat(match.enforced).extracting(step -> step.name).containsExactly("r7");
    return match.found.size() - 1;
  }

  @Test
  void rulesAreFoundByPathTierAndMethodToo() {
    Client seventh = client().withTier("t7");

    assertThat(lookedWithoutMore((rule, i) -> rule.path("/a/" + i + "/*"), get("/a/7/b")))
        .isEqualTo(1);
    assertThat(lookedWithoutMore((rule, i) -> rule.path("/a/**/" + i), get("/a/b/c/7")))
        .isEqualTo(1);
    assertThat(lookedWithoutMore((rule, i) -> rule.tier("t" + i), request("/", seventh)))
        .isEqualTo(1);
    assertThat(
            lookedWithoutMore((rule, i) -> rule.method("M" + i), Request.of("m7", "/", client())))
        .isEqualTo(1);
  }

  private static Request get(String path) {
    return request(path, client());
  }

  @Test
  void aPathThatMatchesEverythingIsNoGoodPlaceToFile() {
    Client client = client().withUser("u7");

    assertThat(lookedWithoutMore((rule, i) -> rule.path("/**").user("u" + i), request("/", client)))
        .isEqualTo(1);
    assertThat(
            lookedWithoutMore(
                (rule, i) -> rule.path("/*/*").user("u" + i), request("/a/b", client)))
        .isEqualTo(1);
  }

  @Test
  void aRuleWithSeveralValuesIsFiledUnderEach() {
    Policy policy =
        TestPolicy.of(
                TestRule.throttle("r", "1/s").user("a").user("b"),
                TestRule.throttle("s", "1/s").header("x-id", "v7").header("x-id", "v8"))
            .compile();

    for (String user : new String[] {"a", "b"}) {
      Match match = policy.match(request("/", client().withUser(user)));
      assertThat(match.enforced).extracting(step -> step.name).containsExactly("r", "s");
      assertThat(match.found.size()).isEqualTo(3);
    }
  }
}
