package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.Penalty;
import dev.weir.TimeSource;
import dev.weir.policy.Action;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Conditions;
import dev.weir.policy.FailureMode;
import dev.weir.policy.Gate;
import dev.weir.policy.ListedClient;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Refusal;
import dev.weir.policy.Request;
import dev.weir.policy.Rule;
import dev.weir.policy.Scope;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ResponseSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AnswerTest {
  private static final ObjectMapper PARSER = new ObjectMapper();
  private static final Request REQUEST =
      Request.of("GET", "/", Client.at(Address.parse("192.0.2.9"), 64));
  private static final String QUOTA =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-29T12:00:00Z"));

  private static JsonNode body(Verdict verdict, ResponseSettings settings) {
    try {
      return PARSER.readTree(Answer.to(verdict, settings).body());
    } catch (JsonProcessingException malformed) {
      throw new AssertionError(malformed);
    }
  }

  private Gate gate(String limit) {
    return Fixtures.gate(time, Fixtures.definition(Limit.parse(limit)));
  }

  private static Verdict secondOf(Gate gate) {
    gate.check(REQUEST);
    return gate.check(REQUEST);
  }

  private static Rule rule(Action action, List<Limit> limits, Refusal refusal) {
    return new Rule(
        "r",
        1,
        Conditions.none(),
        limits,
        Scope.CLIENT,
        action,
        true,
        Mode.ENFORCE,
        null,
        refusal,
        true);
  }

  private static PolicyDefinition with(
      PolicyDefinition plain, @Nullable Penalty penalty, FailureMode failureMode) {
    return new PolicyDefinition(
        true,
        null,
        plain.defaultLimit(),
        List.of(),
        List.of(),
        plain.rules(),
        penalty,
        plain.exempt(),
        Action.ALLOW,
        failureMode,
        1);
  }

  private static final class UnreachableStore implements CounterStore {
    @Override
    public CompletionStage<Decision> apply(Operation operation) {
      return CompletableFuture.failedStage(new IllegalStateException("out of reach"));
    }

    @Override
    public void close() {}
  }

  @Test
  void aRequestThatPassesCarriesFieldsAndNoBody() {
    Answer answer = Answer.to(gate("10/60s").check(REQUEST), Fixtures.responses());
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.contentType()).isEmpty();
    assertThat(answer.fields())
        .containsExactly(
            Map.entry("X-RateLimit-Limit", "10"),
            Map.entry("X-RateLimit-Remaining", "9"),
            Map.entry("X-RateLimit-Reset", "1774785606"),
            Map.entry("RateLimit-Policy", "\"default\";q=10;w=60"),
            Map.entry("RateLimit", "\"default\";r=9;t=6"));
  }

  @Test
  void aRefusalAsPlainJson() {
    Answer answer = Answer.to(secondOf(gate("1/60s")), Fixtures.responses());
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(answer.body())
        .isEqualTo(
            "{\"error\": \"Too Many Requests\", \"message\": \"rate limit exceeded, retry in 60 s\","
                + " \"retryAfter\": 60}");
    assertThat(answer.fields()).containsEntry("Retry-After", "60");
  }

  @Test
  void aRefusalAsProblemNamesTheViolatedPolicies() {
    Rule rule =
        Rule.throttle(
            "api",
            Conditions.none(),
            List.of(Limit.parse("1/60s"), Limit.parse("5/h"), Limit.parse("1/10m")));
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.perSecond(1), rule));
    Verdict refused = secondOf(gate);
    assertThat(Answer.to(refused, Fixtures.problems()).contentType())
        .isEqualTo("application/problem+json");
    JsonNode body = body(refused, Fixtures.problems());
    assertThat(body.get("type").textValue()).isEqualTo(QUOTA);
    assertThat(body.get("title").textValue())
        .isEqualTo("Request cannot be satisfied as assigned quota has been exceeded");
    assertThat(body.get("status").intValue()).isEqualTo(429);
    assertThat(body.get("detail").textValue()).isEqualTo("rate limit exceeded, retry in 600 s");
    assertThat(body.get("violated-policies")).hasToString("[\"api\",\"api#3\"]");
  }

  @Test
  void aCostThatNeverFitsIsNotToBeRetried() {
    Verdict verdict = gate("5/60s").check(REQUEST.withCost(6));
    Answer answer = Answer.to(verdict, Fixtures.responses());
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.fields()).doesNotContainKey("Retry-After");
    assertThat(body(verdict, Fixtures.responses()).has("retryAfter")).isFalse();
    JsonNode problem = body(verdict, Fixtures.problems());
    assertThat(problem.get("type").textValue()).isEqualTo(QUOTA);
    assertThat(problem.get("violated-policies")).hasToString("[\"default\"]");
  }

  @Test
  void aPenaltyIsAbnormalUsage() {
    PolicyDefinition definition =
        with(
            Fixtures.definition(Limit.parse("1/60s")),
            new Penalty(Duration.ofHours(1), 1, List.of(2)),
            FailureMode.OPEN);
    Gate gate = Fixtures.gate(time, definition);
    secondOf(gate);
    Verdict penalised = gate.check(REQUEST);
    JsonNode problem = body(penalised, Fixtures.problems());
    assertThat(problem.get("type").textValue())
        .isEqualTo("https://iana.org/assignments/http-problem-types#abnormal-usage-detected");
    assertThat(problem.get("violated-policies")).hasToString("[\"default\"]");
    Answer answer = Answer.to(penalised, Fixtures.responses());
    assertThat(answer.fields()).containsEntry("Retry-After", "120");
    assertThat(body(penalised, Fixtures.responses()).get("retryAfter").intValue()).isEqualTo(120);
  }

  @Test
  void aBlockedClientGetsNothingButItsStatus() {
    Gate gate = gate("10/60s");
    gate.blocks().put(new ListedClient("ip:192.0.2.0/24", "abuse", null));
    Verdict blocked = gate.check(REQUEST);
    Answer answer = Answer.to(blocked, Fixtures.problems());
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.fields()).isEmpty();
    assertThat(answer.body())
        .isEqualTo(
            "{\"type\": \"about:blank\", \"title\": \"Forbidden\", \"status\": 403,"
                + " \"detail\": \"blocked\"}");
    assertThat(Answer.to(blocked, Fixtures.responses()).body())
        .isEqualTo("{\"error\": \"Forbidden\", \"message\": \"blocked\"}");
  }

  @Test
  void aRuleHasItsOwnStatusMessageAndWait() {
    Refusal refusal = new Refusal(503, "slow\r\n\"down\"", Duration.ofSeconds(30));
    Gate gate =
        Fixtures.gate(
            time,
            Fixtures.definition(
                Limit.perSecond(9), rule(Action.THROTTLE, List.of(Limit.parse("1/10s")), refusal)));
    Verdict refused = secondOf(gate);
    Answer answer = Answer.to(refused, Fixtures.responses());
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.fields()).containsEntry("Retry-After", "30");
    assertThat(answer.fields().get("RateLimit")).isEqualTo("\"r\";r=0;t=10");
    JsonNode body = body(refused, Fixtures.responses());
    assertThat(body.get("error").textValue()).isEqualTo("Service Unavailable");
    assertThat(body.get("message").textValue()).isEqualTo("slow\r\n\"down\"");
  }

  @Test
  void aRuleThatBlocksAnswersWithItsStatus() {
    Gate gate =
        Fixtures.gate(
            time,
            Fixtures.definition(
                Limit.perSecond(9), rule(Action.BLOCK, List.of(), new Refusal(451, null, null))));
    JsonNode body = body(gate.check(REQUEST), Fixtures.problems());
    assertThat(body.get("type").textValue()).isEqualTo("about:blank");
    assertThat(body.get("title").textValue()).isEqualTo("Unavailable For Legal Reasons");
    assertThat(body.has("violated-policies")).isFalse();
  }

  @Test
  void countersOutOfReachAnswerWith503() {
    Gate gate =
        new Gate(
            Policy.compile(with(Fixtures.definition(Limit.perSecond(1)), null, FailureMode.CLOSED)),
            new UnreachableStore());
    Verdict verdict = gate.check(REQUEST);
    Answer answer = Answer.to(verdict, Fixtures.problems());
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.fields()).containsOnly(Map.entry("Retry-After", "1"));
    assertThat(body(verdict, Fixtures.problems()).get("type").textValue()).isEqualTo("about:blank");
  }

  @Test
  void onlyTheWantedFieldsAreSent() {
    Verdict refused = secondOf(gate("1/60s"));
    ResponseSettings none = new ResponseSettings(Set.of(), "X-", ResponseSettings.Body.JSON);
    assertThat(Answer.to(refused, none).fields()).containsOnlyKeys("Retry-After");
    ResponseSettings own =
        new ResponseSettings(
            Set.of(ResponseSettings.HeaderFamily.X_RATELIMIT), "Acme-", ResponseSettings.Body.JSON);
    assertThat(Answer.to(refused, own).fields())
        .containsOnlyKeys("Acme-Limit", "Acme-Remaining", "Acme-Reset", "Retry-After");
    ResponseSettings ietf =
        new ResponseSettings(
            Set.of(ResponseSettings.HeaderFamily.IETF), "X-", ResponseSettings.Body.JSON);
    assertThat(Answer.to(refused, ietf).fields())
        .containsOnlyKeys("RateLimit-Policy", "RateLimit", "Retry-After");
  }

  @Test
  void aMalformedRequestIsAnsweredWith400() {
    MalformedRequestException mistake = new MalformedRequestException("path", "must be one");
    Answer plain = Answer.to(mistake, Fixtures.responses());
    assertThat(plain.status()).isEqualTo(400);
    assertThat(plain.contentType()).isEqualTo("application/json");
    assertThat(plain.body())
        .isEqualTo(
            "{\"error\": \"Bad Request\", \"message\": \"path must be one\", \"field\": \"path\"}");
    assertThat(Answer.to(mistake, Fixtures.problems()).body())
        .isEqualTo(
            "{\"type\": \"about:blank\", \"title\": \"Bad Request\", \"status\": 400,"
                + " \"detail\": \"path must be one\", \"field\": \"path\"}");
  }

  @Test
  @DisplayName("T70: no field holds a control character, whoever asks")
  void noFieldHoldsAControlCharacter() {
    Request nasty =
        Request.of(
            "GET", "/", REQUEST.client().withUser("a\r\nSet-Cookie: x=1").withTier("\u001b"));
    Gate gate = gate("1/60s");
    gate.check(nasty);
    for (String value : Answer.to(gate.check(nasty), Fixtures.responses()).fields().values()) {
      assertThat(value.chars()).allMatch(c -> c >= ' ' && c <= '~');
      assertThat(value).doesNotContain("Set-Cookie");
    }
  }

  @Test
  void everyStatusHasAPhrase() {
    assertThat(StatusPhrase.of(429)).isEqualTo("Too Many Requests");
    assertThat(StatusPhrase.of(499)).isEqualTo("Bad Request");
    assertThat(StatusPhrase.of(599)).isEqualTo("Internal Server Error");
  }
}
