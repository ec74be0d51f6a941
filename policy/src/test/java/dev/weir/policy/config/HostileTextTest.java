package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.MemoryCounterStore;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.Headers;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts in a file that elsewhere are programs, or choose a counter, or are secret. */
class HostileTextTest {
  private static final String RULE = "[[rule]]\nname = \"r\"\nlimits = [\"1/s\"]\n";
  private static final Client CLIENT = Client.at(Address.parse("192.0.2.9"), 64);
  private static final List<String> EXPRESSIONS =
      List.of(
          "T(java.lang.Runtime).getRuntime().exec('id')",
          "#{T(java.lang.Runtime).getRuntime().exec('id')}",
          "${jndi:ldap://127.0.0.1/x}",
          "%{(#a=@java.lang.Runtime@getRuntime())}",
          "{{7*7}}",
          "<% System.exit(1) %>");

  private static Config parse(String text) {
    return ConfigReader.parse(text, "weir.toml", Map.of());
  }

  @ParameterizedTest(name = "T31: line 4 is {0}")
  @ValueSource(
      strings = {
        "key = \"EXPRESSION\"",
        "cost = \"EXPRESSION\"",
        "scope = \"EXPRESSION\"",
        "action = \"EXPRESSION\"",
        "mode = \"EXPRESSION\"",
        "priority = \"EXPRESSION\"",
        "final = \"EXPRESSION\"",
        "algorithm = \"EXPRESSION\"",
        "match = \"EXPRESSION\"",
        "match = { expression = \"EXPRESSION\" }",
        "match = { path = \"EXPRESSION\" }",
        "match = { path = \"/a/*EXPRESSION\" }",
        "match = { method = \"EXPRESSION\" }",
        "match = { ip = \"EXPRESSION\" }",
        "match = { endpoint = \"EXPRESSION\" }",
        "response = { status = \"EXPRESSION\" }",
        "response = { retry_after = \"EXPRESSION\" }",
      })
  void anExpressionIsAMistakeInItsLine(String line) {
    for (String expression : EXPRESSIONS) {
      assertThatThrownBy(() -> parse(RULE + line.replace("EXPRESSION", expression)))
          .as(expression)
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("weir.toml:4:")
          .hasMessageContaining(": rule[0].");
    }
  }

  @ParameterizedTest(name = "T31: {0}")
  @ValueSource(
      strings = {
        "[[rule]]\nlimits = [\"1/s\"]\nname = \"EXPRESSION\"",
        "[[rule]]\nname = \"r\"\nlimits = [\"EXPRESSION\"]",
        "[[tier]]\nlimit = 1\nname = \"EXPRESSION\"",
        "[[tier]]\nname = \"free\"\nendpoints = { \"EXPRESSION\" = 1 }",
        "[[endpoint]]\nname = \"e\"\npaths = [\"EXPRESSION\"]",
        "[default]\nlimit = 1\nwindow = \"EXPRESSION\"",
      })
  void anExpressionIsNoNameLimitOrPath(String file) {
    for (String expression : EXPRESSIONS) {
      assertThatThrownBy(() -> parse(file.replace("EXPRESSION", expression)))
          .as(expression)
          .isInstanceOf(ConfigException.class)
          .message()
          .containsPattern("^weir\\.toml:[123]:[0-9]+: ");
    }
  }

  @Test
  @DisplayName("T31: where any text may stand, an expression stands for itself")
  void anExpressionStandsForItself() {
    for (String expression : EXPRESSIONS) {
      String rule =
          "[[rule]]\nname = \"r\"\naction = \"block\"\nresponse = { message = '''%1$s''' }\n"
              + "match = { user = '''%1$s''', header.x-kind = '''%1$s''' }";
      Config config = parse(rule.formatted(expression));
      Gate gate = new Gate(Policy.compile(config.policy()), new MemoryCounterStore());
      Headers headers = Headers.of(Map.of("X-Kind", expression));
      Headers result = Headers.of(Map.of("X-Kind", "49"));
      Client client = CLIENT.withUser(expression);

      assertThat(gate.check(new Request("GET", "/", client, 1, headers)).message())
          .isEqualTo(expression);
      assertThat(gate.check(new Request("GET", "/", client, 1, result)).isAllowed()).isTrue();
      assertThat(gate.check(new Request("GET", "/", CLIENT.withUser("49"), 1, headers)).isAllowed())
          .isTrue();
    }
  }

  @ParameterizedTest(name = "T16: {0}")
  @ValueSource(
      strings = {
        "scope = \"body\"",
        "scope = \"body.email\"",
        "scope = \"header.x-user\"",
        "scope = \"query.email\"",
        "match = { body = \"a\" }",
        "match = { query = \"a\" }",
        "key = \"body.email\"",
      })
  void noCounterIsKeptForWhatAClientMayInvent(String line) {
    assertThatThrownBy(() -> parse(RULE + line))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("weir.toml:4:");
  }

  @ParameterizedTest(name = "T20: {0}")
  @ValueSource(
      strings = {
        "[server]\nadmin_token = SECRET",
        "[server]\ncheck_token = SECRET",
        "[redis]\nurl = SECRET",
        "[database]\nurl = SECRET",
        "[database]\npassword = SECRET",
        "[client]\njwt_secret = SECRET",
        "[client]\njwt_jwks = SECRET",
      })
  void aSecretThatIsNoStringIsNotRepeated(String file) {
    for (String secret : List.of("81726354", "[\"81726354\"]", "{ a = 81726354 }", "81726354.5")) {
      assertThatThrownBy(() -> parse(file.replace("SECRET", secret)))
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("weir.toml:2:1: ")
          .hasMessageEndingWith(": must be a string")
          .hasMessageNotContaining("81726354");
    }
  }

  @ParameterizedTest(name = "T20: {0} without quotes")
  @ValueSource(strings = {"12s3cret", "true_s3cret", "s3cret", "2024-01-01s3cret", "1.5's3cret'"})
  void aSecretWithoutQuotesIsNotRepeated(String secret) {
    assertThatThrownBy(() -> parse("[server]\nadmin_token = " + secret))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("weir.toml:2:")
        .hasMessageNotContaining("3cret");
  }

  @Test
  void aTextThatIsNotExpectedIsShortened() {
    assertThatThrownBy(() -> parse("[server]\nadmin_token = 12s3cret"))
        .hasMessage("weir.toml:2:17: Unexpected 's…', expected a newline or end-of-input");
  }

  @Test
  @DisplayName("T20: no text form of the settings tells a secret")
  void noTextFormTellsASecret() {
    Config config =
        parse(
            """
            [server]
            admin_token = "hunter2-admin"
            read_token = "hunter2-read"
            check_token = "hunter2-check"
            [redis]
            url = "redis://user:hunter2@localhost:6379/1"
            [database]
            url = "jdbc:postgresql://localhost/weir?password=hunter2"
            password = "hunter2-database"
            [client]
            jwt_secret = "hunter2-hunter2-hunter2-hunter2-hunter2"
            jwt_jwks = "https://user:hunter2@localhost/jwks.json"
            """);

    assertThat(config.client().jwtSecret()).startsWith("hunter2");
    assertThat(config.toString()).doesNotContain("hunter2");
  }
}
