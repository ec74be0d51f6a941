package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.Request;
import dev.weir.policy.config.ConfigReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckAnswerTest {
  private static final Request REQUEST =
      Request.of("GET", "/", Client.at(Address.parse("192.0.2.9"), 64));
  private static final String TRIAL =
      """
      [default]
      limit = "2/m"
      [[rule]]
      name = "stricter"
      limits = ["1/h"]
      mode = "shadow"
      """;

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-29T12:00:00Z"));

  private Gate gate(String policy) {
    return Fixtures.gate(time, ConfigReader.parse(policy, "weir.toml", Map.of()).policy());
  }

  private static JsonNode parsed(String json) throws JsonProcessingException {
    assertThat(json).doesNotContain("\n");
    return new ObjectMapper().readTree(json);
  }

  private static JsonNode check(Gate gate) throws JsonProcessingException {
    return parsed(CheckAnswer.json(gate.check(REQUEST), Fixtures.responses()));
  }

  @Test
  void saysWhatRulesInShadowModeWouldHaveDone() throws JsonProcessingException {
    Gate gate = gate(TRIAL);

    assertThat(check(gate).get("shadow")).hasToString("[{\"rule\":\"stricter\",\"allowed\":true}]");
    JsonNode second = check(gate);
    assertThat(second.get("allowed").asBoolean()).isTrue();
    assertThat(second.get("shadow")).hasToString("[{\"rule\":\"stricter\",\"allowed\":false}]");
  }

  @Test
  void anExplanationIsACheckAndWhatEveryRuleHasToDoWithIt() throws JsonProcessingException {
    Gate gate =
        gate(TRIAL + "[[rule]]\nname = \"writes\"\nlimits = \"1/s\"\nmatch.method = \"PUT\"\n");
    JsonNode first = parsed(ExplainAnswer.json(gate.explain(REQUEST), Fixtures.responses()));
    JsonNode second = parsed(ExplainAnswer.json(gate.explain(REQUEST), Fixtures.responses()));

    assertThat(second).isEqualTo(first);
    assertThat(first.get("rules"))
        .hasToString(
            "[{\"rule\":\"stricter\",\"matched\":true,\"why\":\"is only tried: limits each client to"
                + " 1/h\"},{\"rule\":\"writes\",\"matched\":false,\"why\":\"method must be PUT, got"
                + " GET\"},{\"rule\":\"default\",\"matched\":true,\"why\":\"limits each client to"
                + " 2/m\"}]");
    assertThat(first.get("remaining").asInt()).isEqualTo(2);
    List<String> members = new ArrayList<>();
    first.fieldNames().forEachRemaining(members::add);
    assertThat(check(gate).fieldNames()).toIterable().isSubsetOf(members);
  }

  @Test
  void aRuleThatWasNotAskedHasNotMatched() throws JsonProcessingException {
    Gate gate =
        gate(
            """
            [[rule]]
            name = "open"
            action = "allow"
            [[rule]]
            name = "zero"
            limits = ["1/h"]
            """);
    JsonNode rules =
        parsed(ExplainAnswer.json(gate.explain(REQUEST), Fixtures.responses())).get("rules");

    assertThat(rules.get(0).get("matched").asBoolean()).isTrue();
    assertThat(rules.get(1))
        .hasToString(
            "{\"rule\":\"zero\",\"matched\":false,\"why\":\"open decides, whatever the limits"
                + " say\"}");
  }

  @Test
  void saysNothingOfShadowModeIfNoRuleIsInIt() throws JsonProcessingException {
    assertThat(check(gate("")).has("shadow")).isFalse();
  }
}
