package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TokenFloodTest {
  private static final Client SENDER = Client.at(Address.parse("192.0.2.9"), 64);

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final JwtTokens tokens = new JwtTokens(Fixtures.settings(Fixtures.SECRET, ""), time);

  private static String junk(int number) {
    return HmacToken.sign("HS256", "a wrong secret of some length " + number, "{}");
  }

  @Test
  @DisplayName("T15: junk of one sender is checked 50 times, and then 10 times a second")
  void junkOfOneSenderIsCheckedAFewTimesOnly() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(tokens.verify(junk(i), SENDER)).isNull();
    }
    assertThat(tokens.checks()).isEqualTo(50);
    time.advance(Duration.ofSeconds(1));
    for (int i = 10_000; i < 11_000; i++) {
      assertThat(tokens.verify(junk(i), SENDER)).isNull();
    }
    assertThat(tokens.checks()).isEqualTo(60);
  }

  @Test
  @DisplayName("T15: a sender of junk is known by its IPv6 prefix")
  void aSenderOfJunkIsKnownByItsPrefix() {
    for (int i = 0; i < 1_000; i++) {
      String address = "2001:db8::" + Integer.toHexString(i);
      tokens.verify(junk(i), Client.at(Address.parse(address), 64));
    }
    assertThat(tokens.checks()).isEqualTo(50);
  }

  @Test
  @DisplayName("T15: beyond that even a good new token is unverified, and a known one is not")
  void beyondThatOnlyKnownTokensAreGood() {
    String known = TokenMaker.hs256(Map.of("user_id", "alice"));
    String fresh = TokenMaker.hs256(Map.of("user_id", "bob"));
    assertThat(tokens.verify(known, SENDER)).isNotNull();
    for (int i = 0; i < 100; i++) {
      tokens.verify(junk(i), SENDER);
    }
    assertThat(tokens.verify(known, SENDER)).isNotNull();
    assertThat(tokens.verify(fresh, SENDER)).isNull();
    assertThat(tokens.verify(fresh, Client.at(Address.parse("192.0.2.10"), 64)))
        .as("others are not concerned")
        .isNotNull();
    time.advance(Duration.ofMillis(100));
    assertThat(tokens.verify(TokenMaker.hs256(Map.of("user_id", "carol")), SENDER)).isNotNull();
  }

  @Test
  @DisplayName("T15: good tokens cost nothing of that, however many")
  void goodTokensCostNothingOfThat() {
    for (int i = 0; i < 200; i++) {
      assertThat(tokens.verify(TokenMaker.hs256(Map.of("user_id", "u" + i)), SENDER)).isNotNull();
    }
    assertThat(tokens.checks()).isEqualTo(200);
  }

  @Test
  @DisplayName("T15: results are remembered, bad ones too")
  void resultsAreRemembered() {
    String good = TokenMaker.hs256(Map.of("user_id", "alice"));
    for (int i = 0; i < 1_000; i++) {
      assertThat(tokens.verify(good, SENDER)).isNotNull();
      assertThat(tokens.verify(junk(0), SENDER)).isNull();
    }
    assertThat(tokens.checks()).isEqualTo(2);
  }

  @Test
  @DisplayName("T15: tokens beyond 8 KiB are not even looked at")
  void longTokensAreNotLookedAt() {
    assertThat(tokens.verify("a".repeat(8_193), SENDER)).isNull();
    assertThat(tokens.checks()).isZero();
  }

  @Test
  void theCacheIsBounded() {
    TokenCache<Finding.Verified> cache = new TokenCache<>(100);
    Finding.Verified finding =
        new Finding.Verified(new Tokens.Holder("alice", null), Long.MAX_VALUE);
    TokenPrint used = TokenPrint.of("used");
    cache.put(used, finding);
    for (int i = 0; i < 10_000; i++) {
      cache.put(TokenPrint.of("t" + i), finding);
      assertThat(cache.size()).isLessThanOrEqualTo(100);
      assertThat(cache.find(used, 0)).as("what is used stays").isNotNull();
    }
    assertThat(cache.find(TokenPrint.of("t0"), 0)).isNull();
    assertThat(cache.find(TokenPrint.of("t9999"), 0)).isNotNull();
    assertThat(cache.find(TokenPrint.of("t9999"), Long.MAX_VALUE)).as("it has ended").isNull();
  }
}
