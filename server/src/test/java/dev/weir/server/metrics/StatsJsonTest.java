package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.policy.Client;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatsJsonTest {
  private static final String POLICY =
      """
      [default]
      limit = "2/m"

      [[endpoint]]
      name = "chat"
      paths = ["/chat"]
      limit = "1/m"

      [[rule]]
      name = "closed"
      match = { path = "/old/**" }
      action = "block"
      """;

  private final TestGate gate = new TestGate(POLICY);

  private JsonNode stats() throws JsonProcessingException {
    return new ObjectMapper().readTree(gate.metrics.statsJson());
  }

  @Test
  void tellsWhatIsRefusedWhereAndToWhom() {
    gate.check("/chat", TestGate.client("a\"lice\n"), 4);
    gate.check("/", TestGate.client("bob"), 3);
    gate.check("/old/x", Client.unknown().withKey("k1"), 2);
    gate.time.advance(Duration.ofMinutes(10));
    assertThat(gate.metrics.statsJson())
        .isEqualTo(
            """
            {"since": "2026-03-01T10:00:00Z", \
            "requests": {"allowed": 3, "throttled": 4, "blocked": 2}, \
            "endpoints": [\
            {"endpoint": "*", "allowed": 2, "throttled": 1, "blocked": 2}, \
            {"endpoint": "chat", "allowed": 1, "throttled": 3, "blocked": 0}], \
            "refused_clients_since": "2026-03-01T10:00:00Z", \
            "refused_clients": [\
            {"client": "user:a\\"lice\\u000a", "refused": 3, "at_most": 3}, \
            {"client": "key:k1", "refused": 2, "at_most": 2}, \
            {"client": "user:bob", "refused": 1, "at_most": 1}], \
            "rules": [\
            {"rule": "endpoint:chat", "throttled": 3}, {"rule": "default", "throttled": 1}], \
            "degraded": false, "backend_errors": 0}""");
  }

  @Test
  void isRightBeforeTheFirstRequest() throws JsonProcessingException {
    assertThat(stats().at("/requests/allowed").asLong(-1)).isZero();
    assertThat(stats().at("/endpoints").size()).isZero();
    assertThat(stats().at("/refused_clients").isArray()).isTrue();
  }

  @Test
  void saysThatCountersAreAway() throws JsonProcessingException {
    gate.areCountersAway = true;
    gate.check("/", TestGate.client("bob"), 2);
    assertThat(stats().at("/degraded").asBoolean()).isTrue();
    assertThat(stats().at("/backend_errors").asLong()).isEqualTo(2);
  }

  @Test
  void hasAtMostTwentyOfEach() throws JsonProcessingException {
    StringBuilder policy = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      policy.append(
          """
          [[endpoint]]
          name = "e%1$d"
          paths = ["/e%1$d"]
          limit = "1/m"
          """
              .formatted(i));
    }
    gate.reload(policy.toString());
    for (int i = 0; i < 30; i++) {
      gate.check("/e" + i, TestGate.client("user-" + i), 2 + i);
    }
    JsonNode stats = stats();
    assertThat(stats.at("/endpoints").size()).isEqualTo(20);
    assertThat(stats.at("/endpoints/0/endpoint").asText()).isEqualTo("e29");
    assertThat(stats.at("/refused_clients").size()).isEqualTo(20);
    assertThat(stats.at("/refused_clients/0/client").asText()).isEqualTo("user:user-29");
    assertThat(stats.at("/rules").size()).isEqualTo(20);
    assertThat(stats.at("/rules/19/rule").asText()).isEqualTo("endpoint:e10");
  }
}
