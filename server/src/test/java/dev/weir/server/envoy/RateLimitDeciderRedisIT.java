package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitResponse.DescriptorStatus;
import dev.weir.policy.FailureMode;
import dev.weir.redis.RedisCounterStore;
import dev.weir.redis.RedisOptions;
import dev.weir.server.envoy.EnvoyOptions.WhenOver;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Decisions on a real Redis: those of the counters in memory. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RateLimitDeciderRedisIT {
  /** Windows that do not end while a test runs. */
  private static final String RULES =
      """
      domain: edge
      descriptors:
        - key: user
          rate_limit: {unit: year, requests_per_unit: 5}
        - key: tenant
          rate_limit: {unit: month, requests_per_unit: 3}
        - key: bucket
          rate_limit: {period: 300d, requests_per_unit: 2, algorithm: token_bucket}
        - key: path
          value: /api/*
          share_threshold: true
          rate_limit: {unit: year, requests_per_unit: 2}
      """;

  private final RedisServer redis = RedisServer.start();
  private final RedisCounterStore store =
      RedisCounterStore.open(
          redis.uri(),
          RedisOptions.defaults()
              .withCommandTimeout(Duration.ofSeconds(30))
              .withConnectTimeout(Duration.ofSeconds(30)));
  private EnvoyStats stats = new EnvoyStats();
  private RateLimitDecider decider = new RateLimitDecider(store, stats);

  @BeforeEach
  void start() {
    stats = new EnvoyStats();
    decider = new RateLimitDecider(store, stats);
    decider.use(EnvoyConfigReader.parse(Map.of("rules.yaml", RULES), false, stats));
  }

  @AfterAll
  void stop() {
    store.close();
    redis.close();
  }

  private RateLimitResponse ask(RateLimitDescriptor... descriptors) throws Exception {
    return decider
        .decide(Requests.request("edge", descriptors))
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  private DescriptorStatus status(RateLimitDescriptor descriptor) throws Exception {
    return ask(descriptor).getStatuses(0);
  }

  private int left(RateLimitDescriptor descriptor) throws Exception {
    return status(Requests.hits(0, descriptor)).getLimitRemaining();
  }

  @Test
  void countsAsInMemory() throws Exception {
    RateLimitDescriptor alice = Requests.descriptor("user", "alice");
    for (int left = 4; left >= 0; left--) {
      assertThat(status(alice).getLimitRemaining()).isEqualTo(left);
    }
    assertThat(status(Requests.hits(0, alice)).getCode()).isEqualTo(Code.OK);
    assertThat(status(alice).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(status(Requests.hits(0, alice)).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(status(Requests.negative(3, alice)).getLimitRemaining()).isEqualTo(2);
    assertThat(status(Requests.hits(RequestBounds.MAX_HITS, alice)).getCode())
        .isEqualTo(Code.OVER_LIMIT);
    assertThat(status(Requests.hits(0, alice)).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(status(Requests.negative(RequestBounds.MAX_HITS, alice)).getLimitRemaining())
        .isEqualTo(2);
    assertThat(status(Requests.negative(RequestBounds.MAX_HITS, alice)).getLimitRemaining())
        .isEqualTo(5);
    assertThat(status(alice).getDurationUntilReset().getSeconds()).isBetween(1L, 365L * 86_400);
    assertThat(stats.snapshot().failedLocal()).isZero();
  }

  @Test
  void descriptorsAreCountedEachByItself() throws Exception {
    RateLimitDescriptor bob = Requests.descriptor("user", "bob");
    RateLimitDescriptor acme = Requests.descriptor("tenant", "acme");
    for (int i = 0; i < 3; i++) {
      assertThat(ask(bob, acme).getOverallCode()).isEqualTo(Code.OK);
    }
    assertThat(ask(bob, acme).getOverallCode()).isEqualTo(Code.OVER_LIMIT);

    assertThat(left(bob)).isEqualTo(1);
    RateLimitDescriptor bucket = Requests.descriptor("bucket", "x");
    assertThat(status(bucket).getLimitRemaining()).isEqualTo(1);
    assertThat(status(Requests.hits(2, bucket)).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(status(bucket).getCode()).isEqualTo(Code.OK);
    assertThat(status(Requests.descriptor("path", "/api/a")).getLimitRemaining()).isEqualTo(1);
    assertThat(status(Requests.descriptor("path", "/api/b")).getLimitRemaining()).isZero();
  }

  @Test
  void allOrNothingConsumesNothing() throws Exception {
    decider.use(TestService.options(false, WhenOver.COUNT_NOTHING, FailureMode.CLOSED));
    RateLimitDescriptor carol = Requests.descriptor("user", "carol");
    RateLimitDescriptor zeta = Requests.descriptor("tenant", "zeta");
    for (int i = 0; i < 3; i++) {
      assertThat(ask(carol, zeta).getOverallCode()).isEqualTo(Code.OK);
    }
    RateLimitResponse refused = ask(carol, zeta);
    assertThat(refused.getStatuses(0).getCode()).isEqualTo(Code.OK);
    assertThat(refused.getStatuses(1).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(left(carol)).isEqualTo(2);
    ask(Requests.hits(2, carol), zeta);

    assertThat(left(carol)).as("given back").isEqualTo(2);
  }

  @Test
  void whatIsOverIsCountedAndNothingElse() throws Exception {
    decider.use(TestService.options(false, WhenOver.COUNT_OVER, FailureMode.CLOSED));
    RateLimitDescriptor erin = Requests.descriptor("user", "erin");
    RateLimitDescriptor iota = Requests.descriptor("tenant", "iota");
    for (int i = 0; i < 7; i++) {
      assertThat(ask(erin, iota).getOverallCode()).isEqualTo(i < 3 ? Code.OK : Code.OVER_LIMIT);
    }

    assertThat(left(erin)).isEqualTo(2);
    assertThat(status(Requests.negative(4, iota)).getLimitRemaining()).isZero();
    assertThat(status(Requests.negative(1, iota)).getLimitRemaining()).as("of 7").isEqualTo(1);
  }

  @Test
  void manyAtOnceAreAllCounted() throws Exception {
    RateLimitRequest request = Requests.request("edge", Requests.descriptor("user", "many"));
    List<CompletableFuture<RateLimitResponse>> answers = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      answers.add(decider.decide(request).toCompletableFuture());
    }
    int passed = 0;
    for (CompletableFuture<RateLimitResponse> answer : answers) {
      passed += answer.get(10, TimeUnit.SECONDS).getOverallCode() == Code.OK ? 1 : 0;
    }

    assertThat(passed).isEqualTo(5);
    assertThat(
            status(Requests.negative(1_995, Requests.descriptor("user", "many")))
                .getLimitRemaining())
        .as("2,000 were counted")
        .isZero();
    assertThat(left(Requests.descriptor("user", "many"))).isZero();
    assertThat(stats.snapshot().rules().get(3).totalHits()).isEqualTo(2_000);
  }

  @Test
  void withoutRedisTheFailureModeDecides() throws Exception {
    try (RedisServer other = RedisServer.start();
        RedisCounterStore lost = RedisCounterStore.open(other.uri(), RedisOptions.defaults())) {
      RateLimitDecider alone = new RateLimitDecider(lost, stats);
      alone.use(EnvoyConfigReader.parse(Map.of("rules.yaml", RULES), false, stats));
      other.kill();
      RateLimitRequest request = Requests.request("edge", Requests.descriptor("user", "dora"));
      int passed = 0;
      for (int i = 0; i < 8; i++) {
        RateLimitResponse answer =
            alone.decide(request).toCompletableFuture().get(10, TimeUnit.SECONDS);
        passed += answer.getOverallCode() == Code.OK ? 1 : 0;
      }

      assertThat(passed).isEqualTo(5);
      assertThat(stats.snapshot().failedLocal()).isEqualTo(8);
    }
  }
}
