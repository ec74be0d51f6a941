package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.util.JsonFormat;
import dev.weir.envoy.api.HeaderValue;
import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitResponse.DescriptorStatus;
import dev.weir.envoy.api.RateLimitUnit;
import dev.weir.policy.FailureMode;
import dev.weir.server.envoy.EnvoyOptions.WhenOver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the descriptors of a request come to. */
class AnswerTest {
  private final TestService service =
      TestService.with(
          """
          domain: edge
          descriptors:
            - key: open
              metadata: {team: core, quota: {a: 1, b: [1]}}
              rate_limit: {unit: minute, requests_per_unit: 10}
            - key: shut
              metadata: {secret: true}
              rate_limit: {unit: hour, requests_per_unit: 0}
            - key: shadow
              shadow_mode: true
              metadata: {team: other, quota: {b: 2, c: 3}, late: ~}
              rate_limit: {unit: hour, requests_per_unit: 0}
            - key: quota
              quota_mode: true
              rate_limit: {unit: minute, requests_per_unit: 7}
            - key: quotashut
              quota_mode: true
              rate_limit: {unit: day, requests_per_unit: 0}
            - key: quotashadow
              quota_mode: true
              shadow_mode: true
              rate_limit: {unit: day, requests_per_unit: 0}
            - key: free
              quota_mode: true
              metadata: {free: true}
              rate_limit: {unlimited: true}
          """);

  private static RateLimitRequest request(String keys) {
    List<RateLimitDescriptor> descriptors = new ArrayList<>();
    for (String key : keys.split(" ", -1)) {
      descriptors.add(Requests.descriptor(key, "x"));
    }
    return Requests.request("edge", descriptors.toArray(RateLimitDescriptor[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "open, OK",
    "open open, OK",
    "shut, OVER_LIMIT",
    "open shut, OVER_LIMIT",
    "shut open, OVER_LIMIT",
    "none shut, OVER_LIMIT",
    "none, OK",
    "shadow, OK",
    "shadow open none, OK",
    "shadow shut, OVER_LIMIT",
    "free, OK",
    "free shut, OVER_LIMIT",
    "quota, OK",
    "quotashut, OVER_LIMIT",
    "quotashut quotashut, OVER_LIMIT",
    "quotashut quota, OK",
    "quota quotashut, OK",
    "quota quotashut shut, OVER_LIMIT",
    "quota quotashut open, OK",
    "quotashut open, OVER_LIMIT",
    "quotashut none, OVER_LIMIT",
    "quotashut free, OVER_LIMIT",
    "quotashut shadow, OVER_LIMIT",
    "quotashut quotashadow, OK",
    "quotashadow, OK",
  })
  void isOverIfOneIsOrAllQuotasAre(String keys, Code code) {
    RateLimitResponse answer = service.ask(request(keys));

    assertThat(answer.getOverallCode()).isEqualTo(code);
    String[] each = keys.split(" ", -1);
    assertThat(answer.getStatusesCount()).isEqualTo(each.length);
    for (int i = 0; i < each.length; i++) {
      boolean isShut = each[i].equals("shut") || each[i].equals("quotashut");
      assertThat(answer.getStatuses(i).getCode())
          .as("status %d of %s", i, keys)
          .isEqualTo(isShut ? Code.OVER_LIMIT : Code.OK);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "open shut, OK",
    "shut quota, OK",
    "shut shut, OVER_LIMIT",
    "shut quotashut, OVER_LIMIT",
    "shut shadow, OK",
    "shut free, OVER_LIMIT",
    // One without a rule is a quota too, which is never used up.
    "shut none, OK",
    "free none, OK",
  })
  void inQuotaModeAllHaveToBeOver(String keys, Code code) {
    service.decider.use(
        new EnvoyOptions(
            false, true, Optional.empty(), false, WhenOver.COUNT_ALL, FailureMode.LOCAL, 1));

    assertThat(service.ask(request(keys)).getOverallCode()).isEqualTo(code);
  }

  @Test
  void inQuotaModeALimitOfTheCallerIsAQuota() {
    service.decider.use(
        new EnvoyOptions(
            false, true, Optional.empty(), false, WhenOver.COUNT_NOTHING, FailureMode.LOCAL, 1));
    RateLimitDescriptor own =
        Requests.override(1, RateLimitUnit.HOUR, Requests.descriptor("own", "x"));
    RateLimitDescriptor open = Requests.descriptor("open", "x");
    service.ask(own, open);
    RateLimitResponse answer = service.ask(own, open);

    assertThat(answer.getOverallCode()).isEqualTo(Code.OK);
    assertThat(answer.getStatuses(0).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(answer.getStatuses(1).getLimitRemaining()).as("it passed").isEqualTo(8);
  }

  @Test
  void inShadowModeAllPassAndStatusesTellTheTruth() {
    service.decider.use(TestService.options(true, WhenOver.COUNT_ALL, FailureMode.LOCAL));
    RateLimitResponse answer = service.ask(request("open shut"));

    assertThat(answer.getOverallCode()).isEqualTo(Code.OK);
    assertThat(answer.getStatuses(1).getCode()).isEqualTo(Code.OVER_LIMIT);
    service.ask(request("open"));
    assertThat(service.stats.snapshot().globalShadowMode()).isEqualTo(1);
  }

  private static EnvoyOptions options(
      Optional<EnvoyOptions.HeaderNames> names, boolean dynamicMetadata) {
    return new EnvoyOptions(
        false, false, names, dynamicMetadata, WhenOver.COUNT_ALL, FailureMode.LOCAL, 1);
  }

  private static HeaderValue header(String key, String value) {
    return HeaderValue.newBuilder().setKey(key).setValue(value).build();
  }

  private void useHeaders(EnvoyOptions.HeaderNames names) {
    service.decider.use(options(Optional.of(names), false));
  }

  @ParameterizedTest
  @CsvSource({
    // The one that refuses, else the one with the least remaining.
    "open, 10, 9, 20",
    "open quota, 7, 6, 20",
    "quota open, 7, 6, 20",
    "open open, 10, 8, 20",
    "shut open, 0, 0, 3560",
    "open shut, 0, 0, 3560",
    "quotashut open, 0, 0, 50360",
    "quotashut shut, 0, 0, 3560",
    "none open free, 10, 9, 20",
    "shadow open, 0, 0, 3560",
  })
  void headersTellTheLimitThatMatters(String keys, String limit, String remaining, String reset) {
    useHeaders(EnvoyOptions.HeaderNames.STANDARD);

    assertThat(service.ask(request(keys)).getResponseHeadersToAddList())
        .containsExactly(
            header("RateLimit-Limit", limit),
            header("RateLimit-Remaining", remaining),
            header("RateLimit-Reset", reset));
  }

  @Test
  void headersHaveTheNamesThatWereGiven() {
    useHeaders(new EnvoyOptions.HeaderNames("X-A", "X-B", "X-C"));

    assertThat(service.ask(request("open")).getResponseHeadersToAddList())
        .containsExactly(header("X-A", "10"), header("X-B", "9"), header("X-C", "20"));
  }

  @Test
  void thereAreNoHeadersUnlessALimitHolds() {
    assertThat(service.ask(request("open")).getResponseHeadersToAddList()).isEmpty();
    useHeaders(EnvoyOptions.HeaderNames.STANDARD);

    assertThat(service.ask(request("none free")).getResponseHeadersToAddList()).isEmpty();
  }

  private static Struct struct(String json) throws InvalidProtocolBufferException {
    Struct.Builder struct = Struct.newBuilder();
    JsonFormat.parser().merge(json, struct);
    return struct.build();
  }

  @Test
  void metadataTellsWhatWasAskedAndWhatPassed() throws InvalidProtocolBufferException {
    service.decider.use(options(Optional.empty(), true));
    RateLimitRequest request =
        request("open shut shadow free").toBuilder()
            .setHitsAddend(2)
            .addDescriptors(
                Requests.override(
                    5,
                    RateLimitUnit.HOUR,
                    Requests.hits(RequestBounds.MAX_HITS, Requests.descriptor("a", "b", "c", ""))))
            .build();

    assertThat(service.ask(request).getDynamicMetadata())
        .isEqualTo(
            struct(
                """
                {"domain": "edge",
                 "descriptors": [
                   {"entries": ["open=x"]}, {"entries": ["shut=x"]}, {"entries": ["shadow=x"]},
                   {"entries": ["free=x"]},
                   {"entries": ["a=b", "c="], "limit": "requests_per_unit:5 unit:HOUR",
                    "hitsAddend": 4294967295}],
                 "hitsAddend": 2,
                 "metadata": {"team": "core", "quota": {"a": 1, "b": [1], "c": 3}, "late": null}}
                """));
  }

  @Test
  void metadataHasNothingThatIsNotThere() throws InvalidProtocolBufferException {
    assertThat(service.ask(request("open")).hasDynamicMetadata()).isFalse();
    service.decider.use(options(Optional.empty(), true));

    assertThat(service.ask(request("shut")).getDynamicMetadata())
        .isEqualTo(
            struct("{\"domain\": \"edge\", \"descriptors\": [{\"entries\": [\"shut=x\"]}]}"));
  }

  @Test
  void rulesReplaceOthersOfTheRequest() {
    service.rules(
        """
        domain: edge
        descriptors:
          - {key: slow, rate_limit: {unit: minute, requests_per_unit: 1, name: slow}}
          - {key: shut, rate_limit: {unit: minute, requests_per_unit: 0, name: shut}}
          - key: gold
            rate_limit: {unit: minute, requests_per_unit: 9, replaces: [{name: slow}, {name: gold}]}
          - key: vip
            rate_limit: {unlimited: true, name: vip, replaces: [{name: slow}, {name: shut}]}
          - {key: all, rate_limit: {unit: minute, requests_per_unit: 9, replaces: [{name: vip}]}}
        """);
    RateLimitResponse answer = service.ask(request("slow gold slow"));
    DescriptorStatus none = DescriptorStatus.newBuilder().setCode(Code.OK).build();
    assertThat(answer.getStatuses(0)).isEqualTo(none);
    assertThat(answer.getStatuses(1).getLimitRemaining()).isEqualTo(8);
    assertThat(answer.getStatuses(2)).isEqualTo(none);
    assertThat(service.counts("edge.slow").totalHits()).isZero();

    assertThat(service.ask(request("slow")).getStatuses(0).getLimitRemaining()).isZero();
    assertThat(service.ask(request("slow")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(service.ask(request("shut vip slow")).getOverallCode()).isEqualTo(Code.OK);
    assertThat(service.ask(request("vip all")).getStatuses(0).getLimitRemaining())
        .as("what is unlimited is not replaced")
        .isEqualTo(-1);
    assertThat(service.stats.snapshot().noMatch()).isZero();
  }
}
