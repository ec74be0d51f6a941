package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.Operation;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.ApiKeys;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ClientSettings;
import dev.weir.policy.config.EventSettings;
import dev.weir.policy.config.EventType;
import dev.weir.policy.event.EventLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {
  private static final Client SENDER = Client.at(Address.parse("192.0.2.9"), 64);

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));

  @Test
  @DisplayName("T20: no text form tells a secret, a token or a key")
  void noTextFormTellsASecret() {
    String url = "http://user:hunter2@127.0.0.1:1/jwks.json?key=hunter2";
    ClientSettings settings = Fixtures.settings(Fixtures.SECRET, url);
    String token = TokenMaker.hs256(Map.of("user_id", "alice"));
    try (LogCapture log = LogCapture.start();
        JwtTokens tokens = new JwtTokens(settings, time)) {
      assertThat(tokens.verify(token, SENDER)).isNotNull();
      String text =
          String.join(
              "\n",
              tokens.toString(),
              settings.toString(),
              TokenKey.ofSecret(Fixtures.SECRET).toString(),
              TokenPrint.of(token).toString(),
              Fixtures.get("192.0.2.9", "Authorization", "Bearer " + token).toString(),
              new ApiKeys.ApiKey("k1", "alice", null, List.of()).toString());
      assertThat(text + log.lines())
          .doesNotContain(Fixtures.SECRET)
          .doesNotContain(token)
          .doesNotContain(token.substring(token.lastIndexOf('.') + 1))
          .doesNotContain("hunter2");
      assertThat(tokens).hasToString("JwtTokens[1 keys from http://127.0.0.1:1/jwks.json]");
    }
  }

  @Test
  @DisplayName("T20: nothing is logged of tokens and keys, good or bad")
  void nothingIsLoggedOfTokensAndKeys() {
    try (LogCapture log = LogCapture.start();
        JwtTokens tokens = new JwtTokens(Fixtures.settings(Fixtures.SECRET, ""), time)) {
      RequestFacts facts = new RequestFacts(Fixtures.settings(), tokens, ApiKeys.none());
      String good = TokenMaker.hs256(Map.of("user_id", "alice"));
      for (String token : List.of(good, good + "x", "junk", "a.b.c")) {
        facts.of(
            Fixtures.get("192.0.2.9", "Authorization", "Bearer " + token, "X-API-Key", "s3cret"));
      }
      time.advance(Duration.ofHours(1));
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  @DisplayName("T20: no event, answer, verdict or counter holds a key or a token")
  void nothingThatLeavesHoldsAKeyOrAToken(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("events.jsonl");
    EventSettings all = new EventSettings(EnumSet.allOf(EventType.class), 1, file.toString());
    String token = TokenMaker.hs256(Map.of("user_id", "alice"));
    StringBuilder text = new StringBuilder();
    MemoryCounterStore counters = new MemoryCounterStore(time, 100);
    CounterStore store =
        new CounterStore() {
          @Override
          public CompletionStage<Decision> apply(Operation operation) {
            text.append(operation).append('\n');
            return counters.apply(operation);
          }

          @Override
          public void close() {}
        };
    Policy policy = Policy.compile(Fixtures.definition(Limit.parse("1/60s")));
    ApiKeys keys =
        secret -> secret.equals("s3cret") ? new ApiKeys.ApiKey("k1", null, null, List.of()) : null;
    try (EventLog events = new EventLog(all, time, "node-1", "eu");
        JwtTokens tokens = new JwtTokens(Fixtures.settings(Fixtures.SECRET, ""), time)) {
      RequestFacts facts = new RequestFacts(Fixtures.settings(), tokens, keys);
      Gate gate = new Gate(policy, store, new ClientList(time), List.of(events));
      for (String[] fields :
          new String[][] {
            {"X-API-Key", "s3cret"},
            {"X-API-Key", "s3cret-but-wrong"},
            {"Authorization", "Bearer " + token},
            {"Authorization", "Bearer " + token + "x"},
          }) {
        for (int i = 0; i < 3; i++) {
          Verdict verdict = gate.check(facts.of(Fixtures.get("192.0.2.9", fields)));
          text.append(verdict).append(verdict.request()).append(verdict.request().client());
          text.append(Answer.to(verdict, Fixtures.responses()));
          text.append(CheckAnswer.json(verdict, Fixtures.responses()));
        }
      }
    }
    text.append(Files.readString(file));

    assertThat(text)
        .contains("key:k1", "user:alice", "\"event_type\": \"throttled\"")
        .doesNotContain("s3cret")
        .doesNotContain(token.substring(token.lastIndexOf('.') + 1));
  }

  @Test
  @DisplayName("T20: no exception tells a key or a token")
  void noExceptionTellsAKeyOrAToken() {
    RequestFacts facts = new RequestFacts(Fixtures.settings(), Tokens.none(), ApiKeys.none());
    HttpRequest malformed =
        new HttpRequest(
            "GET",
            "/a%2fb?api_key=s3cret",
            "192.0.2.9",
            Fixtures.headers("X-API-Key", "s3cret", "Authorization", "Bearer s3cret"));

    assertThatThrownBy(() -> facts.of(malformed)).hasMessageNotContaining("s3cret");
    assertThatThrownBy(() -> TokenKey.ofSecret("s3cret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("s3cret");
  }
}
