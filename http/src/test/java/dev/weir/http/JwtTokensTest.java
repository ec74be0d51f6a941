package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.Payload;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.http.Tokens.Holder;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.config.ClientSettings;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JwtTokensTest {
  private static final Client SENDER = Client.at(Address.parse("192.0.2.9"), 64);
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final long NOW_SECONDS = NOW.getEpochSecond();

  private final ManualTime time = TimeSource.manual(NOW);
  private final JwtTokens tokens = new JwtTokens(Fixtures.settings(Fixtures.SECRET, ""), time);

  private @Nullable Holder verify(Map<String, Object> claims) {
    return tokens.verify(TokenMaker.hs256(claims), SENDER);
  }

  @Test
  void aSignedTokenSpeaksForItsHolder() {
    assertThat(verify(Map.of("user_id", "alice"))).isEqualTo(new Holder("alice", null));
    assertThat(verify(Map.of("user_id", "alice", "tier", "gold")))
        .isEqualTo(new Holder("alice", "gold"));
  }

  @Test
  void claimsHaveTheNamesThatAreSet() {
    JwtTokens own =
        new JwtTokens(
            new ClientSettings(Fixtures.trusted(), 1, 64, "X", "sub", "plan", Fixtures.SECRET, ""),
            time);
    String token = TokenMaker.hs256(Map.of("sub", "alice", "plan", "gold", "user_id", "eve"));
    assertThat(own.verify(token, SENDER)).isEqualTo(new Holder("alice", "gold"));
  }

  @Test
  void usersAreTextsOrWholeNumbers() {
    assertThat(verify(Map.of("user_id", 42))).isEqualTo(new Holder("42", null));
    assertThat(verify(Map.of("user_id", Long.MAX_VALUE)))
        .isEqualTo(new Holder("9223372036854775807", null));
    assertThat(verify(Map.of("user_id", "u".repeat(255)))).isNotNull();
    assertThat(verify(Map.of("user_id", "u".repeat(256)))).isNull();
    assertThat(verify(Map.of("user_id", ""))).isNull();
    assertThat(verify(Map.of("user_id", 1.5))).isNull();
    assertThat(verify(Map.of("user_id", new BigInteger("12345678901234567890"))))
        .as("would have lost its last digits")
        .isNull();
    assertThat(verify(Map.of("user_id", true))).isNull();
    assertThat(verify(Map.of("user_id", List.of("alice")))).isNull();
    assertThat(verify(Map.of("sub", "alice"))).isNull();
  }

  @Test
  void aTierThatIsNoneIsLeftOut() {
    for (Object tier : new Object[] {"", "t".repeat(256), true, 1.5}) {
      assertThat(verify(Map.of("user_id", "alice", "tier", tier)))
          .isEqualTo(new Holder("alice", null));
    }
  }

  @ParameterizedTest(name = "{0} = now + {1} s: {2}")
  @CsvSource({
    "exp, 1, true",
    "exp, 0, true",
    "exp, -59, true",
    "exp, -60, false",
    "exp, -3600, false",
    "nbf, -1, true",
    "nbf, 60, true",
    "nbf, 61, false"
  })
  void timesAreHeldWithALeewayOfAMinute(String claim, long seconds, boolean isGood) {
    Holder holder = verify(Map.of("user_id", "alice", claim, NOW_SECONDS + seconds));
    assertThat(holder != null).isEqualTo(isGood);
  }

  @Test
  void absurdTimesNeitherFailNorOverflow() {
    assertThat(verify(Map.of("user_id", "alice", "exp", Long.MAX_VALUE))).isNotNull();
    assertThat(verify(Map.of("user_id", "alice", "exp", 1e300))).isNotNull();
    assertThat(verify(Map.of("user_id", "alice", "exp", Long.MIN_VALUE))).isNull();
    assertThat(verify(Map.of("user_id", "alice", "nbf", Long.MAX_VALUE))).isNull();
    assertThat(verify(Map.of("user_id", "alice", "exp", "tomorrow"))).isNull();
    assertThat(verify(Map.of("user_id", "alice", "nbf", List.of()))).isNull();
  }

  @Test
  void aRememberedTokenEndsWhenItWouldHave() {
    String token = TokenMaker.hs256(Map.of("user_id", "alice", "exp", NOW_SECONDS + 10));
    assertThat(tokens.verify(token, SENDER)).isNotNull();
    time.set(NOW.plusSeconds(70).minusNanos(1_000));
    assertThat(tokens.verify(token, SENDER)).isNotNull();
    assertThat(tokens.checks()).isEqualTo(1);
    time.set(NOW.plusSeconds(70));
    assertThat(tokens.verify(token, SENDER)).isNull();
  }

  @Test
  void aTokenThatCameTooEarlyIsGoodAsSoonAsItIs() {
    String token = TokenMaker.hs256(Map.of("user_id", "alice", "nbf", NOW_SECONDS + 65));
    assertThat(tokens.verify(token, SENDER)).isNull();
    time.set(NOW.plusSeconds(5).minusNanos(1_000));
    assertThat(tokens.verify(token, SENDER)).isNull();
    time.set(NOW.plusSeconds(5));
    assertThat(tokens.verify(token, SENDER)).isNotNull();
  }

  @ParameterizedTest(name = "{1} with a secret of {0} bytes: {2}")
  @CsvSource({
    "32, HS256, true",
    "32, HS384, false",
    "32, HS512, false",
    "48, HS256, true",
    "48, HS384, true",
    "63, HS512, false",
    "64, HS384, true",
    "64, HS512, true"
  })
  void aSecretIsForTheAlgorithmsThatItIsLongEnoughFor(int length, String name, boolean isGood) {
    String secret = "x".repeat(length);
    String token =
        isGood
            ? TokenMaker.signed(
                new JWSHeader(JWSAlgorithm.parse(name)),
                new Payload(Map.of("user_id", "alice")),
                TokenMaker.secretSigner(secret.getBytes(StandardCharsets.UTF_8)))
            : HmacToken.sign(name, secret, "{\"user_id\":\"alice\"}");
    JwtTokens own = new JwtTokens(Fixtures.settings(secret, ""), time);
    assertThat(own.verify(token, SENDER) != null).isEqualTo(isGood);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 31})
  void aSecretThatIsTooShortIsRefusedAtOnce(int length) {
    String secret = "s".repeat(length);
    assertThatThrownBy(() -> new JwtTokens(Fixtures.settings(secret, "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "jwt_secret must be at least 32 bytes long for HS256, 48 for HS384 and 64 for HS512,"
                + " got "
                + length);
  }

  @Test
  void withoutAnyKeyNoTokenIsGood() {
    JwtTokens none = new JwtTokens(Fixtures.settings());
    assertThat(none.verify(TokenMaker.hs256(Map.of("user_id", "alice")), SENDER)).isNull();
    assertThat(Tokens.none().verify(TokenMaker.hs256(Map.of("user_id", "a")), SENDER)).isNull();
    assertThat(none.verifiesAny()).isFalse();
    assertThat(Tokens.none().verifiesAny()).isFalse();
    assertThat(new JwtTokens(Fixtures.settings(Fixtures.SECRET, "")).verifiesAny()).isTrue();
  }

  @Test
  void holdersAreChecked() {
    assertThatThrownBy(() -> new Holder("", null))
        .hasMessage("user must be 1 to 255 characters long, got 0");
    assertThatThrownBy(() -> new Holder("alice", "t".repeat(256)))
        .hasMessage("tier must be 1 to 255 characters long, got 256");
  }
}
