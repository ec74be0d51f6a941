package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.Penalty;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyVersionTest {

  private static PolicyDefinition rich() {
    return TestPolicy.of(
            TestRule.throttle("api", "100/s", "1000/h sliding_window")
                .priority(600)
                .tier("free")
                .endpoint("chat")
                .path("/api/v1/**")
                .method("GET")
                .ip("10.0.0.0/8")
                .user("al\"ice\\\n")
                .key("k1")
                .header("x-app", "ios")
                .scope(Scope.IP)
                .last()
                .failureMode(FailureMode.CLOSED)
                .refusal(new Refusal(503, "slow down", Duration.ofSeconds(30))),
            TestRule.block("evil").ip("2001:db8::/32").shadow().disabled())
        .tier("free", "100/m burst 20")
        .override("/api/v1/request", 50)
        .defaultTier("free")
        .limitedEndpoint("chat", "10/m", Scope.USER, "/api/v1/rag/chat")
        .endpoint("write", new TreeSet<>(Set.of("POST")), null, Scope.CLIENT, "/w/*")
        .penalty(new Penalty(Duration.ofHours(1), 3, List.of(1, 2, 4, 8)))
        .exempt(ClientSet.of(Set.of("10.1.0.0/16", "root")))
        .unknownClients(Action.BLOCK)
        .failureMode(FailureMode.OPEN)
        .localNodes(3)
        .define();
  }

  @Test
  void equalDefinitionsHaveEqualVersions() {
    assertThat(rich()).isEqualTo(rich()).hasSameHashCodeAs(rich());
    assertThat(Policy.compile(rich()).version()).isEqualTo(Policy.compile(rich()).version());
    assertThat(Policy.compile(rich()).version()).matches("[0-9a-f]{12}");
  }

  @Test
  void isWrittenAsToml() {
    assertThat(PolicyText.print(rich()))
        .isEqualTo(
            """
            enabled = true
            default_tier = "free"

            [counters]
            failure_mode = "open"
            local_nodes = 3

            [client]
            on_missing_client = "block"

            [default]
            limit = "100/m"

            [[tier]]
            name = "free"
            limit = "100/m burst 20"
            endpoints = { "/api/v1/request" = 50 }

            [[endpoint]]
            name = "chat"
            paths = ["/api/v1/rag/chat"]
            limit = "10/m"
            scope = "user"

            [[endpoint]]
            name = "write"
            paths = ["/w/*"]
            methods = ["POST"]
            scope = "client"

            [[rule]]
            name = "api"
            priority = 600
            match = { tier = ["free"], endpoint = ["chat"], path = ["/api/v1/**"], \
            method = ["GET"], ip = ["10.0.0.0/8"], user = ["al\\"ice\\\\\\u000a"], key = ["k1"], \
            header."x-app" = ["ios"] }
            limits = ["100/s", "1000/h sliding_window"]
            scope = "ip"
            action = "throttle"
            final = true
            mode = "enforce"
            enabled = true
            failure_mode = "closed"
            response = { status = 503, message = "slow down", retry_after = 30 }

            [[rule]]
            name = "evil"
            priority = 100
            match = { ip = ["2001:db8::/32"] }
            scope = "client"
            action = "block"
            final = false
            mode = "shadow"
            enabled = false

            [penalty]
            enabled = true
            detection_window = "3600000ms"
            violation_threshold = 3
            multipliers = [1, 2, 4, 8]

            [[exempt]]
            ip = "10.1.0.0/16"

            [[exempt]]
            user = "root"
            """);
  }

  private static TestRule rule() {
    return TestRule.throttle("r", "1/s");
  }

  /** One change each, so that every one of these definitions differs from all others. */
  private static Map<String, TestPolicy> variants() {
    Map<String, TestPolicy> variants = new LinkedHashMap<>();
    variants.put("plain", TestPolicy.of());
    variants.put("disabled", TestPolicy.of().disabled());
    variants.put("default limit", TestPolicy.of().defaultLimit("101/m"));
    variants.put("default algorithm", TestPolicy.of().defaultLimit("100/m sliding_log"));
    variants.put("default burst", TestPolicy.of().defaultLimit("100/m burst 5"));
    variants.put("unknown clients", TestPolicy.of().unknownClients(Action.BLOCK));
    variants.put("failure mode", TestPolicy.of().failureMode(FailureMode.OPEN));
    variants.put("local nodes", TestPolicy.of().localNodes(2));
    variants.put("tier", TestPolicy.of().tier("t", "1/s"));
    variants.put("other tier", TestPolicy.of().tier("u", "1/s"));
    variants.put("tier limit", TestPolicy.of().tier("t", "2/s"));
    variants.put("override", TestPolicy.of().tier("t", "2/s").override("/a", 1));
    variants.put("other override", TestPolicy.of().tier("t", "2/s").override("/a", 2));
    variants.put("override path", TestPolicy.of().tier("t", "2/s").override("/b", 1));
    variants.put("default tier", TestPolicy.of().tier("t", "1/s").defaultTier("t"));
    variants.put("endpoint", TestPolicy.of().endpoint("e", "/a"));
    variants.put("endpoint path", TestPolicy.of().endpoint("e", "/b"));
    variants.put("endpoint paths", TestPolicy.of().endpoint("e", "/a", "/b"));
    variants.put("limit", TestPolicy.of().limitedEndpoint("e", "1/s", Scope.CLIENT, "/a"));
    variants.put("scope", TestPolicy.of().limitedEndpoint("e", "1/s", Scope.IP, "/a"));
    variants.put(
        "endpoint methods",
        TestPolicy.of().endpoint("e", new TreeSet<>(Set.of("GET")), null, Scope.CLIENT, "/a"));
    variants.put("exempt ip", TestPolicy.of().exempt(ClientSet.of(Set.of("10.0.0.1"))));
    variants.put("exempt user", TestPolicy.of().exempt(ClientSet.of(Set.of("a"))));
    variants.put("exempt key", TestPolicy.of().exempt(keys("a")));
    addPenalties(variants);
    addRules(variants);
    return variants;
  }

  private static ClientSet keys(String key) {
    return new ClientSet(List.of(), new TreeSet<>(), new TreeSet<>(Set.of(key)));
  }

  private static void addPenalties(Map<String, TestPolicy> variants) {
    Duration hour = Duration.ofHours(1);
    variants.put("penalty", TestPolicy.of().penalty(new Penalty(hour, 3, List.of(1))));
    variants.put("threshold", TestPolicy.of().penalty(new Penalty(hour, 4, List.of(1))));
    variants.put("multipliers", TestPolicy.of().penalty(new Penalty(hour, 3, List.of(1, 2))));
    Penalty longer = new Penalty(hour.plusMillis(1), 3, List.of(1));
    variants.put("detection", TestPolicy.of().penalty(longer));
  }

  private static void addRules(Map<String, TestPolicy> variants) {
    variants.put("rule", TestPolicy.of(rule()));
    variants.put("rule name", TestPolicy.of(TestRule.throttle("q", "1/s")));
    variants.put("rule limit", TestPolicy.of(TestRule.throttle("r", "2/s")));
    variants.put("rule limits", TestPolicy.of(TestRule.throttle("r", "1/s", "2/m")));
    variants.put("allow", TestPolicy.of(TestRule.allow("r")));
    variants.put("block", TestPolicy.of(TestRule.block("r")));
    variants.put("priority", TestPolicy.of(rule().priority(1)));
    variants.put("final", TestPolicy.of(rule().last()));
    variants.put("shadow", TestPolicy.of(rule().shadow()));
    variants.put("rule disabled", TestPolicy.of(rule().disabled()));
    variants.put("rule scope", TestPolicy.of(rule().scope(Scope.GLOBAL)));
    variants.put("rule failure", TestPolicy.of(rule().failureMode(FailureMode.LOCAL)));
    variants.put("tier condition", TestPolicy.of(rule().tier("a")));
    variants.put("endpoint condition", TestPolicy.of(rule().endpoint("a")));
    variants.put("path condition", TestPolicy.of(rule().path("/a")));
    variants.put("method condition", TestPolicy.of(rule().method("GET")));
    variants.put("ip condition", TestPolicy.of(rule().ip("10.0.0.0/8")));
    variants.put("user condition", TestPolicy.of(rule().user("a")));
    variants.put("two users", TestPolicy.of(rule().user("a").user("b")));
    variants.put("odd user", TestPolicy.of(rule().user("a\", \"b")));
    variants.put("key condition", TestPolicy.of(rule().key("a")));
    variants.put("header condition", TestPolicy.of(rule().header("a", "a")));
    variants.put("header value", TestPolicy.of(rule().header("a", "b")));
    variants.put("status", TestPolicy.of(rule().refusal(new Refusal(403, null, null))));
    variants.put("message", TestPolicy.of(rule().refusal(new Refusal(null, "no", null))));
    Refusal later = new Refusal(null, null, Duration.ofSeconds(7));
    variants.put("retry after", TestPolicy.of(rule().refusal(later)));
    variants.put("two limits", TestPolicy.of(TestRule.throttle("r", "1/s", "5/m")));
    variants.put("order of limits", TestPolicy.of(TestRule.throttle("r", "5/m", "1/s")));
  }

  @ParameterizedTest
  @CsvSource({
    "100/60s, 100/m",
    "100/1m, 100/m",
    "100/60000ms burst 5, 100/m burst 5",
    "100/m burst 100, 100/m",
    "10/1000ms sliding_window, 10/s sliding_window",
    "10/7d sliding_log, 10/week sliding_log",
    "10/24h fixed_window, 10/day fixed_window",
    "10/week fixed_window align first_request, 10/7d fixed_window align first_request",
    "10/d fixed_window zone Etc/UTC, 10/d fixed_window",
  })
  void equalLimitsGiveEqualVersions(String one, String other) {
    assertThat(Limit.parse(one)).isEqualTo(Limit.parse(other));
    for (int i = 0; i < placesOf(one).size(); i++) {
      assertThat(placesOf(one).get(i).apply(TestPolicy.of()).compile().version())
          .isEqualTo(placesOf(other).get(i).apply(TestPolicy.of()).compile().version());
    }
  }

  /** Everywhere that a limit may be. */
  private static List<UnaryOperator<TestPolicy>> placesOf(String limit) {
    return List.of(
        policy -> policy.defaultLimit(limit),
        policy -> policy.tier("t", limit),
        policy -> policy.limitedEndpoint("e", limit, Scope.CLIENT, "/a"),
        policy -> policy.rule(TestRule.throttle("r", limit).build()));
  }

  @ParameterizedTest
  @CsvSource({
    "10/week fixed_window, 10/7d fixed_window",
    "10/d fixed_window, 10/d fixed_window zone Europe/Berlin",
    "10/d fixed_window, 10/d fixed_window align first_request",
    "10/d, 10/d sliding_window",
  })
  void windowsThatOnlyLookAlikeHaveDifferentVersions(String one, String other) {
    assertThat(TestPolicy.of().defaultLimit(one).compile().version())
        .isNotEqualTo(TestPolicy.of().defaultLimit(other).compile().version());
  }

  @Test
  void theOrderOfWhatIsInNoOrderMakesNoDifference() {
    TestPolicy one =
        TestPolicy.of(
                TestRule.block("a").path("/x").path("/y/**").ip("10.0.0.0/8").ip("::/0"),
                TestRule.throttle("b", "1/s", "5/m"))
            .tier("free", "1/s")
            .tier("pro", "9/s")
            .endpoint("e", "/a", "/b")
            .endpoint("f", "/c")
            .exempt(ips("10.1.0.0/16", "::1"));
    TestPolicy other =
        TestPolicy.of(
                TestRule.throttle("b", "1/s", "5/m"),
                TestRule.block("a").path("/y/**").path("/x").ip("::/0").ip("10.0.0.0/8"))
            .tier("pro", "9/s")
            .tier("free", "1/s")
            .endpoint("f", "/c")
            .endpoint("e", "/b", "/a", "/b")
            .exempt(ips("::1", "10.1.0.0/16", "::1"));

    assertThat(one.compile().version()).isEqualTo(other.compile().version());
    assertThat(PolicyText.print(one.define())).isNotEqualTo(PolicyText.print(other.define()));
  }

  private static ClientSet ips(String... ranges) {
    return new ClientSet(
        Stream.of(ranges).map(Cidr::parse).toList(), new TreeSet<>(), new TreeSet<>());
  }

  @Test
  void definitionsThatDifferInAnythingHaveDifferentVersions() {
    Map<String, String> byVersion = new LinkedHashMap<>();
    variants()
        .forEach(
            (name, variant) ->
                assertThat(byVersion.put(variant.compile().version(), name)).as(name).isNull());

    assertThat(byVersion).hasSize(variants().size());
  }

  @Test
  void whatAPolicyWasCompiledFromCannotBeChanged() {
    TreeSet<String> users = new TreeSet<>(Set.of("alice"));
    ClientSet exempt = new ClientSet(List.of(), users, users);
    users.add("bob");

    assertThat(exempt.users()).containsExactly("alice");
    assertThat(exempt.keys()).containsExactly("alice");
    assertThat(rich().rules().get(0).match().users()).isUnmodifiable();
  }

  @Test
  void limitsOfTheDefinitionAreKept() {
    assertThat(Policy.compile(rich()).definition().defaultLimit()).isEqualTo(Limit.parse("100/m"));
    assertThat(Policy.compile(rich()).definition()).isEqualTo(rich());
  }
}
