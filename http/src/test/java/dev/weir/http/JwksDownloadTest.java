package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys from a real web server. */
class JwksDownloadTest {
  private static final Client SENDER = Client.at(Address.parse("192.0.2.9"), 64);

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final JwksServer server = new JwksServer();

  @AfterEach
  void stop() {
    server.close();
  }

  private JwtTokens open() {
    return new JwtTokens(Fixtures.settings("", server.url()), time);
  }

  private static boolean isGood(JwtTokens tokens, JWK key) {
    String token = KeyMaker.token(JWSAlgorithm.RS256, key, Map.of("user_id", "alice"));
    return tokens.verify(token, SENDER) != null;
  }

  private static void settle(JwtTokens tokens) {
    Objects.requireNonNull(tokens.refresh()).latest().join();
  }

  @Test
  void keysAreReadBeforeTheFirstRequest() {
    server.say(KeyMaker.published(KeyMaker.RSA));
    try (JwtTokens tokens = open()) {
      assertThat(isGood(tokens, KeyMaker.RSA)).isTrue();
      assertThat(server.requests()).isOne();
    }
  }

  @Test
  void keysAreReadEveryFiveMinutes() {
    server.say(KeyMaker.published(KeyMaker.RSA));
    try (JwtTokens tokens = open()) {
      time.advance(Duration.ofMinutes(5).minusNanos(1_000));
      assertThat(server.requests()).isOne();
      server.say(KeyMaker.published(KeyMaker.OTHER_RSA));
      time.advance(Duration.ofNanos(1_000));
      settle(tokens);
      assertThat(server.requests()).isEqualTo(2);
      assertThat(isGood(tokens, KeyMaker.OTHER_RSA)).isTrue();
      assertThat(isGood(tokens, KeyMaker.RSA)).isFalse();
    }
  }

  @Test
  void anUnknownKeyIsAskedForAtMostOnceInThirtySeconds() {
    server.say(KeyMaker.published(KeyMaker.RSA));
    try (JwtTokens tokens = open()) {
      server.say(KeyMaker.published(KeyMaker.RSA, KeyMaker.OTHER_RSA));
      assertThat(isGood(tokens, KeyMaker.OTHER_RSA)).isFalse();
      settle(tokens);
      assertThat(server.requests()).as("the keys have just been read").isOne();
      time.advance(Duration.ofSeconds(30));
      for (int i = 0; i < 20; i++) {
        isGood(tokens, new RSAKey.Builder(KeyMaker.RSA).keyID("unknown-" + i).build());
      }
      settle(tokens);
      assertThat(server.requests()).isEqualTo(2);
      assertThat(isGood(tokens, KeyMaker.OTHER_RSA)).isTrue();
      assertThat(isGood(tokens, KeyMaker.RSA)).isTrue();
    }
  }

  @Test
  void oldKeysStayWhenARefreshFails() {
    server.say(KeyMaker.published(KeyMaker.RSA));
    try (LogCapture log = LogCapture.start();
        JwtTokens tokens = open()) {
      server.handle(exchange -> JwksServer.answer(exchange, 500, "oops"));
      time.advance(Duration.ofMinutes(5));
      settle(tokens);
      server.say("<html>");
      time.advance(Duration.ofMinutes(5));
      settle(tokens);
      server.close();
      time.advance(Duration.ofMinutes(5));
      settle(tokens);
      assertThat(isGood(tokens, KeyMaker.RSA)).isTrue();
      assertThat(log.lines()).hasSize(3);
      assertThat(log.lines().get(0)).contains("status must be 200, got 500");
      assertThat(log.lines().get(1)).contains("a JWKS must be an object");
    }
  }

  @Test
  void aServerThatIsNotThereYetDoesNotFailTheStart() {
    try (LogCapture log = LogCapture.start();
        JwtTokens tokens = open()) {
      assertThat(log.lines()).singleElement().asString().contains("got 404");
      server.say(KeyMaker.published(KeyMaker.RSA));
      time.advance(Duration.ofSeconds(30));
      assertThat(isGood(tokens, KeyMaker.RSA)).isFalse();
      settle(tokens);
      assertThat(isGood(tokens, KeyMaker.RSA)).isTrue();
    }
  }

  @Test
  void aBodyBeyondOneMebibyteIsRefused() {
    server.handle(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] block = new byte[65_536];
          try (OutputStream out = exchange.getResponseBody()) {
            for (int i = 0; i < 1_000; i++) {
              out.write(block);
            }
          }
        });
    try (LogCapture log = LogCapture.start();
        JwtTokens tokens = open()) {
      assertThat(isGood(tokens, KeyMaker.RSA)).isFalse();
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("a JWKS must be at most 1048576 bytes long, got more");
    }
  }

  @Test
  void aBodyThatDripsIsGivenUp() {
    CountDownLatch isGivenUp = new CountDownLatch(1);
    server.handle(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          try {
            isGivenUp.await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        });
    try (LogCapture log = LogCapture.start();
        JwtTokens tokens = open()) {
      assertThat(isGood(tokens, KeyMaker.RSA)).isFalse();
      assertThat(log.lines()).singleElement().asString().contains("TimeoutException");
    } finally {
      isGivenUp.countDown();
    }
  }

  @Test
  void redirectsAreFollowedWithinTheScheme() {
    server.handle(
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/moved")) {
            JwksServer.answer(exchange, 200, KeyMaker.published(KeyMaker.RSA));
          } else {
            exchange.getResponseHeaders().add("Location", "/moved");
            JwksServer.answer(exchange, 302, "");
          }
        });
    try (JwtTokens tokens = open()) {
      assertThat(isGood(tokens, KeyMaker.RSA)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://127.0.0.1:1/", "file:///etc/passwd", "ftp://127.0.0.1/", "/jwks.json"})
  @DisplayName("Redirects to other schemes and in circles are not followed")
  void otherRedirectsAreNotFollowed(String location) {
    server.handle(
        exchange -> {
          exchange.getResponseHeaders().add("Location", location);
          JwksServer.answer(exchange, 302, "");
        });
    try (LogCapture log = LogCapture.start();
        JwtTokens tokens = open()) {
      assertThat(isGood(tokens, KeyMaker.RSA)).isFalse();
      assertThat(log.lines())
          .singleElement()
          .asString()
          .containsAnyOf("must keep to the scheme", "status must be 200, got 302");
      assertThat(server.requests()).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void whatIsClosedReadsNoMore() {
    server.say(KeyMaker.published(KeyMaker.RSA));
    JwtTokens tokens = open();
    tokens.close();
    time.advance(Duration.ofMinutes(5));
    assertThat(isGood(tokens, KeyMaker.OTHER_RSA)).isFalse();
    settle(tokens);
    assertThat(server.requests()).isOne();
    assertThat(isGood(tokens, KeyMaker.RSA)).isTrue();
  }
}
