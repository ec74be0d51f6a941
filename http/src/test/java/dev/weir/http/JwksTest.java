package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JwksTest {
  private static final Client SENDER = Client.at(Address.parse("192.0.2.9"), 64);
  private static final Map<String, Object> ALICE = Map.of("user_id", "alice");

  private final Path folder;

  JwksTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static int usable(String text) {
    return Jwks.parse(text.getBytes(StandardCharsets.UTF_8)).size();
  }

  private JwtTokens tokens(String jwks) throws IOException {
    Path file = Files.writeString(folder.resolve("jwks.json"), jwks);
    return new JwtTokens(Fixtures.settings("", file.toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
  void anRsaKeyIsForItsAlgorithms(String name) throws IOException {
    try (JwtTokens tokens = tokens(KeyMaker.published(KeyMaker.RSA))) {
      String token = KeyMaker.token(JWSAlgorithm.parse(name), KeyMaker.RSA, ALICE);
      assertThat(tokens.verify(token, SENDER)).isNotNull();
    }
  }

  @ParameterizedTest
  @CsvSource({"P-256, ES256", "P-384, ES384", "P-521, ES512"})
  void anEllipticKeyIsForTheAlgorithmOfItsCurve(String curve, String name) throws IOException {
    ECKey key = KeyMaker.ec(Curve.parse(curve), "ec");
    try (JwtTokens tokens = tokens(KeyMaker.published(key, KeyMaker.RSA))) {
      String token = KeyMaker.token(JWSAlgorithm.parse(name), key, ALICE);
      assertThat(tokens.verify(token, SENDER)).isNotNull();
    }
  }

  @Test
  void aKeyMaySayWhichAlgorithmItIsFor() throws IOException {
    RSAKey key = new RSAKey.Builder(KeyMaker.RSA).algorithm(JWSAlgorithm.PS256).build();
    try (JwtTokens tokens = tokens(KeyMaker.published(key))) {
      assertThat(tokens.verify(KeyMaker.token(JWSAlgorithm.PS256, key, ALICE), SENDER)).isNotNull();
      assertThat(tokens.verify(KeyMaker.token(JWSAlgorithm.RS256, key, ALICE), SENDER)).isNull();
    }
  }

  @Test
  void aKeyWithoutANameFitsEveryToken() throws IOException {
    RSAKey key = new RSAKey.Builder(KeyMaker.RSA).keyID(null).build();
    try (JwtTokens tokens = tokens(KeyMaker.published(key))) {
      assertThat(tokens.verify(KeyMaker.token(JWSAlgorithm.RS256, KeyMaker.RSA, ALICE), SENDER))
          .isNotNull();
    }
  }

  @Test
  @DisplayName("T13: secrets in a JWKS are ignored")
  void secretsAreIgnored() throws IOException {
    byte[] secret = Fixtures.SECRET.getBytes(StandardCharsets.UTF_8);
    String jwks =
        "{\"keys\":[" + new OctetSequenceKey.Builder(secret).build().toJSONString() + "]}";
    assertThat(usable(jwks)).isZero();
    try (LogCapture log = LogCapture.start();
        JwtTokens tokens = tokens(jwks)) {
      assertThat(tokens.verify(TokenMaker.hs256(ALICE), SENDER)).isNull();
      assertThat(log.lines()).singleElement().asString().contains("has no RSA or EC key");
    }
  }

  @Test
  void keysThatCannotBeUsedAreLeftOut() {
    RSAKey forEncryption =
        new RSAKey.Builder(KeyMaker.RSA).keyUse(KeyUse.ENCRYPTION).build().toPublicJWK();
    String good = KeyMaker.RSA.toPublicJWK().toJSONString();
    assertThat(usable("{\"keys\":[" + forEncryption.toJSONString() + "," + good + "]}")).isOne();
    assertThat(usable("{\"keys\":[{\"kty\":\"RSA\"},{\"kty\":\"new\"},{}," + good + "]}")).isOne();
    assertThat(usable("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}")).isZero();
    assertThat(usable("{\"keys\":[]}")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[]", "{}", "{\"keys\":7}", "{\"keys\":[7]}", "<html>", "{\"keys\":["})
  void whatIsNoKeySetIsRefused(String text) {
    assertThatThrownBy(() -> usable(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a JWKS must be an object with a list of \"keys\"");
  }

  @Test
  void moreThanAHundredKeysAreRefused() {
    String key = KeyMaker.RSA.toPublicJWK().toJSONString();
    String hundred = String.join(",", Collections.nCopies(100, key));
    assertThat(usable("{\"keys\":[" + hundred + "]}")).isEqualTo(100);
    assertThatThrownBy(() -> usable("{\"keys\":[" + hundred + "," + key + "]}"))
        .hasMessage("a JWKS must have at most 100 keys, got 101");
  }

  @Test
  void aFileThatCannotBeReadFailsTheStart() throws IOException {
    Path missing = folder.resolve("missing.json");
    assertThatThrownBy(() -> new JwtTokens(Fixtures.settings("", missing.toString())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("jwt_jwks must be a file with a JWKS, got " + missing);
    assertThatThrownBy(() -> tokens("nonsense"))
        .hasMessageEndingWith("(a JWKS must be an object with a list of \"keys\")");
    assertThatThrownBy(() -> tokens(" ".repeat(1_048_577)))
        .hasMessageEndingWith("(a JWKS must be at most 1048576 bytes long, got more)");
  }

  @ParameterizedTest
  @CsvSource({
    "ftp://user:hunter2@host/x, 'must be a file or an http or https URL, got one of scheme ftp'",
    "https://, must be a URL with a host",
    "http:///x, must be a URL with a host",
    "https://user:hunter2@ho st/x, must be a URL with a host"
  })
  void otherPlacesAreRefusedWithoutTellingPasswords(String text, String message) {
    assertThatThrownBy(() -> new JwtTokens(Fixtures.settings("", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("jwt_jwks " + message)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aFileIsReadAgainAndReplaced() throws IOException {
    ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
    Path file = folder.resolve("jwks.json");
    Files.writeString(file, KeyMaker.published(KeyMaker.RSA));
    String before = KeyMaker.token(JWSAlgorithm.RS256, KeyMaker.RSA, ALICE);
    String after = KeyMaker.token(JWSAlgorithm.RS256, KeyMaker.OTHER_RSA, ALICE);
    try (JwtTokens tokens = new JwtTokens(Fixtures.settings("", file.toString()), time)) {
      assertThat(tokens.verify(before, SENDER)).isNotNull();
      Files.writeString(file, KeyMaker.published(KeyMaker.OTHER_RSA));
      time.advance(Duration.ofMinutes(5));
      assertThat(tokens.verify(after, SENDER)).isNotNull();
      assertThat(tokens.verify(before, SENDER))
          .as("what was remembered by a key that is gone is forgotten")
          .isNull();
    }
  }
}
