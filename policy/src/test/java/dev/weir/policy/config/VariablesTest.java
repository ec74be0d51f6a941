package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.policy.Cidr;
import dev.weir.policy.FailureMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What variables say over a file. */
class VariablesTest {

  private static Config parse(String text, String... pairs) {
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      variables.put(pairs[i], pairs[i + 1]);
    }
    return ConfigReader.parse(text, "weir.toml", variables);
  }

  private static String mistakes(String text, String... pairs) {
    try {
      parse(text, pairs);
      return "";
    } catch (ConfigException wrong) {
      return Objects.requireNonNull(wrong.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,2,4", "[1, 2, 4]", " [1,2,4] ", "1, 2, 4"})
  void aListOfNumbersMayHaveBrackets(String text) {
    Config config = parse("[penalty]\nenabled = true", "RATE_LIMIT_PENALTY_MULTIPLIERS", text);

    assertThat(Objects.requireNonNull(config.policy().penalty()).multipliers())
        .containsExactly(1, 2, 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1;2", "[1, 2", "1,two", "1.5", "99999999999"})
  void aListThatIsNoneIsShownHowToBeWritten(String text) {
    assertThat(mistakes("", "RATE_LIMIT_PENALTY_MULTIPLIERS", text))
        .isEqualTo(
            "RATE_LIMIT_PENALTY_MULTIPLIERS: must be whole numbers with commas between, for example"
                + " 1,2,4, got \""
                + text
                + "\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/8,::1",
        "[10.0.0.0/8, ::1]",
        "[\"10.0.0.0/8\", \"::1\"]",
        "['10.0.0.0/8','::1']",
        "\"10.0.0.0/8\", \"::1\"",
        "10.0.0.0/8, ::1,",
      })
  void aListOfTextsMayHaveBracketsAndQuotes(String text) {
    List<Cidr> ranges = List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("::1"));

    assertThat(parse("", "RATE_LIMIT_CLIENT_TRUSTED_PROXIES", text).client().trustedProxies())
        .isEqualTo(ranges);
    assertThat(parse("", "RATE_LIMIT_WHITELIST", text).policy().exempt().ips()).isEqualTo(ranges);
  }

  @Test
  void anEmptyListIsOne() {
    assertThat(parse("", "RATE_LIMIT_RESPONSE_HEADERS", "[]").response().headers()).isEmpty();
    assertThat(parse("", "RATE_LIMIT_RESPONSE_HEADERS", "").response().headers()).isEmpty();
  }

  @Test
  void theBracketsOfAnAddressAreNoList() {
    Config config =
        parse(
            "[redis]\ntopology = \"cluster\"",
            "RATE_LIMIT_REDIS_NODES",
            "[::1]:6379,[2001:db8::1]:6379");

    assertThat(config.redis().nodes()).containsExactly("[::1]:6379", "[2001:db8::1]:6379");
  }

  @ParameterizedTest
  @CsvSource({
    "true, OPEN",
    "True, OPEN",
    "TRUE, OPEN",
    "false, CLOSED",
    "False, CLOSED",
    "FALSE, CLOSED",
  })
  void failOpenIsReadAsEnabledIs(String text, FailureMode mode) {
    assertThat(parse("", "RATE_LIMIT_FAIL_OPEN", text).policy().failureMode()).isEqualTo(mode);
    assertThat(parse("", "RATE_LIMIT_ENABLED", text).policy().isEnabled())
        .isEqualTo(mode == FailureMode.OPEN);
    assertThatThrownBy(() -> parse("", "RATE_LIMIT_FAIL_OPEN", text + "!"))
        .hasMessage("RATE_LIMIT_FAIL_OPEN: must be true or false, got \"" + text + "!\"");
  }
}
