package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitUnit;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("T28: descriptors have bounds")
class RequestBoundsTest {
  private final TestService service =
      TestService.with(
          """
          domain: edge
          descriptors:
            - key: user
              rate_limit: {unit: minute, requests_per_unit: 1000}
          """);
  private final RateLimitDescriptor user = Requests.descriptor("user", "alice");

  private void assertRefused(RateLimitRequest request, RateLimitException.Kind kind, String text) {
    long before = service.stats.snapshot().serviceErrors();
    RateLimitException refused = service.failure(request);

    assertThat(refused.getMessage()).isEqualTo(text);
    assertThat(refused.kind()).isEqualTo(kind);
    assertThat(service.stats.snapshot().serviceErrors()).isEqualTo(before + 1);
  }

  private void assertMalformed(RateLimitRequest request, String text) {
    assertRefused(request, RateLimitException.Kind.MALFORMED, text);
  }

  private static RateLimitDescriptor[] times(int count, RateLimitDescriptor descriptor) {
    RateLimitDescriptor[] all = new RateLimitDescriptor[count];
    Arrays.fill(all, descriptor);
    return all;
  }

  private static RateLimitDescriptor entries(int count) {
    String[] all = new String[2 * count];
    Arrays.fill(all, "user");
    return Requests.descriptor(all);
  }

  @Test
  void whatTheReferenceRefusesIsRefusedWithItsWords() {
    assertRefused(
        Requests.request("", user),
        RateLimitException.Kind.UNDECIDABLE,
        "rate limit domain must not be empty");
    assertRefused(
        Requests.request("edge"),
        RateLimitException.Kind.UNDECIDABLE,
        "rate limit descriptor list must not be empty");
  }

  @Test
  void withoutRulesNothingIsDecided() {
    TestService empty = TestService.with("domain: edge");
    RateLimitDecider decider = new RateLimitDecider(empty.counters, empty.stats);

    assertThat(decider.decide(Requests.request("edge", user)).toCompletableFuture())
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .withMessage("no rate limit configuration loaded");
  }

  @Test
  void descriptorsAndEntriesAreCounted() {
    assertThat(service.ask(times(100, user)).getStatusesCount()).isEqualTo(100);
    assertMalformed(
        Requests.request("edge", times(101, user)), "descriptors must be at most 100, got 101");
    assertThat(service.status(entries(8)).getCode()).isEqualTo(Code.OK);
    assertMalformed(
        Requests.request("edge", user, entries(9)),
        "descriptors[1].entries must be at most 8, got 9");
  }

  @ParameterizedTest
  @CsvSource({"a, 1024", "ä, 512", "€, 341", "😀, 256"})
  void textsHaveAtMostOneKibibyte(String character, int most) {
    String longest = character.repeat(most);
    String tooLong = character.repeat(most + 1);

    assertThat(service.status(Requests.descriptor("user", longest)).getCode()).isEqualTo(Code.OK);
    assertThat(service.status(Requests.descriptor(longest, "")).getCode()).isEqualTo(Code.OK);
    assertThat(service.ask(Requests.request(longest, user)).getOverallCode()).isEqualTo(Code.OK);
    assertMalformed(
        Requests.request("edge", user, Requests.descriptor("a", "b", "user", tooLong)),
        "descriptors[1].entries[1].value must have at most 1024 bytes");
    assertMalformed(
        Requests.request("edge", Requests.descriptor(tooLong, "")),
        "descriptors[0].entries[0].key must have at most 1024 bytes");
    assertMalformed(Requests.request(tooLong, user), "domain must have at most 1024 bytes");
  }

  @Test
  void aLimitOfTheCallerHasAUnit() {
    assertMalformed(
        Requests.request("edge", user, Requests.override(5, RateLimitUnit.UNKNOWN, user)),
        "descriptors[1].limit.unit must be a known unit, got 0");
    RateLimitDescriptor.Builder odd = Requests.override(5, RateLimitUnit.DAY, user).toBuilder();
    odd.getLimitBuilder().setUnitValue(99);
    assertMalformed(
        Requests.request("edge", odd.build()),
        "descriptors[0].limit.unit must be a known unit, got 99");
    assertThat(service.counts("edge.user").totalHits()).as("hits of refused requests").isZero();
  }

  @Test
  void unknownDomainsAndKeysPassAndAreCounted() {
    assertThat(service.ask(Requests.request("other", user, user)).getOverallCode())
        .isEqualTo(Code.OK);
    assertThat(service.status(Requests.descriptor("usr", "alice")).hasCurrentLimit()).isFalse();
    assertThat(service.status(Requests.descriptor()).getCode()).isEqualTo(Code.OK);

    assertThat(service.stats.snapshot().noMatch()).isEqualTo(4);
  }
}
