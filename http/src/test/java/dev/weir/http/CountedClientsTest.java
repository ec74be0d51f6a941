package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.ApiKeys;
import dev.weir.policy.Cause;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whom a request is counted for, from its connection and fields to the verdict. */
class CountedClientsTest {
  private static final String PROXY = "10.0.0.1";
  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse("5/60s")));
  private final JwtTokens tokens = new JwtTokens(Fixtures.settings(Fixtures.SECRET, ""), time);
  private final RequestFacts facts = new RequestFacts(Fixtures.settings(), tokens, ApiKeys.none());

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
    Verdict last = check(Fixtures.get("192.0.2.9", "X-Forwarded-For", "1.2.4.1"));
    assertThat(Answer.to(last, Fixtures.responses()).status()).isEqualTo(429);
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
  @DisplayName("T3: what stands in an earlier line of the list changes nothing")
  void anEarlierLineChangesNothing() {
    assertThat(
            passing(
                100,
                i ->
                    Fixtures.get(
                        PROXY,
                        "X-Forwarded-For",
                        "6.6.6." + i,
                        i % 2 == 0 ? "X-Forwarded-For" : "x-forwarded-for",
                        "203.0.113.7")))
        .isEqualTo(5);
    assertThat(check(Fixtures.get("203.0.113.7")).isAllowed()).isFalse();
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
  @DisplayName("T4: nor through a proxy, by naming it before his own")
  void nobodyLocksOutAnotherThroughAProxy() {
    passing(10, i -> Fixtures.get(PROXY, "X-Forwarded-For", "203.0.113.7, 192.0.2.9"));
    Verdict ofVictim = check(Fixtures.get(PROXY, "X-Forwarded-For", "203.0.113.7"));
    assertThat(ofVictim.standings()).singleElement().matches(s -> s.status().remaining() == 4);
  }

  @Test
  @DisplayName("T5: rotating Forwarded changes nothing, with and without a list beside it")
  void rotatingForwardedChangesNothing() {
    assertThat(passing(100, i -> Fixtures.get("192.0.2.9", "Forwarded", "for=9.9.9." + i)))
        .isEqualTo(5);
    assertThat(passing(100, i -> Fixtures.get(PROXY, "Forwarded", "for=9.9.9." + i))).isEqualTo(5);
    assertThat(
            passing(
                100,
                i ->
                    Fixtures.get(
                        PROXY, "Forwarded", "for=9.9.9." + i, "X-Forwarded-For", "203.0.113.7")))
        .isEqualTo(5);
  }

  @Test
  @DisplayName("T7: a list stripped on the way leaves the proxy as the client, never nobody")
  void aStrippedListLeavesTheProxy() {
    assertThat(client(Fixtures.get(PROXY, "Connection", "X-Forwarded-For")).id())
        .isEqualTo("ip:10.0.0.1");
    assertThat(passing(100, i -> Fixtures.get(PROXY, "Connection", "X-Forwarded-For")))
        .isEqualTo(5);
  }

  @Test
  @DisplayName("T8: addresses of one IPv6 prefix are one client")
  void addressesOfOnePrefixAreOneClient() {
    assertThat(passing(5_000, i -> Fixtures.get("2001:db8:1:2::" + Integer.toHexString(i))))
        .isEqualTo(5);
    assertThat(passing(5_000, i -> Fixtures.get("2001:db8:1:2:%x::1".formatted(i)))).isZero();
    assertThat(passing(10, i -> Fixtures.get("2001:db8:1:3::" + i))).isEqualTo(5);
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
    HttpRequest request = new HttpRequest("GET", "/", null, Fixtures.headers());
    Verdict verdict = check(request);
    assertThat(verdict.cause()).isEqualTo(Cause.MISSING_CLIENT);
    assertThat(verdict.isAllowed()).isFalse();
    assertThat(Answer.to(verdict, Fixtures.responses()).status()).isEqualTo(403);
    Config standard = ConfigReader.parse("default.limit = 5", "weir.toml", Map.of());
    Gate lenient = Fixtures.gate(time, standard.policy());
    for (int i = 0; i < 100; i++) {
      verdict = lenient.check(facts.of(request));
      assertThat(verdict.cause()).isEqualTo(Cause.MISSING_CLIENT);
      assertThat(Answer.to(verdict, Fixtures.responses()).status()).isEqualTo(200);
    }
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
  @DisplayName("T12: forged tokens and plain fields name nobody")
  void forgedTokensNameNobody() {
    String wrong = "a wrong secret of some length, which nobody ever agreed on";
    assertThat(
            passing(
                50,
                i -> {
                  String claims = "{\"user_id\":\"u%d\",\"tier\":\"gold\"}".formatted(i);
                  String token =
                      i % 2 == 0
                          ? TokenMaker.raw("{\"alg\":\"none\"}", claims, "")
                          : HmacToken.sign("HS256", wrong, claims);
                  return Fixtures.get("192.0.2.9", "Authorization", "Bearer " + token);
                }))
        .isEqualTo(5);
    for (String field : List.of("X-User-Id", "X-User", "X-Tier", "user_id", "Cookie", "From")) {
      Client client = client(Fixtures.get("192.0.2.9", field, "alice"));
      assertThat(client.id()).isEqualTo("ip:192.0.2.9");
      assertThat(client.tier()).isNull();
    }
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

  @Test
  @DisplayName("T15: of 10,000 junk tokens of one address 50 are verified, and 5 requests pass")
  void junkTokensAreHardlyVerified() {
    String good = TokenMaker.hs256(Map.of("user_id", "alice"));
    String[] parts = good.split("\\.", -1);
    assertThat(
            passing(
                10_000,
                i -> {
                  String junk = parts[0] + "." + TokenMaker.encoded("{" + i + "}") + "." + parts[2];
                  return Fixtures.get("192.0.2.9", "Authorization", "Bearer " + junk);
                }))
        .isEqualTo(5);
    assertThat(tokens.checks()).isEqualTo(50);
  }

  @Test
  @DisplayName("T16: a request as it is looked at has no body that a counter could be chosen by")
  void aRequestHasNoBody() {
    assertThat(HttpRequest.class.getRecordComponents())
        .extracting(RecordComponent::getName)
        .containsExactly("method", "target", "peer", "headers", "cost");
    assertThat(
            passing(
                100,
                i ->
                    new HttpRequest("POST", "/login?email=u" + i, "192.0.2.9", Fixtures.headers())))
        .isEqualTo(5);
  }

  @Test
  @DisplayName("T23: HEAD in any case is counted with GET, whatever a field or a query says")
  void headIsCountedWithGet() {
    List<String> methods = List.of("HEAD", "head", "GET", "get");
    assertThat(
            passing(
                40,
                i ->
                    new HttpRequest(
                        methods.get(i % 4),
                        "/?_method=DELETE",
                        "192.0.2.9",
                        Fixtures.headers("X-HTTP-Method-Override", "DELETE"))))
        .isEqualTo(5);
    Request post =
        facts.of(
            new HttpRequest(
                "POST", "/", "192.0.2.9", Fixtures.headers("X-HTTP-Method-Override", "DELETE")));
    assertThat(post.method()).isEqualTo("POST");
  }

  @Test
  @DisplayName(
      "T24: a request that costs more than the limit is refused for good, and takes nothing")
  void aCostBeyondTheLimitIsRefusedForGood() {
    Verdict verdict = check(new HttpRequest("POST", "/graph", "192.0.2.9", Fixtures.headers(), 20));
    Answer answer = Answer.to(verdict, Fixtures.responses());
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.fields()).doesNotContainKey("Retry-After");
    assertThat(verdict.cause()).isEqualTo(Cause.COST_EXCEEDS_LIMIT);
    assertThat(passing(10, i -> Fixtures.get("192.0.2.9"))).isEqualTo(5);
    assertThatThrownBy(
            () -> facts.of(new HttpRequest("GET", "/", "192.0.2.9", Fixtures.headers(), -1)))
        .isInstanceOf(MalformedRequestException.class);
  }
}
