package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Cause;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestFactsTest {
  private static final String PROXY = "10.0.0.1";
  private static final Map<String, ApiKeys.ApiKey> KEYS =
      Map.of(
          "s3cret", new ApiKeys.ApiKey("k1", null, null, List.of()),
          "S3CRET", new ApiKeys.ApiKey("k2", "bob", "gold", List.of(Limit.perMinute(7))));

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse("5/60s")));
  private final Tokens tokens = new JwtTokens(Fixtures.settings(Fixtures.SECRET, ""), time);
  private final RequestFacts facts = new RequestFacts(Fixtures.settings(), tokens, KEYS::get);

  private Verdict check(HttpRequest request) {
    return gate.check(facts.of(request));
  }

  private long passing(int requests, IntFunction<HttpRequest> request) {
    return IntStream.range(0, requests).filter(i -> check(request.apply(i)).isAllowed()).count();
  }

  private Client client(HttpRequest request) {
    return facts.of(request).client();
  }

  @Test
  @DisplayName("T1: rotating X-Forwarded-For from an untrusted peer changes nothing")
  void rotatingTheListChangesNothing() {
    assertThat(passing(100, i -> Fixtures.get("192.0.2.9", "X-Forwarded-For", "1.2.3." + i)))
        .isEqualTo(5);
  }

  @Test
  @DisplayName("T2: a forged left part behind a trusted proxy changes nothing")
  void aForgedLeftPartChangesNothing() {
    assertThat(
            passing(
                100, i -> Fixtures.get(PROXY, "X-Forwarded-For", "6.6.6." + i + ", 203.0.113.7")))
        .isEqualTo(5);
  }

  @Test
  @DisplayName("T4: nobody locks out another by naming his address")
  void nobodyLocksOutAnother() {
    passing(10, i -> Fixtures.get("192.0.2.9", "X-Forwarded-For", "203.0.113.7"));
    Verdict ofVictim = check(Fixtures.get("203.0.113.7"));
    assertThat(ofVictim.isAllowed()).isTrue();
    assertThat(ofVictim.standings()).singleElement().matches(s -> s.status().remaining() == 4);
  }

  @Test
  @DisplayName("T7: a list stripped on the way leaves the proxy as the client, never nobody")
  void aStrippedListLeavesTheProxy() {
    assertThat(client(Fixtures.get(PROXY, "Connection", "X-Forwarded-For")).id())
        .isEqualTo("ip:10.0.0.1");
  }

  @Test
  @DisplayName("T8: addresses of one IPv6 prefix are one client")
  void addressesOfOnePrefixAreOneClient() {
    assertThat(passing(10_000, i -> Fixtures.get("2001:db8:1:2::" + Integer.toHexString(i))))
        .isEqualTo(5);
    assertThat(check(Fixtures.get("2001:db8:1:3::1")).isAllowed()).isTrue();
    assertThat(client(Fixtures.get("2001:db8:1:2::9")).id()).isEqualTo("ip:2001:db8:1:2::/64");
  }

  @Test
  @DisplayName("T9: an IPv4 client has one count however it is written, and its own")
  void anIpv4ClientHasOneCountHoweverItIsWritten() {
    List<String> spellings = List.of("::ffff:1.2.3.4", "::ffff:102:304", "1.2.3.4");
    assertThat(passing(30, i -> Fixtures.get(spellings.get(i % 3)))).isEqualTo(5);
    assertThat(passing(10, i -> Fixtures.get("::ffff:1.2.3.5"))).isEqualTo(5);
  }

  @Test
  @DisplayName("T11: a client of whom nothing is known follows on_missing_client")
  void aClientOfWhomNothingIsKnown() {
    Verdict verdict = check(new HttpRequest("GET", "/", null, Fixtures.headers()));
    assertThat(verdict.cause()).isEqualTo(Cause.MISSING_CLIENT);
    assertThat(verdict.isAllowed()).isFalse();
    assertThat(Answer.to(verdict, Fixtures.responses()).status()).isEqualTo(403);
  }

  @Test
  @DisplayName("T12: unverified tokens and unknown keys are counted by address")
  void unverifiedTokensAreCountedByAddress() {
    assertThat(
            passing(
                100,
                i ->
                    Fixtures.get(
                        "192.0.2.9", "Authorization", "Bearer junk" + i, "X-API-Key", "junk" + i)))
        .isEqualTo(5);
  }

  @Test
  @DisplayName("T14: a new token of the same user goes on with the same count")
  void aNewTokenGoesOnWithTheSameCount() {
    assertThat(
            passing(
                20,
                i ->
                    Fixtures.get(
                        "192.0.2." + i,
                        "Authorization",
                        "Bearer " + TokenMaker.hs256(Map.of("user_id", "alice", "jti", "t" + i)))))
        .isEqualTo(5);
  }

  @ParameterizedTest(name = "T19: {0}: {1} is {2}")
  @CsvSource({
    "X-API-Key, s3cret, key:k1",
    "x-api-key, s3cret, key:k1",
    "X-Api-KEY, S3CRET, user:bob",
    "X-API-Key, S3cret, ip:192.0.2.9",
    "X-API-Key, s3cret., ip:192.0.2.9",
    "X-API-Key, ｓ3cret, ip:192.0.2.9",
    "API-Key, s3cret, ip:192.0.2.9"
  })
  void namesOfFieldsHaveNoCaseAndValuesAreExact(String name, String value, String expected) {
    assertThat(client(Fixtures.get("192.0.2.9", name, value)).id()).isEqualTo(expected);
  }

  @Test
  @DisplayName("T19: users that look alike are different users")
  void usersThatLookAlikeAreDifferent() {
    String composed = "Bearer " + TokenMaker.hs256(Map.of("user_id", "jos\u00e9"));
    String decomposed = "Bearer " + TokenMaker.hs256(Map.of("user_id", "jose\u0301"));
    assertThat(client(Fixtures.get("192.0.2.9", "AUTHORIZATION", composed)).id())
        .isEqualTo("user:jos\u00e9");
    assertThat(client(Fixtures.get("192.0.2.9", "authorization", decomposed)).id())
        .isEqualTo("user:jose\u0301");
  }

  @Test
  void aKeyGivesUserTierAndLimits() {
    Client client = client(Fixtures.get("192.0.2.9", "X-API-Key", "S3CRET"));
    assertThat(client.key()).isEqualTo("k2");
    assertThat(client.user()).isEqualTo("bob");
    assertThat(client.tier()).isEqualTo("gold");
    assertThat(client.limits()).containsExactly(Limit.perMinute(7));
    assertThat(client.address()).hasToString("192.0.2.9");
  }

  @Test
  void aTokensUserAndTierWinOverAKeys() {
    String token = TokenMaker.hs256(Map.of("user_id", "alice", "tier", "free"));
    Client client =
        client(
            Fixtures.get("192.0.2.9", "Authorization", "bearer " + token, "X-API-Key", "S3CRET"));
    assertThat(client.user()).isEqualTo("alice");
    assertThat(client.tier()).isEqualTo("free");
    assertThat(client.key()).isEqualTo("k2");
  }

  @Test
  void severalTokensOrKeysCountAsNone() {
    String token = "Bearer " + TokenMaker.hs256(Map.of("user_id", "alice"));
    assertThat(
            client(Fixtures.get("192.0.2.9", "Authorization", token, "Authorization", token)).id())
        .isEqualTo("ip:192.0.2.9");
    assertThat(client(Fixtures.get("192.0.2.9", "X-API-Key", "s3cret", "X-API-Key", "S3CRET")).id())
        .isEqualTo("ip:192.0.2.9");
    assertThat(client(Fixtures.get("192.0.2.9", "X-API-Key", "")).id()).isEqualTo("ip:192.0.2.9");
    assertThat(client(Fixtures.get("192.0.2.9", "Authorization", "Basic YTpi")).id())
        .isEqualTo("ip:192.0.2.9");
  }

  @Test
  void theRestOfTheRequestIsPassedOn() {
    Request request =
        facts.of(
            new HttpRequest("head", "/a//b/?q=1", "192.0.2.9", Fixtures.headers("X-A", "b"), 3));
    assertThat(request.method()).isEqualTo("GET");
    assertThat(request.path()).isEqualTo("/a/b");
    assertThat(request.cost()).isEqualTo(3);
    assertThat(request.headers().values("x-a")).containsExactly("b");
  }

  @Test
  void ambiguousPathsAreRefused() {
    assertThatThrownBy(
            () -> facts.of(new HttpRequest("GET", "/a%2fb", "192.0.2.9", Fixtures.headers())))
        .isInstanceOf(MalformedRequestException.class);
  }
}
