package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.policy.Endpoint;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Rule;
import dev.weir.policy.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartsReaderTest {
  private static final Limit DEFAULT = Limit.parse("7/s");

  private static final PolicyDefinition FILE =
      ConfigReader.parse(
              """
              [[tier]]
              name = "free"

              [[endpoint]]
              name = "chat"
              paths = ["/chat"]
              """,
              "weir.toml",
              Map.of())
          .policy();

  private static PolicyParts alone(String text) {
    return PartsReader.alone(DEFAULT).read(text, "parts.toml", Map.of());
  }

  private static PolicyParts besides(String text) {
    return PartsReader.besides(FILE).read(text, "parts.toml", Map.of());
  }

  @Test
  void readsPartsAsTheFileIsRead() {
    String text =
        """
        [[tier]]
        name = "pro"
        limit = 5
        window = "10s"

        [[tier]]
        name = "plain"

        [[endpoint]]
        name = "upload"
        paths = "/up"

        [[rule]]
        name = "r"
        limits = "3/m"
        match.endpoint = "upload"
        """;
    PolicyDefinition policy =
        ConfigReader.parse("[default]\nlimit = \"7/s\"\n" + text, "weir.toml", Map.of()).policy();
    PolicyParts parts = alone(text);
    assertThat(parts.tiers()).isEqualTo(policy.tiers()).hasSize(2);
    assertThat(parts.endpoints()).isEqualTo(policy.endpoints()).hasSize(1);
    assertThat(parts.rules()).isEqualTo(policy.rules()).hasSize(1);
    assertThat(parts.tiers()).extracting(Tier::limit).contains(DEFAULT);
  }

  @Test
  void aloneTheyMayReferToWhatTheyDoNotKnow() {
    PolicyParts parts =
        alone(
            "[[rule]]\nname = \"r\"\naction = \"block\"\nmatch = { endpoint = \"x\", tier = \"y\" }");
    assertThat(parts.rules()).extracting(Rule::name).containsExactly("r");
    assertThat(parts.warnings()).isEmpty();
  }

  @Test
  void besidesAFileTheyKnowItsNamesAndLeaveThemToIt() {
    PolicyParts parts =
        besides(
            """
            [[rule]]
            name = "r"
            action = "block"
            match = { endpoint = ["chat", "*"], tier = ["free", "gold"] }
            """);
    assertThat(parts.warnings()).extracting(Mistake::key).containsExactly("rule[0].match.tier");
    assertThatThrownBy(
            () ->
                besides(
                    """
                    [[endpoint]]
                    name = "chat"
                    paths = ["/other"]

                    [[rule]]
                    name = "r"
                    action = "block"
                    match.endpoint = "chatt"

                    [[rule]]
                    name = "r"
                    action = "allow"
                    """))
        .hasMessage(
            """
            parts.toml:2:1: endpoint[0].name: must be new, but endpoint "chat" is in the file
            parts.toml:8:1: rule[0].match.endpoint: must be the name of an endpoint, got "chatt"; did you mean chat
            parts.toml:11:1: rule[1].name: must be unique, got "r" twice""");
  }

  @Test
  void whatIsNoPartIsUnknown() {
    assertThatThrownBy(() -> alone("[server]\nlisten = \"x\"\n"))
        .hasMessageStartingWith("parts.toml:1:1: server: is unknown");
  }

  @Test
  void theEnvironmentHasNoPartInIt() {
    assertThat(
            alone("[[endpoint]]\nname = \"chat\"\npaths = [\"/c\"]\nlimit = \"1/s\"").endpoints())
        .extracting(Endpoint::limit)
        .containsExactly(Limit.parse("1/s"));
  }

  @Test
  void tablesOfOthersAreReadByThem() {
    List<Map<String, Object>> read = new ArrayList<>();
    String text =
        """
        [[block]]
        ip = "10.0.0.1"
        until = 2026-12-01T00:00:00Z
        more = { numbers = [1, 2.5], yes = true }

        [[rule]]
        name = "r"
        action = "block"
        """;
    PolicyParts parts =
        PartsReader.alone(DEFAULT)
            .read(text, "parts.toml", Map.of("block", table -> read.add(table.values())));
    assertThat(parts.rules()).hasSize(1);
    assertThat(read)
        .containsExactly(
            Map.of(
                "ip",
                "10.0.0.1",
                "until",
                "2026-12-01T00:00Z",
                "more",
                Map.of("numbers", List.of(1L, 2.5), "yes", true)));
    assertThatThrownBy(
            () ->
                PartsReader.alone(DEFAULT)
                    .read(
                        text,
                        "parts.toml",
                        Map.of(
                            "block",
                            table -> {
                              table.requireOnly(Set.of("ip", "until"));
                              table.report("ip", "must be another one");
                            })))
        .hasMessage(
            """
            parts.toml:2:1: block[0].ip: must be another one
            parts.toml:4:1: block[0].more: is unknown""");
  }
}
