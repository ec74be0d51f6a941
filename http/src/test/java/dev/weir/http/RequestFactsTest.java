package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.ApiKeys;
import dev.weir.policy.Client;
import dev.weir.policy.KnownClients;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.OwnLimits;
import dev.weir.policy.Request;
import dev.weir.policy.Users;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestFactsTest {
  private static final String PROXY = "10.0.0.1";
  private static final Map<String, ApiKeys.ApiKey> KEYS =
      Map.of(
          "s3cret", new ApiKeys.ApiKey("k1", null, null, List.of()),
          "S3CRET", new ApiKeys.ApiKey("k2", "bob", "gold", List.of(Limit.perMinute(7))));

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final JwtTokens tokens = new JwtTokens(Fixtures.settings(Fixtures.SECRET, ""), time);
  private final RequestFacts facts = new RequestFacts(Fixtures.settings(), tokens, KEYS::get);

  private Client client(HttpRequest request) {
    return facts.of(request).client();
  }

  @Test
  void onlyLooksForWhatCouldMeanSomething() {
    JwtTokens none = new JwtTokens(Fixtures.settings(), time);
    RequestFacts byAddress = new RequestFacts(Fixtures.settings(), none, ApiKeys.none());
    RequestFacts byToken = new RequestFacts(Fixtures.settings(), tokens, ApiKeys.none());

    assertThat(fieldsReadBy(byAddress)).containsExactly("x-forwarded-for");
    assertThat(fieldsReadBy(byToken)).containsExactly("x-forwarded-for", "authorization");
    assertThat(fieldsReadBy(facts))
        .containsExactly("x-forwarded-for", "authorization", "x-api-key");
  }

  private static List<String> fieldsReadBy(RequestFacts facts) {
    List<String> read = new ArrayList<>();
    facts.of(
        new HttpRequest(
            "GET",
            "/",
            PROXY,
            name -> {
              read.add(name);
              return name.equals("x-forwarded-for") ? List.of("203.0.113.7") : List.of();
            }));
    return read;
  }

  @Test
  @DisplayName("T6: a list of 51 hops or of more than 8 KiB is answered with 400")
  void anEndlessListIsAnsweredWith400() {
    for (String list : List.of("1.1.1.1,".repeat(50), " ".repeat(8_193))) {
      assertThatThrownBy(() -> facts.of(Fixtures.get(PROXY, "X-Forwarded-For", list)))
          .isInstanceOfSatisfying(
              MalformedRequestException.class,
              malformed ->
                  assertThat(Answer.to(malformed, Fixtures.responses()).status()).isEqualTo(400));
    }
  }

  @Test
  @DisplayName("T11: the first client of whom nothing is known is logged")
  void theFirstUnknownClientIsLogged() {
    String token = "Bearer " + TokenMaker.hs256(Map.of("user_id", "alice"));
    try (LogCapture log = LogCapture.start()) {
      assertThat(client(Fixtures.get("/run/weir.sock", "Authorization", token)).id())
          .isEqualTo("user:alice");
      assertThat(client(Fixtures.get("/run/weir.sock", "X-API-Key", "s3cret")).id())
          .isEqualTo("key:k1");
      assertThat(log.lines()).isEmpty();
      for (int i = 0; i < 100; i++) {
        assertThat(client(Fixtures.get("/run/weir.sock")).isUnknown()).isTrue();
      }
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains(
              "a request tells neither user nor key nor address; on_missing_client decides on it");
    }
  }

  @ParameterizedTest(name = "T19: {0}: {1} is {2}")
  @CsvSource({
    "X-API-Key, s3cret, key:k1",
    "x-api-key, s3cret, key:k1",
    "X-Api-KEY, S3CRET, user:bob",
    "X-API-Key, S3cret, ip:192.0.2.9",
    "X-API-Key, s3cret., ip:192.0.2.9",
    "X-API-Key, ｓ3cret, ip:192.0.2.9",
    "X-API-Key, s３cret, ip:192.0.2.9",
    "X-API-Key, ' s3cret', ip:192.0.2.9",
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
    assertThat(client.knownKey()).isEqualTo(KEYS.get("S3CRET"));
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
  void theFirstOfTheTiersHolds() {
    Users users =
        id -> new Users.User(id, "of-" + id, OwnLimits.ofUser(List.of(Limit.perHour(9)), 99L));
    RequestFacts all =
        new RequestFacts(Fixtures.settings(), tokens, new KnownClients(KEYS::get, users));
    String said = "Bearer " + TokenMaker.hs256(Map.of("user_id", "alice", "tier", "free"));
    String unsaid = "Bearer " + TokenMaker.hs256(Map.of("user_id", "alice"));

    assertThat(tier(all, "Authorization", said, "X-API-Key", "S3CRET")).isEqualTo("free");
    assertThat(tier(all, "Authorization", unsaid, "X-API-Key", "S3CRET")).isEqualTo("gold");
    assertThat(tier(all, "Authorization", unsaid, "X-API-Key", "s3cret")).isEqualTo("of-alice");
    assertThat(tier(all, "Authorization", unsaid)).isEqualTo("of-alice");
    assertThat(tier(all, "X-API-Key", "S3CRET")).isEqualTo("gold");
    assertThat(tier(all, "X-API-Key", "s3cret")).as("nobody's key").isNull();
    Client both = all.of(Fixtures.get("192.0.2.9", "X-API-Key", "S3CRET")).client();
    assertThat(both.knownKey()).isEqualTo(KEYS.get("S3CRET"));
    assertThat(both.knownUser()).isEqualTo(users.find("bob"));
  }

  private static @Nullable String tier(RequestFacts facts, String... fields) {
    return facts.of(Fixtures.get("192.0.2.9", fields)).client().tier();
  }

  @Test
  void aKeyIsWaitedForAndThenItsUser() {
    CompletableFuture<Boolean> keyLook = new CompletableFuture<>();
    CompletableFuture<Boolean> userLook = new CompletableFuture<>();
    ApiKeys keys =
        new ApiKeys() {
          @Override
          public @Nullable ApiKey find(String secret) {
            return keyLook.isDone() ? KEYS.get(secret) : null;
          }

          @Override
          public @Nullable CompletionStage<?> awaited(String secret) {
            return keyLook.isDone() ? null : keyLook;
          }
        };
    Users users =
        new Users() {
          @Override
          public @Nullable User find(String id) {
            return userLook.isDone() ? new User(id, null, OwnLimits.none()) : null;
          }

          @Override
          public @Nullable CompletionStage<?> awaited(String id) {
            assertThat(id).isEqualTo("bob");
            return userLook.isDone() ? null : userLook;
          }
        };
    RequestFacts slow =
        new RequestFacts(Fixtures.settings(), tokens, new KnownClients(keys, users));
    HttpRequest request = Fixtures.get("192.0.2.9", "X-API-Key", "S3CRET");
    assertThat(slow.of(request).client().id()).isEqualTo("ip:192.0.2.9");
    CompletableFuture<?> stage =
        Objects.requireNonNull(slow.find(request).awaited()).toCompletableFuture();
    keyLook.complete(true);
    assertThat(stage).isNotDone();
    assertThat(slow.of(request).client().id()).isEqualTo("user:bob");
    userLook.complete(true);
    assertThat(stage).isCompleted();
    assertThat(slow.of(request).client().knownUser()).isNotNull();
    assertThat(slow.find(request).awaited()).isNull();
  }

  @Test
  void nothingIsWaitedForWhereNothingIsLookedUp() {
    RequestFacts.Found found = facts.find(Fixtures.get("192.0.2.9", "X-API-Key", "S3CRET"));
    assertThat(found.awaited()).isNull();
    assertThat(found.request().client().id()).isEqualTo("user:bob");
    assertThat(facts.find(Fixtures.get("192.0.2.9")).awaited()).isNull();
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

  @ParameterizedTest(name = "T21: {0} is answered with 400")
  @ValueSource(
      strings = {"/a%2fb", "/a%00", "/%252e%252e/a", "/%ff", "/../a", "/a\\b", "/..;/a", "a", "/%"})
  void ambiguousPathsAreRefused(String target) {
    HttpRequest request = new HttpRequest("GET", target, "192.0.2.9", Fixtures.headers());
    assertThatThrownBy(() -> facts.of(request))
        .isInstanceOfSatisfying(
            MalformedRequestException.class,
            malformed ->
                assertThat(Answer.to(malformed, Fixtures.responses()).status()).isEqualTo(400));
  }
}
