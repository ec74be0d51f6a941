package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.Limit;
import dev.weir.policy.Action;
import dev.weir.policy.Cidr;
import dev.weir.policy.Endpoint;
import dev.weir.policy.FailureMode;
import dev.weir.policy.PathPattern;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.PolicyText;
import dev.weir.policy.Rule;
import dev.weir.policy.Scope;
import dev.weir.policy.Tier;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {

  private static Config parse(String text, String... environment) {
    return ConfigReader.parse(text, "weir.toml", variables(environment));
  }

  private static Map<String, String> variables(String... pairs) {
    Map<String, String> variables = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      variables.put(pairs[i], pairs[i + 1]);
    }
    return variables;
  }

  static String resource(String name) throws IOException {
    try (InputStream stream = ConfigReaderTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void anEmptyFileIsAPolicy() {
    Config config = parse("");

    assertThat(config.policy().isEnabled()).isTrue();
    assertThat(config.policy().defaultLimit()).isEqualTo(Limit.parse("100/60s"));
    assertThat(config.policy().endpoints()).isEmpty();
    assertThat(config.policy().unknownClients()).isEqualTo(Action.ALLOW);
    assertThat(config.policy().failureMode()).isEqualTo(FailureMode.LOCAL);
    assertThat(config.server().listen()).isEqualTo("127.0.0.1:8080");
    assertThat(config.counters())
        .isEqualTo(new CounterSettings(CounterSettings.Backend.MEMORY, 1_000_000));
    assertThat(config.redis().commandTimeout()).isEqualTo(Duration.ofMillis(25));
    assertThat(config.client().trustedProxies())
        .containsExactly(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1/128"));
    assertThat(config.response().headers()).hasSize(2);
    assertThat(config.audit().retention()).isEqualTo(Duration.ofDays(90));
    assertThat(config.warnings()).isEmpty();
  }

  @Test
  void everyKeyOfTheReferenceIsRead() throws IOException {
    Config config = parse(resource("every-key.toml"));
    PolicyDefinition policy = config.policy();

    assertThat(policy.defaultTier()).isEqualTo("free");
    assertThat(policy.tiers())
        .containsExactly(
            new Tier(
                "free",
                Limit.parse("100/60s burst 20"),
                new TreeMap<>(Map.of(PathPattern.parse("/api/v1/request"), 50L))));
    assertThat(policy.endpoints())
        .containsExactly(
            new Endpoint(
                "chat",
                List.of(PathPattern.parse("/api/v1/rag/chat")),
                new TreeSet<>(),
                Limit.parse("10/60s"),
                Scope.USER));
    Rule rule = policy.rules().get(0);
    assertThat(rule.priority()).isEqualTo(600);
    assertThat(rule.limits())
        .containsExactly(Limit.parse("100/s sliding_window"), Limit.parse("1000/h sliding_window"));
    assertThat(rule.match().ips()).containsExactly(Cidr.parse("10.0.0.0/8"));
    assertThat(rule.match().methods()).containsExactly("GET");
    assertThat(rule.failureMode()).isEqualTo(FailureMode.CLOSED);
    assertThat(rule.refusal().status()).isEqualTo(429);
    assertThat(rule.refusal().retryAfter()).isEqualTo(Duration.ofSeconds(30));
    assertThat(policy.penalty()).isNull();
    assertThat(policy.exempt().ips()).containsExactly(Cidr.parse("10.1.0.0/16"));
  }

  @Test
  void theEnvoyServiceIsSetUp() {
    assertThat(parse("").envoy())
        .isEqualTo(
            new EnvoySettings(
                "",
                false,
                false,
                false,
                "RateLimit-Limit",
                "RateLimit-Remaining",
                "RateLimit-Reset",
                false,
                false,
                false,
                false));
    assertThat(
            parse(
                    """
                    [envoy]
                    config = "rules"
                    quota_mode = true
                    response_headers = true
                    limit_header = "X-Limit"
                    remaining_header = "X-Left"
                    reset_header = "X-Reset"
                    dynamic_metadata = true
                    merge_domains = true
                    all_or_nothing = true
                    """,
                    "RATE_LIMIT_ENVOY_SHADOW_MODE",
                    "true")
                .envoy())
        .isEqualTo(
            new EnvoySettings(
                "rules", true, true, true, "X-Limit", "X-Left", "X-Reset", true, true, false,
                true));
    assertThat(parse("", "RATE_LIMIT_ENVOY_STOP_WHEN_OVER", "true").envoy().stopWhenOver())
        .isTrue();
  }

  @Test
  void trafficIsKeptIfThatIsSaid() {
    assertThat(parse("").traffic()).isEqualTo(new TrafficSettings(Duration.ZERO, 200_000, 1.0));
    assertThat(parse("").traffic().isOn()).isFalse();
    TrafficSettings on =
        parse("[traffic]\nkeep = \"1h\"\nclients = 0.25", "RATE_LIMIT_TRAFFIC_MAX_REQUESTS", "5")
            .traffic();
    assertThat(on).isEqualTo(new TrafficSettings(Duration.ofHours(1), 5, 0.25));
    assertThat(on.isOn()).isTrue();
    assertThat(new TrafficSettings(Duration.ofHours(1), 5, 0).isOn()).isFalse();
  }

  @Test
  void whatIsPrintedReadsTheSame() throws IOException {
    PolicyDefinition policy = parse(resource("every-key.toml")).policy();

    assertThat(parse(PolicyText.print(policy)).policy()).isEqualTo(policy);
  }

  @Test
  void withoutAFileThereAreThreeEndpoints() {
    PolicyDefinition policy = ConfigReader.builtIn(Map.of()).policy();

    assertThat(policy.endpoints())
        .extracting(Endpoint::name, Endpoint::limit, Endpoint::scope)
        .containsExactly(
            tuple("chat", Limit.parse("10/60s"), Scope.USER),
            tuple("upload", Limit.parse("2/600s"), Scope.USER),
            tuple("auth", Limit.parse("5/60s"), Scope.IP));
  }

  @Test
  void theEnvironmentWins() {
    Config config =
        parse(
            "[server]\nlisten = \"127.0.0.1:1\"\n[[tier]]\nname = \"free\"",
            "RATE_LIMIT_SERVER_LISTEN",
            "127.0.0.1:2",
            "RATE_LIMIT_ENABLED",
            "false",
            "RATE_LIMIT_DEFAULT_TIER",
            "free",
            "RATE_LIMIT_DEFAULT_LIMIT",
            "7",
            "RATE_LIMIT_FAIL_OPEN",
            "true",
            "RATE_LIMIT_HEADER_PREFIX",
            "Quota-",
            "RATE_LIMIT_WHITELIST",
            "alice, 10.0.0.0/8 ,::1",
            "RATE_LIMIT_PENALTY_ENABLED",
            "true",
            "RATE_LIMIT_PENALTY_MULTIPLIERS",
            "1, 3",
            "OTHER",
            "ignored");

    assertThat(config.server().listen()).isEqualTo("127.0.0.1:2");
    assertThat(config.policy().isEnabled()).isFalse();
    assertThat(config.policy().defaultTier()).isEqualTo("free");
    assertThat(config.policy().defaultLimit()).isEqualTo(Limit.parse("7/60s"));
    assertThat(config.policy().failureMode()).isEqualTo(FailureMode.OPEN);
    assertThat(config.response().headerPrefix()).isEqualTo("Quota-");
    assertThat(config.policy().exempt().users()).containsExactly("alice");
    assertThat(config.policy().exempt().ips())
        .containsExactly(Cidr.parse("10.0.0.0/8"), Cidr.parse("::1"));
    assertThat(config.policy().penalty()).isNotNull();
  }

  @Test
  void theEnvironmentSetsNamedEndpoints() {
    PolicyDefinition policy =
        ConfigReader.builtIn(
                Map.of("RATE_LIMIT_CHAT_REQUESTS", "30", "RATE_LIMIT_UPLOAD_WINDOW", "60"))
            .policy();

    assertThat(policy.endpoints().get(0).limit()).isEqualTo(Limit.parse("30/60s"));
    assertThat(policy.endpoints().get(1).limit()).isEqualTo(Limit.parse("2/60s"));
  }

  @Test
  void mistakesInTheEnvironmentNameTheVariable() {
    assertThatThrownBy(
            () ->
                parse(
                    "",
                    "RATE_LIMIT_SERVER_LISTN",
                    "x",
                    "RATE_LIMIT_COUNTERS_MAX_KEYS",
                    "many",
                    "RATE_LIMIT_FAIL_OPEN",
                    "perhaps"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            """
            RATE_LIMIT_FAIL_OPEN: must be true or false, got "perhaps"
            RATE_LIMIT_COUNTERS_MAX_KEYS: must be between 1 and 100000000, got "many"
            RATE_LIMIT_SERVER_LISTN: is unknown; did you mean RATE_LIMIT_SERVER_LISTEN""");
  }

  @Test
  void aBurstThatNoLimitOfARuleCanHaveIsWarnedOf() {
    String rule = "[[rule]]\nname = \"r\"\nalgorithm = \"sliding_log\"\nburst = 5\nlimits = ";

    assertThat(parse(rule + "[\"1/s\", \"9/m sliding_window\"]").warnings())
        .containsExactly(
            "weir.toml:4:1: rule[0].burst: has no effect; it is for token_bucket, and none of the"
                + " limits is one");
    assertThat(parse(rule + "[\"1/s\", \"9/m token_bucket\"]").warnings()).isEmpty();
  }

  @Test
  void methodsAreWhateverHttpAllows() {
    PolicyDefinition policy =
        parse(
                """
                [[endpoint]]
                name = "upnp"
                paths = ["/upnp"]
                methods = ["m-search", "NOTIFY", "x_1!"]
                [[rule]]
                name = "r"
                limits = ["1/s"]
                match = { method = ["M-SEARCH", "head"] }
                """)
            .policy();

    assertThat(policy.endpoints().get(0).methods()).containsExactly("M-SEARCH", "NOTIFY", "X_1!");
    assertThat(policy.rules().get(0).match().methods()).containsExactly("GET", "M-SEARCH");
    assertThat(parse(PolicyText.print(policy)).policy()).isEqualTo(policy);
  }

  @Test
  void aFileThatIsNotThereOrNoTextIsSaidInOneLine(@TempDir Path folder) throws IOException {
    Path missing = folder.resolve("weir.toml");
    assertThatThrownBy(() -> ConfigReader.read(missing, Map.of()))
        .hasMessage(missing + ": there is no such file");
    Path binary = folder.resolve("binary.toml");
    Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThatThrownBy(() -> ConfigReader.read(binary, Map.of()))
        .hasMessage(binary + ": must be valid UTF-8");
    assertThatThrownBy(() -> ConfigReader.read(folder, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void secretsAreNotTold() {
    Config config =
        parse(
            """
            [server]
            admin_token = "s3cret"
            read_token = "s3cret-too"
            check_token = "s3cret"
            [redis]
            url = "redis://user:s3cret@localhost:6379"
            [database]
            password = "s3cret"
            [client]
            jwt_secret = "s3cret, and long enough for any of the algorithms"
            """);

    assertThat(config.toString()).doesNotContain("s3cret");
  }
}
