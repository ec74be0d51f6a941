package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.policy.FailureMode;
import dev.weir.server.envoy.EnvoyOptions.WhenOver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvoyJsonTest {
  private static final String RULES =
      """
      domain: edge
      descriptors:
        - key: user
          rate_limit: {unit: minute, requests_per_unit: 2}
      """;
  private static final String REQUEST =
      """
      {"domain": "edge", "descriptors": [{"entries": [{"key": "user", "value": "alice"}]}]}
      """;

  private final TestService service = TestService.with(RULES);
  private final EnvoyJson json = new EnvoyJson(service.decider);

  private EnvoyJson.Reply answer(String body) {
    return json.answer(body).toCompletableFuture().join();
  }

  private static JsonNode read(String body) throws IOException {
    return new ObjectMapper().readTree(body);
  }

  @Test
  void theStatusTellsWhatWasDecided() throws IOException {
    EnvoyJson.Reply first = answer(REQUEST);
    assertThat(first.status()).isEqualTo(200);
    assertThat(read(first.body()))
        .isEqualTo(
            read(
                """
                {"overallCode": "OK", "statuses": [{"code": "OK",
                 "currentLimit": {"requestsPerUnit": 2, "unit": "MINUTE"},
                 "limitRemaining": 1, "durationUntilReset": "20s"}]}
                """));
    answer(REQUEST);
    EnvoyJson.Reply refused = answer(REQUEST);

    assertThat(refused.status()).isEqualTo(429);
    assertThat(read(refused.body()).get("overallCode").asText()).isEqualTo("OVER_LIMIT");
  }

  @Test
  void fieldsMayHaveEitherSpelling() {
    assertThat(answer(REQUEST.replace("{\"domain\"", "{\"hits_addend\": 2, \"domain\"")).status())
        .isEqualTo(200);
    assertThat(answer(REQUEST.replace("{\"domain\"", "{\"hitsAddend\": 2, \"domain\"")).status())
        .isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "5",
        "{\"domain\": 5}",
        "{\"domain\": \"edge\", \"limit\": 5}",
        "{\"domain\": \"edge\"}",
        "{\"domain\": \"\", \"descriptors\": [{}]}",
        "{\"domain\": \"edge\", \"descriptors\": [{\"entries\": {}}]}",
        "{\"domain\": \"edge\", \"descriptors\": [{}], \"hits_addend\": -1}",
        "{\"domain\": \"edge\", \"descriptors\": [{\"hits_addend\": \"18446744073709551616\"}]}",
        "{\"domain\": \"edge\", \"descriptors\": [{\"limit\": {\"unit\": \"FORTNIGHT\"}}]}",
        "{\"domain\": \"edge\", \"descriptors\": [{\"limit\": {\"unit\": \"UNKNOWN\"}}]}",
      })
  void whatIsWrongIsSaid(String body) throws IOException {
    EnvoyJson.Reply reply = answer(body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(read(reply.body()).get("error").asText()).isEqualTo("Bad Request");
    assertThat(read(reply.body()).get("message").asText()).isNotEmpty();
  }

  @Test
  void theReferencesWordsAreKept() throws IOException {
    assertThat(read(answer("{}").body()).get("message").asText())
        .isEqualTo("rate limit domain must not be empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "{\"descriptors\":["})
  void deepTextsAreRefused(String level) {
    assertThat(answer(level.repeat(20_000)).status()).isEqualTo(400);
  }

  @Test
  void countersThatCannotBeReachedAreNoFaultOfTheRequest() throws IOException {
    List<SlowStore> stores = new ArrayList<>();
    TestService away =
        TestService.on(
            counters -> {
              stores.add(new SlowStore(counters));
              return stores.get(0);
            },
            RULES);
    stores.get(0).isAway = true;
    away.decider.use(TestService.options(false, WhenOver.COUNT_ALL, FailureMode.CLOSED));
    EnvoyJson.Reply reply =
        new EnvoyJson(away.decider).answer(REQUEST).toCompletableFuture().join();

    assertThat(reply.status()).isEqualTo(500);
    assertThat(read(reply.body()).get("message").asText())
        .isEqualTo("counters could not be reached");
  }

  @Test
  void noTextBreaksIt() {
    Random random = new Random(11);
    int good = 0;
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder(REQUEST);
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.setCharAt(at, "{}[]:,\"\\0e-\u0000\uD800ä".charAt(random.nextInt(14)));
          default -> text.insert(at, text.substring(at, Math.min(text.length(), at + 9)));
        }
      }
      int status = answer(text.toString()).status();
      assertThat(status).as("%s", text).isIn(200, 400, 429);
      good += status == 400 ? 0 : 1;
    }
    assertThat(good).isBetween(1, 4_999);
  }
}
