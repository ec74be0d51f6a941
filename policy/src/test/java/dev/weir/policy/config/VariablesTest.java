package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.policy.Cidr;
import dev.weir.policy.FailureMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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
    "10/m, 30, , 30/m",
    "10/m, , 2m, 10/2m",
    "10/m, 30, 2m, 30/2m",
    "10/m, , 120, 10/120s",
    "10/m burst 20, 30, , 30/m burst 20",
    "10/m burst 20, , 2m, 10/2m burst 20",
    "10/m burst 20, 20, , 20/m",
    "10/m fixed_window align first_request, 30, 2m, 30/2m fixed_window align first_request",
    "10/d fixed_window zone Europe/Berlin, 30, , 30/d fixed_window zone Europe/Berlin",
    "10/d fixed_window zone Europe/Berlin, , month, 10/month fixed_window zone Europe/Berlin",
    "10/m sliding_window, 30, 1h, 30/h sliding_window",
    "10/m sliding_log, 30, 1h, 30/h sliding_log",
    ", 30, , 30/60s",
    ", , 10s, 100/10s",
  })
  void anEndpointsVariablesChangePermitsAndPeriodOnly(
      @Nullable String ofFile, @Nullable String requests, @Nullable String window, String limit) {
    String text =
        "[[endpoint]]\nname = \"rag-chat\"\npaths = \"/chat\"\n"
            + (ofFile == null ? "" : "limit = \"" + ofFile + "\"\n");
    Map<String, String> variables = new HashMap<>();
    if (requests != null) {
      variables.put("RATE_LIMIT_RAG_CHAT_REQUESTS", requests);
    }
    if (window != null) {
      variables.put("RATE_LIMIT_RAG_CHAT_WINDOW", window);
    }

    Config config = ConfigReader.parse(text, "weir.toml", variables);
    assertThat(config.policy().endpoints().get(0).limit()).isEqualTo(Limit.parse(limit));
  }

  @Test
  void anEndpointsVariablesAreBlamedOneByOne() {
    String text = "[[endpoint]]\nname = \"chat\"\npaths = \"/chat\"\nlimit = \"10/m burst 5\"\n";
    String requests = "RATE_LIMIT_CHAT_REQUESTS";
    String window = "RATE_LIMIT_CHAT_WINDOW";

    assertThat(mistakes(text, requests, "0", window, "1h"))
        .startsWith(requests + ": limit \"0/1h burst 5\": permits must be");
    assertThat(mistakes(text, requests, "10", window, "1x"))
        .startsWith(window + ": limit \"10/1x burst 5\": period \"1x\" is unknown");
    assertThat(mistakes(text, window, "60s burst 9"))
        .isEqualTo(window + ": must be a period, for example 60s, got \"60s burst 9\"");
    assertThat(mistakes(text, requests, "")).isEqualTo(requests + ": must be a number, got \"\"");
  }

  @Test
  void aWholeLimitInAVariableReplacesTheFilesInAllItsParts() {
    String text = "[default]\nlimit = 9\nwindow = \"1h\"\nalgorithm = \"sliding_log\"\n";

    assertThat(parse(text, "RATE_LIMIT_DEFAULT_LIMIT", "50/s").policy().defaultLimit())
        .isEqualTo(Limit.parse("50/s"));
    assertThat(parse(text, "RATE_LIMIT_DEFAULT_LIMIT", "50").policy().defaultLimit())
        .isEqualTo(Limit.parse("50/h sliding_log"));
    assertThat(
            mistakes(text, "RATE_LIMIT_DEFAULT_LIMIT", "50/s", "RATE_LIMIT_DEFAULT_WINDOW", "1h"))
        .isEqualTo(
            "RATE_LIMIT_DEFAULT_WINDOW: is part of the limit's text already; leave it out here");
    assertThat(mistakes(text, "RATE_LIMIT_DEFAULT_LIMIT", "50/x"))
        .startsWith("RATE_LIMIT_DEFAULT_LIMIT: limit \"50/x\": period \"x\" is unknown");
  }

  @Test
  void aNumberInAVariableChangesThePermitsOfAWholeText() {
    String text = "[default]\nlimit = \"9/h burst 3\"\n";

    assertThat(parse(text, "RATE_LIMIT_DEFAULT_LIMIT", "50").policy().defaultLimit())
        .isEqualTo(Limit.parse("50/h burst 3"));
    assertThat(mistakes(text, "RATE_LIMIT_DEFAULT_LIMIT", "many"))
        .startsWith("RATE_LIMIT_DEFAULT_LIMIT: limit \"many/h burst 3\": permits \"many\"");
  }

  @Test
  void aSecretThatIsTooShortIsNotTold() {
    assertThat(mistakes("", "RATE_LIMIT_CLIENT_JWT_SECRET", "s3cret"))
        .isEqualTo(
            "RATE_LIMIT_CLIENT_JWT_SECRET: must be at least 32 bytes long for HS256, 48 for HS384"
                + " and 64 for HS512, got 6");
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
