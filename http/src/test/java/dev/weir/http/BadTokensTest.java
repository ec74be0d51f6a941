package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.Payload;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens that must not be believed, against a verifier that has a secret and public keys. */
class BadTokensTest {
  private static final Client OTHER_SENDER = Client.at(Address.parse("192.0.2.10"), 64);
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Map<String, Object> ALICE = Map.of("user_id", "alice");
  private static final String PAYLOAD = "{\"user_id\":\"alice\"}";
  private static final ManualTime TIME = TimeSource.manual(NOW);
  private static final JwksServer STRANGER =
      JwksServer.saying(KeyMaker.published(KeyMaker.OTHER_RSA));

  private static final JwksServer KEYS =
      JwksServer.saying(KeyMaker.published(KeyMaker.RSA, KeyMaker.P256));
  private static final JwtTokens TOKENS =
      new JwtTokens(Fixtures.settings(Fixtures.SECRET, KEYS.url()), TIME);

  @AfterAll
  static void stop() {
    TOKENS.close();
    KEYS.close();
    STRANGER.close();
  }

  private static String rs256(JWSHeader.Builder header, Map<String, Object> claims) {
    return TokenMaker.signed(header.build(), new Payload(claims), KeyMaker.signer(KeyMaker.RSA));
  }

  private static JWSHeader.Builder header() {
    return new JWSHeader.Builder(JWSAlgorithm.RS256);
  }

  static Stream<Arguments> bad() throws JOSEException {
    String good = KeyMaker.token(JWSAlgorithm.RS256, KeyMaker.RSA, ALICE);
    String[] parts = good.split("\\.", -1);
    String strangersKeys = STRANGER.url();
    byte[] publicKey = KeyMaker.RSA.toRSAPublicKey().getEncoded();
    String publicPem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(publicKey)
            + "\n-----END PUBLIC KEY-----\n";
    Map<String, String> bad = new LinkedHashMap<>();
    bad.put("alg none", TokenMaker.raw("{\"alg\":\"none\"}", PAYLOAD, ""));
    bad.put("alg None", TokenMaker.raw("{\"alg\":\"None\"}", PAYLOAD, ""));
    bad.put("alg NONE with a signature", TokenMaker.raw("{\"alg\":\"NONE\"}", PAYLOAD, "x"));
    bad.put(
        "alg none without the last dot",
        TokenMaker.encoded("{\"alg\":\"none\"}") + "." + TokenMaker.encoded(PAYLOAD));
    bad.put("no alg", TokenMaker.raw("{}", PAYLOAD, "x"));
    bad.put("alg of another kind", TokenMaker.raw("{\"alg\":7}", PAYLOAD, "x"));
    bad.put(
        "HS256 with the RSA key as secret",
        HmacToken.sign("HS256", "{\"alg\":\"HS256\",\"kid\":\"rsa-1\"}", publicKey, PAYLOAD));
    bad.put(
        "HS256 with the RSA key's PEM as secret",
        HmacToken.sign(
            "HS256",
            "{\"alg\":\"HS256\",\"kid\":\"rsa-1\"}",
            publicPem.getBytes(StandardCharsets.US_ASCII),
            PAYLOAD));
    bad.put("HS256 with another secret", HmacToken.sign("HS256", "guess".repeat(9), PAYLOAD));
    bad.put("HS256 with an empty signature", TokenMaker.raw("{\"alg\":\"HS256\"}", PAYLOAD, ""));
    bad.put(
        "RS256 by another key",
        TokenMaker.signed(
            header().keyID("rsa-1").build(),
            new Payload(ALICE),
            KeyMaker.signer(KeyMaker.OTHER_RSA)));
    bad.put(
        "a key inside the token",
        TokenMaker.signed(
            header().jwk(KeyMaker.OTHER_RSA.toPublicJWK()).build(),
            new Payload(ALICE),
            KeyMaker.signer(KeyMaker.OTHER_RSA)));
    bad.put(
        "a jku inside the token",
        TokenMaker.signed(
            header().keyID("rsa-2").jwkURL(URI.create(strangersKeys)).build(),
            new Payload(ALICE),
            KeyMaker.signer(KeyMaker.OTHER_RSA)));
    bad.put(
        "an x5u inside the token",
        TokenMaker.signed(
            header().keyID("rsa-2").x509CertURL(URI.create(strangersKeys)).build(),
            new Payload(ALICE),
            KeyMaker.signer(KeyMaker.OTHER_RSA)));
    bad.put("a kid that is a path", rs256(header().keyID("../../../../dev/null"), ALICE));
    bad.put("a kid that is SQL", rs256(header().keyID("x' UNION SELECT 'secret"), ALICE));
    bad.put(
        "a kid that is a path, with an empty secret",
        HmacToken.sign("HS256", "{\"alg\":\"HS256\",\"kid\":\"/dev/null\"}", new byte[1], PAYLOAD));
    bad.put("another payload", parts[0] + "." + TokenMaker.encoded(PAYLOAD + " ") + "." + parts[2]);
    bad.put("ES256 of zeros", TokenMaker.raw("{\"alg\":\"ES256\"}", PAYLOAD, "\0".repeat(64)));
    bad.put("ES384 for a P-256 key", TokenMaker.raw("{\"alg\":\"ES384\"}", PAYLOAD, "x"));
    bad.put(
        "expired", rs256(header(), Map.of("user_id", "alice", "exp", NOW.getEpochSecond() - 60)));
    bad.put(
        "not yet good",
        rs256(header(), Map.of("user_id", "alice", "nbf", NOW.getEpochSecond() + 61)));
    bad.put("no user", rs256(header(), Map.of("sub", "alice")));
    bad.put(
        "an extension that must be understood",
        rs256(header().criticalParams(Set.of("exp2")).customParam("exp2", 1), ALICE));
    bad.put(
        "a payload that is no object",
        TokenMaker.signed(
            header().build(), new Payload("[\"alice\"]"), KeyMaker.signer(KeyMaker.RSA)));
    bad.put(
        "a user twice",
        HmacToken.sign("HS256", Fixtures.SECRET, "{\"user_id\":\"alice\",\"user_id\":\"root\"}"));
    bad.put(
        "an alg twice",
        HmacToken.sign(
            "HS256",
            "{\"alg\":\"none\",\"alg\":\"HS256\"}",
            Fixtures.SECRET.getBytes(StandardCharsets.UTF_8),
            PAYLOAD));
    bad.put(
        "longer than 8 KiB",
        HmacToken.sign(
            "HS256",
            Fixtures.SECRET,
            "{\"user_id\":\"alice\",\"x\":\"" + "y".repeat(8_192) + "\"}"));
    bad.put("a deep header", TokenMaker.raw("{\"alg\":" + "[".repeat(3_000), PAYLOAD, "x"));
    bad.put(
        "a deep payload",
        HmacToken.sign(
            "HS256",
            Fixtures.SECRET,
            "{\"user_id\":\"alice\",\"x\":" + "[".repeat(2_000) + "]".repeat(2_000) + "}"));
    bad.put("five parts", good + ".x.y");
    bad.put("empty parts", "..");
    bad.put("no base64", "!!!.???.###");
    bad.put("no token", "hello");
    bad.put("a NUL", "\0");
    bad.put("beyond ASCII", "ａ.ｂ.ｃ");
    bad.put("an emoji", "\ud83d\ude00");
    bad.put("half an emoji", "\ud83d");
    bad.put("nothing", "");
    return bad.entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
  }

  @ParameterizedTest(name = "T13: {0}: unverified")
  @MethodSource("bad")
  void isNotBelieved(String what, String token) {
    // From a sender of its own: who sends too many bad ones is not even listened to.
    Client sender = Client.at(new Address(0, what.hashCode() & 0xffff_ffffL, true), 64);
    assertThat(TOKENS.verify(token, sender)).as(what).isNull();
    assertThat(STRANGER.requests()).as("nobody asks where the token says").isZero();
  }

  @Test
  @DisplayName("T13: the good ones beside them are believed")
  void theGoodOnesAreBelieved() {
    Tokens.Holder alice = new Tokens.Holder("alice", null);
    assertThat(TOKENS.verify(rs256(header(), ALICE), OTHER_SENDER)).isEqualTo(alice);
    assertThat(TOKENS.verify(rs256(header().keyID("rsa-1"), ALICE), OTHER_SENDER)).isEqualTo(alice);
    assertThat(
            TOKENS.verify(KeyMaker.token(JWSAlgorithm.ES256, KeyMaker.P256, ALICE), OTHER_SENDER))
        .isEqualTo(alice);
    assertThat(TOKENS.verify(HmacToken.sign("HS256", Fixtures.SECRET, PAYLOAD), OTHER_SENDER))
        .isEqualTo(alice);
  }

  @Test
  @DisplayName("T13: random changes of a good token never pass and never fail")
  void randomChangesNeverPass() {
    Random random = new Random(20_260_301);
    String good = HmacToken.sign("HS256", Fixtures.SECRET, PAYLOAD);
    for (int i = 0; i < 3_000; i++) {
      StringBuilder changed = new StringBuilder(good);
      // Not the last character, whose lowest bits may say nothing.
      int at = random.nextInt(good.length() - 1);
      changed.setCharAt(at, (char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt()));
      if (!good.contentEquals(changed)) {
        Client sender = Client.at(new Address(0, i, true), 64);
        assertThat(TOKENS.verify(changed.toString(), sender)).as("%s", changed).isNull();
      }
    }
  }
}
