package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is said about answers that are not as they should be. */
class ComparisonTest {
  private static final Expected.Countdown NOTHING = new Expected.Countdown(0, 0);

  private static final Expected.Answer NO_LIMIT =
      new Expected.Answer(
          "OK", List.of(new Expected.Status("OK", null, NOTHING, null)), null, null);

  private static final Expected.Answer FIVE_A_MINUTE =
      new Expected.Answer(
          "OK",
          List.of(
              new Expected.Status(
                  "OK", Rate.parse("5/MINUTE a"), new Expected.Countdown(4, 2), 60L)),
          null,
          null);

  private static List<String> compare(Expected expected, Reply reply) {
    return compare(expected, reply, Reset.exact());
  }

  private static List<String> compare(Expected expected, Reply reply, Reset reset) {
    return new Comparison(reset, "RateLimit-").compare(expected, reply, 1, 3);
  }

  private static RateLimitResponse.Builder ok() {
    return RateLimitResponse.newBuilder().setOverallCode(Code.OK);
  }

  private static RateLimitResponse.Builder ok(DescriptorStatus.Builder status) {
    return ok().addStatuses(status.setCode(Code.OK));
  }

  private static Reply reply(RateLimitResponse.Builder response) {
    return new Reply.Answer(response.build());
  }

  private static DescriptorStatus.Builder fiveAMinute(int remaining, long reset) {
    return DescriptorStatus.newBuilder()
        .setCurrentLimit(
            RateLimit.newBuilder()
                .setRequestsPerUnit(5)
                .setUnit(RateLimit.Unit.MINUTE)
                .setName("a"))
        .setLimitRemaining(remaining)
        .setDurationUntilReset(Duration.newBuilder().setSeconds(reset));
  }

  @Test
  void hasNothingToSayWhenAllIsRight() {
    assertThat(compare(NO_LIMIT, reply(ok(DescriptorStatus.newBuilder())))).isEmpty();
    assertThat(compare(FIVE_A_MINUTE, reply(ok(fiveAMinute(3, 60))))).isEmpty();
  }

  @Test
  void namesWhatMustNotBeThere() {
    assertThat(compare(NO_LIMIT, reply(ok(fiveAMinute(3, 60)))))
        .containsExactly(
            "statuses[0].current_limit         expected none, got 5/MINUTE a",
            "statuses[0].limit_remaining       expected 0, got 3",
            "statuses[0].duration_until_reset  expected none, got some");
  }

  @Test
  void namesWhatIsMissing() {
    assertThat(compare(FIVE_A_MINUTE, reply(ok(DescriptorStatus.newBuilder()))))
        .containsExactly(
            "statuses[0].current_limit         expected 5/MINUTE a, got none",
            "statuses[0].limit_remaining       expected 3, got 0",
            "statuses[0].duration_until_reset  expected 60, got none");
  }

  @Test
  void namesStatusesThatAreTooFew() {
    assertThat(compare(NO_LIMIT, reply(ok())))
        .containsExactly("statuses  expected 1 of them, got 0 of them");
  }

  @Test
  void acceptsAnyMomentOfTheCallOnARunningClock() {
    Reset reset = Reset.between(1_000_000_000, 1_000_000_001);
    long left = Unit.MINUTE.untilReset(1_000_000_000);

    assertThat(compare(FIVE_A_MINUTE, reply(ok(fiveAMinute(3, left))), reset)).isEmpty();
    assertThat(compare(FIVE_A_MINUTE, reply(ok(fiveAMinute(3, left - 1))), reset)).isEmpty();
    assertThat(compare(FIVE_A_MINUTE, reply(ok(fiveAMinute(3, left + 2))), reset)).hasSize(1);
    assertThat(compare(FIVE_A_MINUTE, reply(ok(fiveAMinute(3, left - 3))), reset)).hasSize(1);
  }

  @Test
  void showsAnErrorInPlaceOfAnAnswer() {
    assertThat(compare(NO_LIMIT, new Reply.Failure("INTERNAL", "oh")))
        .containsExactly("answer  expected an answer, got the error INTERNAL: oh");
  }

  @Test
  void showsAnAnswerInPlaceOfAnError() {
    Expected failure = new Expected.Failure(Set.of("UNKNOWN"), "no domain");

    assertThat(compare(failure, reply(ok())))
        .containsExactly("answer  expected an error, got an answer");
    assertThat(compare(failure, new Reply.Failure("UNKNOWN", "there is no domain"))).isEmpty();
    assertThat(compare(failure, new Reply.Failure("INTERNAL", "oh")))
        .containsExactly(
            "status   expected UNKNOWN, got INTERNAL", "message  expected no domain, got oh");
  }

  @Test
  void comparesHeaderFields() {
    Expected expected =
        new Expected.Answer(
            "OK", List.of(), new Expected.Headers(5, new Expected.Countdown(3, 3), 60), null);
    RateLimitResponse.Builder response = ok();
    response.addResponseHeadersToAdd(header("RateLimit-Limit", "5"));
    response.addResponseHeadersToAdd(header("RateLimit-Remaining", "4"));
    response.addResponseHeadersToAdd(header("X-Other", "1"));

    assertThat(compare(expected, reply(response)))
        .containsExactly(
            "RateLimit-Remaining  expected 3, got 4",
            "RateLimit-Reset      expected 60, got none",
            "other header fields  expected none, got {X-Other=1}");
    assertThat(compare(new Expected.Answer("OK", List.of(), null, null), reply(response)))
        .singleElement()
        .asString()
        .startsWith("response_headers_to_add  expected none, got {RateLimit-Limit=5,");
  }

  private static HeaderValue header(String key, String value) {
    return HeaderValue.newBuilder().setKey(key).setValue(value).build();
  }

  @Test
  void comparesMetadataInDepth() {
    Expected expected =
        new Expected.Answer(
            "OK",
            List.of(),
            null,
            Map.of("name", "a", "list", List.of(1, Map.of("deep", "<any>")), "gone", true));
    Value deep =
        Value.newBuilder()
            .setStructValue(Struct.newBuilder().putFields("deep", text("whatever")))
            .build();
    ListValue list =
        ListValue.newBuilder()
            .addValues(Value.newBuilder().setNumberValue(2))
            .addValues(deep)
            .build();
    RateLimitResponse.Builder response =
        ok().setDynamicMetadata(
                Struct.newBuilder()
                    .putFields("name", text("b"))
                    .putFields("list", Value.newBuilder().setListValue(list).build())
                    .putFields("more", text("c")));

    assertThat(compare(expected, reply(response)))
        .containsExactlyInAnyOrder(
            "dynamic_metadata.name     expected a, got b",
            "dynamic_metadata.list[0]  expected 1.0, got 2.0",
            "dynamic_metadata.gone     expected true, got none",
            "dynamic_metadata.more     expected none, got c");
    assertThat(compare(new Expected.Answer("OK", List.of(), null, null), reply(response)))
        .containsExactly("dynamic_metadata  expected none, got some");
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }
}
