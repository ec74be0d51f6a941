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
  void saysNothingOfShadowModeIfNoRuleIsInIt() throws JsonProcessingException {
    assertThat(check(gate("")).has("shadow")).isFalse();
  }
}
