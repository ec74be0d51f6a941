package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitResponse.DescriptorStatus;
import dev.weir.envoy.api.RateLimitResponse.RateLimit;
import dev.weir.envoy.api.RateLimitUnit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How descriptors are counted, and what is told of each. */
class RateLimitDeciderTest {
  private final TestService service =
      TestService.with(
          """
          domain: edge
          descriptors:
            - key: user
              rate_limit: {unit: minute, requests_per_unit: 5, name: peruser}
            - key: never
              rate_limit: {unit: hour, requests_per_unit: 0}
            - key: always
              rate_limit: {unlimited: true}
            - key: shadow
              shadow_mode: true
              rate_limit: {unit: minute, requests_per_unit: 2}
            - key: bucket
              rate_limit: {unit: minute, requests_per_unit: 6, burst: 3, algorithm: token_bucket}
            - key: log
              rate_limit: {period: 30s, requests_per_unit: 2, algorithm: sliding_log}
            - key: odd
              rate_limit: {period: 45s, requests_per_unit: 2}
            - key: blink
              rate_limit: {period: 400ms, requests_per_unit: 2}
          """);
  private final RateLimitDescriptor alice = Requests.descriptor("user", "alice");
  private final RateLimitDescriptor bob = Requests.descriptor("user", "bob");

  private static DescriptorStatus status(
      Code code, RateLimit limit, long remaining, long resetSeconds) {
    DescriptorStatus.Builder status =
        DescriptorStatus.newBuilder()
            .setCode(code)
            .setCurrentLimit(limit)
            .setLimitRemaining((int) remaining);
    status.getDurationUntilResetBuilder().setSeconds(resetSeconds);
    return status.build();
  }

  private static final RateLimit PER_USER =
      RateLimit.newBuilder()
          .setRequestsPerUnit(5)
          .setUnit(RateLimit.Unit.MINUTE)
          .setName("peruser")
          .build();

  @Test
  void countsDownAndRefuses() {
    for (int left = 4; left >= 0; left--) {
      assertThat(service.status(alice)).isEqualTo(status(Code.OK, PER_USER, left, 20));
    }
    RateLimitResponse refused = service.ask(alice);

    assertThat(refused)
        .isEqualTo(
            RateLimitResponse.newBuilder()
                .setOverallCode(Code.OVER_LIMIT)
                .addStatuses(status(Code.OVER_LIMIT, PER_USER, 0, 20))
                .build());
    assertThat(service.status(bob)).isEqualTo(status(Code.OK, PER_USER, 4, 20));
  }

  @Test
  void startsAnewWithTheNextWindow() {
    assertThat(service.passes(alice)).isEqualTo(5);
    service.time.advance(Duration.ofMillis(19_999));
    assertThat(service.status(alice)).isEqualTo(status(Code.OVER_LIMIT, PER_USER, 0, 1));
    service.time.advance(Duration.ofMillis(1));

    assertThat(service.status(alice)).isEqualTo(status(Code.OK, PER_USER, 4, 60));
  }

  @ParameterizedTest
  @CsvSource({
    "SECOND, 2026-03-01T10:00:40.3Z, 1",
    "MINUTE, 2026-03-01T10:00:40.3Z, 20",
    "HOUR, 2026-03-01T10:00:40Z, 3560",
    "DAY, 2026-03-01T10:00:40Z, 50360",
    "MONTH, 2026-03-01T10:00:40Z, 568760",
    "YEAR, 2026-03-01T10:00:40Z, 25192760",
  })
  void theResetIsTheEndOfTheWindowInWholeSeconds(
      RateLimitUnit unit, String now, long resetSeconds) {
    Instant instant = Instant.parse(now);
    service.time.set(instant);
    DescriptorStatus status = service.status(Requests.override(9, unit, alice));

    assertThat(status.getDurationUntilReset().getSeconds()).isEqualTo(resetSeconds);
    long seconds =
        switch (unit) {
          case SECOND -> 1;
          case MINUTE -> 60;
          case HOUR -> 3_600;
          case DAY -> 86_400;
          case MONTH -> 30 * 86_400;
          case YEAR -> 365 * 86_400;
          case UNKNOWN, UNRECOGNIZED -> throw new AssertionError(unit);
        };
    assertThat(resetSeconds).isEqualTo(seconds - instant.getEpochSecond() % seconds);
  }

  @Test
  void theCountGoesOnAboveTheLimit() {
    assertThat(service.passes(alice)).isEqualTo(5);
    for (int i = 0; i < 10; i++) {
      service.status(alice);
    }
    service.rules(
        "{domain: edge, descriptors: [{key: user, rate_limit: {unit: minute, requests_per_unit: 20}}]}");

    // 5 passed, 11 did not: 16 of 20.
    assertThat(service.status(Requests.hits(0, alice)).getLimitRemaining()).isEqualTo(4);
  }

  @Test
  void aChangedLimitKeepsTheCount() {
    assertThat(service.status(Requests.hits(3, alice)).getLimitRemaining()).isEqualTo(2);
    service.rules(
        "{domain: edge, descriptors: [{key: user, rate_limit: {unit: minute, requests_per_unit: 4}}]}");

    assertThat(service.status(alice).getLimitRemaining()).isZero();
    assertThat(service.status(alice).getCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void hitsOfTheRequestCountForAllDescriptors() {
    RateLimitResponse answer = service.ask(Requests.request("edge", 3, alice, bob));

    assertThat(answer.getStatusesList())
        .containsExactly(status(Code.OK, PER_USER, 2, 20), status(Code.OK, PER_USER, 2, 20));
  }

  @Test
  void hitsOfADescriptorWin() {
    RateLimitResponse answer =
        service.ask(Requests.request("edge", 3, Requests.hits(2, alice), bob));

    assertThat(answer.getStatuses(0).getLimitRemaining()).isEqualTo(3);
    assertThat(answer.getStatuses(1).getLimitRemaining()).isEqualTo(2);
  }

  @Test
  void zeroHitsOnlyLook() {
    RateLimitDescriptor look = Requests.hits(0, alice);
    assertThat(service.status(look)).isEqualTo(status(Code.OK, PER_USER, 5, 20));
    assertThat(service.passes(alice)).isEqualTo(5);
    // One was refused and counted, so the count is 6.
    assertThat(service.status(look)).isEqualTo(status(Code.OVER_LIMIT, PER_USER, 0, 20));
    service.status(Requests.negative(1, alice));

    assertThat(service.status(look)).isEqualTo(status(Code.OK, PER_USER, 0, 20));
    assertThat(service.counts("edge.user").totalHits()).isEqualTo(6);
  }

  @Test
  @DisplayName("T29: hits above the limit are counted, as in envoyproxy/ratelimit")
  void hitsAboveTheLimitAreCounted() {
    assertThat(service.status(Requests.hits(6, alice)))
        .isEqualTo(status(Code.OVER_LIMIT, PER_USER, 0, 20));
    assertThat(service.status(alice)).isEqualTo(status(Code.OVER_LIMIT, PER_USER, 0, 20));
    service.status(Requests.negative(3, alice));
    assertThat(service.status(Requests.hits(0, alice))).isEqualTo(status(Code.OK, PER_USER, 1, 20));
  }

  @Test
  @DisplayName("T29: one request adds up to 2^32-1 hits, any number of times")
  void aRequestAddsUpTo32Bits() {
    for (int i = 0; i < 300; i++) {
      RateLimitResponse all = service.ask(Requests.request("edge", -1, alice));
      assertThat(all.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    }
    assertThat(service.counts("edge.user").totalHits()).isEqualTo(300 * 0xFFFF_FFFFL);
    assertThat(service.counts("edge.user").overLimit()).isEqualTo(300 * 0xFFFF_FFFFL - 5);
    service.time.advance(Duration.ofMinutes(1));

    assertThat(service.passes(alice)).as("in the next window").isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({"4294967296", "9223372036854775807", "18446744073709551615"})
  @DisplayName("T29: more hits than 2^32-1 are an error and change nothing")
  void moreHitsThan32BitsAreAnError(String hits) {
    long bits = Long.parseUnsignedLong(hits);
    for (RateLimitDescriptor each :
        List.of(Requests.hits(bits, alice), Requests.negative(bits, alice))) {
      RateLimitException failure = service.failure(Requests.request("edge", bob, each));
      assertThat(failure.kind()).isEqualTo(RateLimitException.Kind.MALFORMED);
      assertThat(failure)
          .hasMessage("descriptors[1].hits_addend must be at most 4294967295, got " + hits);
    }

    assertThat(service.passes(alice)).isEqualTo(5);
    assertThat(service.passes(bob)).isEqualTo(5);
  }

  @Test
  @DisplayName("T29: negative hits give back, and never more than was counted")
  void negativeHitsGiveBack() {
    assertThat(service.passes(alice)).isEqualTo(5);
    assertThat(service.status(Requests.negative(3, alice)))
        .isEqualTo(status(Code.OK, PER_USER, 2, 20));
    assertThat(service.status(Requests.negative(0xFFFF_FFFFL, alice)))
        .isEqualTo(status(Code.OK, PER_USER, 5, 20));
    assertThat(service.passes(alice)).isEqualTo(5);
    service.time.advance(Duration.ofMinutes(1));

    service.status(Requests.negative(100, alice));
    assertThat(service.passes(alice)).as("in the next window").isEqualTo(5);
    assertThat(service.counts("edge.user").totalNegativeHits()).isEqualTo(3 + 0xFFFF_FFFFL + 100);
  }

  @Test
  void negativeHitsAlwaysPass() {
    for (int i = 0; i < 9; i++) {
      service.status(alice);
    }
    assertThat(service.status(Requests.negative(1, alice)))
        .isEqualTo(status(Code.OK, PER_USER, 0, 20));
    assertThat(service.status(Requests.negative(0, alice)))
        .isEqualTo(status(Code.OK, PER_USER, 0, 20));
    assertThat(service.status(alice).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(service.status(Requests.negative(2, Requests.descriptor("never", ""))).getCode())
        .isEqualTo(Code.OK);
  }

  @Test
  void sameDescriptorsOfOneRequestCountTwice() {
    RateLimitResponse answer = service.ask(alice, alice);

    assertThat(answer.getStatuses(0).getLimitRemaining()).isEqualTo(4);
    assertThat(answer.getStatuses(1).getLimitRemaining()).isEqualTo(3);
  }

  @Test
  void descriptorsAreCountedEachByItself() {
    assertThat(service.passes(alice)).isEqualTo(5);
    RateLimitResponse answer = service.ask(bob, alice);

    assertThat(answer.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(answer.getStatuses(0)).isEqualTo(status(Code.OK, PER_USER, 4, 20));
    assertThat(service.status(bob).getLimitRemaining()).isEqualTo(3);
  }

  @Test
  void aLimitOfZeroRefusesAllHits() {
    RateLimit none = RateLimit.newBuilder().setUnit(RateLimit.Unit.HOUR).build();
    RateLimitDescriptor never = Requests.descriptor("never", "x");

    assertThat(service.status(never)).isEqualTo(status(Code.OVER_LIMIT, none, 0, 3_560));
    assertThat(service.status(Requests.hits(0, never)).getCode()).isEqualTo(Code.OK);
    assertThat(service.counters.statistics().liveKeys()).isZero();
    assertThat(service.counts("edge.never").overLimit()).isEqualTo(1);
  }

  @Test
  void whatIsUnlimitedIsNotCounted() {
    RateLimitResponse answer = service.ask(Requests.descriptor("always", "x"));

    assertThat(answer)
        .isEqualTo(
            RateLimitResponse.newBuilder()
                .setOverallCode(Code.OK)
                .addStatuses(DescriptorStatus.newBuilder().setCode(Code.OK).setLimitRemaining(-1))
                .build());
    assertThat(service.counts("edge.always").totalHits()).isZero();
    assertThat(service.stats.snapshot().noMatch()).isZero();
  }

  @Test
  void aLimitOfTheCallerHoldsInPlaceOfTheRule() {
    RateLimitDescriptor own = Requests.override(2, RateLimitUnit.HOUR, alice);
    RateLimit limit =
        RateLimit.newBuilder().setRequestsPerUnit(2).setUnit(RateLimit.Unit.HOUR).build();

    assertThat(service.status(own)).isEqualTo(status(Code.OK, limit, 1, 3_560));
    assertThat(service.status(own)).isEqualTo(status(Code.OK, limit, 0, 3_560));
    assertThat(service.status(own)).isEqualTo(status(Code.OVER_LIMIT, limit, 0, 3_560));
    assertThat(service.status(alice)).as("by the rule").isEqualTo(status(Code.OK, PER_USER, 4, 20));
    assertThat(service.status(Requests.override(2, RateLimitUnit.HOUR, bob)).getLimitRemaining())
        .isEqualTo(1);
    assertThat(service.counts("edge.override").totalHits()).isEqualTo(4);
  }

  @Test
  void aLimitOfTheCallerDoesNotShareAThreshold() {
    service.rules(
        """
        domain: edge
        descriptors:
          - key: path
            value: files*
            share_threshold: true
            rate_limit: {unit: minute, requests_per_unit: 5}
            descriptors:
              - {key: user, rate_limit: {unit: minute, requests_per_unit: 5}}
        """);
    RateLimitDescriptor one = Requests.descriptor("path", "files/1");
    RateLimitDescriptor two = Requests.descriptor("path", "files/2");
    assertThat(service.status(one).getLimitRemaining()).isEqualTo(4);
    assertThat(service.status(two).getLimitRemaining()).isEqualTo(3);

    RateLimitDescriptor own = Requests.override(3, RateLimitUnit.MINUTE, one);
    assertThat(service.status(own).getLimitRemaining()).isEqualTo(2);
    assertThat(service.status(own).getLimitRemaining()).isEqualTo(1);
    assertThat(service.status(Requests.override(3, RateLimitUnit.MINUTE, two)).getLimitRemaining())
        .isEqualTo(2);
    assertThat(service.status(two).getLimitRemaining()).isEqualTo(2);

    RateLimitDescriptor below = Requests.descriptor("path", "files/1", "user", "ann");
    service.status(below);
    assertThat(
            service.status(Requests.override(3, RateLimitUnit.MINUTE, below)).getLimitRemaining())
        .as("below a shared pattern")
        .isEqualTo(2);
  }

  @Test
  void aLimitOfTheCallerIsNeverInShadowMode() {
    RateLimitDescriptor none =
        Requests.override(0, RateLimitUnit.DAY, Requests.descriptor("shadow", "x"));

    assertThat(service.status(none).getCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void aLimitOfTheCallerMayBePerWeek() {
    RateLimitDescriptor.Builder weekly = alice.toBuilder();
    weekly.getLimitBuilder().setRequestsPerUnit(2).setUnitValue(7);

    assertThat(service.status(weekly.build()).getCurrentLimit().getUnit())
        .isEqualTo(RateLimit.Unit.WEEK);
  }

  @Test
  void aLimitOfTheCallerNeedsADomain() {
    RateLimitDescriptor none = Requests.override(0, RateLimitUnit.DAY, alice);
    RateLimitResponse answer = service.ask(Requests.request("other", none));

    assertThat(answer.getOverallCode()).isEqualTo(Code.OK);
    assertThat(answer.getStatuses(0))
        .isEqualTo(DescriptorStatus.newBuilder().setCode(Code.OK).build());
  }

  @Test
  void aRuleInShadowModeIsCountedAndPasses() {
    RateLimitDescriptor shadow = Requests.descriptor("shadow", "x");
    RateLimit limit =
        RateLimit.newBuilder().setRequestsPerUnit(2).setUnit(RateLimit.Unit.MINUTE).build();
    assertThat(service.status(Requests.hits(2, shadow))).isEqualTo(status(Code.OK, limit, 0, 20));
    RateLimitResponse over = service.ask(Requests.hits(2, shadow));

    assertThat(over.getOverallCode()).isEqualTo(Code.OK);
    assertThat(over.getStatuses(0)).isEqualTo(status(Code.OK, limit, 0, 20));
    assertThat(service.counts("edge.shadow"))
        .isEqualTo(new EnvoyStats.RuleCounts("edge.shadow", 4, 2, 1, 2, 2, 0));
  }

  @Test
  void aBucketRefillsAndARefusalCostsNothing() {
    RateLimitDescriptor bucket = Requests.descriptor("bucket", "x");
    RateLimit limit =
        RateLimit.newBuilder().setRequestsPerUnit(6).setUnit(RateLimit.Unit.MINUTE).build();
    assertThat(service.status(bucket)).isEqualTo(status(Code.OK, limit, 2, 10));
    assertThat(service.status(bucket)).isEqualTo(status(Code.OK, limit, 1, 20));
    assertThat(service.status(Requests.hits(2, bucket)))
        .isEqualTo(status(Code.OVER_LIMIT, limit, 0, 10));
    assertThat(service.status(bucket)).isEqualTo(status(Code.OK, limit, 0, 30));
    assertThat(service.status(bucket)).isEqualTo(status(Code.OVER_LIMIT, limit, 0, 10));
    service.time.advance(Duration.ofSeconds(10));

    assertThat(service.status(bucket)).isEqualTo(status(Code.OK, limit, 0, 30));
    assertThat(service.status(Requests.hits(4, bucket)))
        .as("more than it holds")
        .isEqualTo(status(Code.OVER_LIMIT, limit, 0, 30));
    assertThat(service.status(Requests.negative(2, bucket)))
        .isEqualTo(status(Code.OK, limit, 2, 10));
    assertThat(service.counts("edge.bucket"))
        .isEqualTo(new EnvoyStats.RuleCounts("edge.bucket", 11, 7, 2, 4, 0, 2));
  }

  @Test
  void aLogCountsTheLastPeriodExactly() {
    RateLimitDescriptor log = Requests.descriptor("log", "x");
    assertThat(service.status(log).getLimitRemaining()).isEqualTo(1);
    service.time.advance(Duration.ofSeconds(25));
    assertThat(service.status(log).getLimitRemaining()).isZero();
    DescriptorStatus refused = service.status(log);
    assertThat(refused.getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(refused.getDurationUntilReset().getSeconds()).isEqualTo(5);
    assertThat(refused.getCurrentLimit().getUnit()).isEqualTo(RateLimit.Unit.UNKNOWN);
    service.time.advance(Duration.ofSeconds(5));

    assertThat(service.status(log).getCode()).isEqualTo(Code.OK);
  }

  @Test
  void periodsAreCountedFromTheEpoch() {
    RateLimitDescriptor odd = Requests.descriptor("odd", "x");
    service.time.set(Instant.ofEpochSecond(45 * 1_000_000L + 44));
    assertThat(service.status(odd).getDurationUntilReset().getSeconds()).isEqualTo(1);
    assertThat(service.status(odd).getLimitRemaining()).isZero();
    assertThat(service.status(odd).getCode()).isEqualTo(Code.OVER_LIMIT);
    service.time.advance(Duration.ofSeconds(1));

    assertThat(service.status(odd).getLimitRemaining()).isEqualTo(1);
    assertThat(service.status(odd).getDurationUntilReset().getSeconds()).isEqualTo(45);
    assertThat(
            service.status(Requests.descriptor("blink", "x")).getDurationUntilReset().getSeconds())
        .as("rounded up")
        .isEqualTo(1);
  }
}
