package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.config.ClientSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
}
