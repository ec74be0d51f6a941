package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.Operation;
import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitResponse.DescriptorStatus;
import dev.weir.policy.FailureMode;
import dev.weir.server.envoy.EnvoyOptions.WhenOver;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request that a limit refuses is counted there only. */
class StopWhenOverTest {
  private final List<SlowStore> stores = new ArrayList<>();
  private final TestService service =
      TestService.on(
          this::recording,
          """
          domain: edge
          descriptors:
            - {key: a, rate_limit: {unit: minute, requests_per_unit: 10}}
            - {key: b, rate_limit: {unit: minute, requests_per_unit: 5}}
            - {key: shut, rate_limit: {unit: minute, requests_per_unit: 0}}
            - {key: shadow, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 2}}
            - {key: quota, quota_mode: true, rate_limit: {unit: minute, requests_per_unit: 2}}
            - key: bucket
              rate_limit: {unit: minute, requests_per_unit: 3, algorithm: token_bucket}
          """);
  private final SlowStore store = stores.get(0);
  private final RateLimitDescriptor a = Requests.descriptor("a", "x");
  private final RateLimitDescriptor b = Requests.descriptor("b", "x");
  private final RateLimitDescriptor shadow = Requests.descriptor("shadow", "x");
  private final RateLimitDescriptor quota = Requests.descriptor("quota", "x");

  private CounterStore recording(CounterStore counters) {
    SlowStore recording = new SlowStore(counters);
    stores.add(recording);
    return recording;
  }

  @BeforeEach
  void stopWhenOver() {
    service.decider.use(TestService.options(false, WhenOver.COUNT_OVER, FailureMode.CLOSED));
  }

  private int left(RateLimitDescriptor descriptor) {
    return service.status(Requests.hits(0, descriptor)).getLimitRemaining();
  }

  /** By giving back hits until it has room: how far a count is above a limit is not told. */
  private int count(int limit, RateLimitDescriptor descriptor) {
    int givenBack = 0;
    while (left(descriptor) == 0) {
      service.ask(Requests.negative(1, descriptor));
      givenBack++;
    }
    return limit - 1 + givenBack;
  }

  private static List<Code> codes(RateLimitResponse answer) {
    return answer.getStatusesList().stream().map(DescriptorStatus::getCode).toList();
  }

  private static List<Integer> remaining(RateLimitResponse answer) {
    return answer.getStatusesList().stream().map(DescriptorStatus::getLimitRemaining).toList();
  }

  @Test
  void twentyRequestsUnderTwoLimits() {
    int passed = 0;
    for (int i = 0; i < 20; i++) {
      passed += service.ask(a, b).getOverallCode() == Code.OK ? 1 : 0;
    }

    assertThat(passed).isEqualTo(5);
    assertThat(service.counts("edge.a"))
        .isEqualTo(new EnvoyStats.RuleCounts("edge.a", 20, 0, 0, 20, 0, 0));
    assertThat(service.counts("edge.b"))
        .isEqualTo(new EnvoyStats.RuleCounts("edge.b", 20, 15, 1, 5, 0, 0));
    assertThat(left(a)).isEqualTo(5);
    assertThat(count(5, b)).isEqualTo(20);
  }

  @Test
  void countsAreReadBeforeAnythingIsCharged() {
    service.ask(a, b);

    assertThat(store.asked)
        .hasExactlyElementsOfTypes(
            Operation.Peek.class,
            Operation.Peek.class,
            Operation.Acquire.class,
            Operation.Acquire.class);
  }

  @Test
  void oneCounterNamedTwiceShowsRunningValues() {
    RateLimitResponse passed = service.ask(b, Requests.hits(2, b), a);
    assertThat(codes(passed)).containsExactly(Code.OK, Code.OK, Code.OK);
    assertThat(remaining(passed)).containsExactly(4, 2, 9);

    // Neither 1 nor 2 is more than what is left, both together are: the request is charged.
    RateLimitResponse over = service.ask(b, Requests.hits(2, b), a);
    assertThat(codes(over)).containsExactly(Code.OK, Code.OVER_LIMIT, Code.OK);
    assertThat(remaining(over)).containsExactly(1, 0, 8);

    // Now either is over, so a is not charged.
    RateLimitResponse stopped = service.ask(b, Requests.hits(2, b), a);
    assertThat(codes(stopped)).containsExactly(Code.OVER_LIMIT, Code.OVER_LIMIT, Code.OK);
    assertThat(remaining(stopped)).containsExactly(0, 0, 8);
    assertThat(count(5, b)).isEqualTo(9);
  }

  @Test
  void aDescriptorThatIsStoppedSeesWhatOthersOfItsCounterCharge() {
    service.ask(Requests.hits(4, b));

    assertThat(codes(service.ask(b, Requests.hits(2, b))))
        .containsExactly(Code.OK, Code.OVER_LIMIT);
    service.ask(Requests.negative(2, b));
    assertThat(codes(service.ask(Requests.hits(2, b), b)))
        .containsExactly(Code.OVER_LIMIT, Code.OVER_LIMIT);
  }

  @Test
  void readingACountThatIsOverStopsTheOthers() {
    service.ask(Requests.hits(6, b));
    RateLimitResponse answer = service.ask(a, Requests.hits(0, b));

    assertThat(codes(answer)).containsExactly(Code.OK, Code.OVER_LIMIT);
    assertThat(left(a)).isEqualTo(10);
  }

  @Test
  void allThatAreOverAreCounted() {
    service.ask(Requests.hits(10, a), Requests.hits(5, b));
    RateLimitResponse answer = service.ask(a, b, Requests.descriptor("a", "y"));

    assertThat(codes(answer)).containsExactly(Code.OVER_LIMIT, Code.OVER_LIMIT, Code.OK);
    assertThat(remaining(answer)).containsExactly(0, 0, 10);
    assertThat(count(10, a)).isEqualTo(11);
    assertThat(count(5, b)).isEqualTo(6);
  }

  @Test
  void onlyTheDescriptorsThatAreOverAreCharged() {
    service.ask(Requests.hits(6, a), Requests.hits(2, b));
    RateLimitResponse answer = service.ask(Requests.hits(6, a), Requests.hits(2, b));

    assertThat(codes(answer)).containsExactly(Code.OVER_LIMIT, Code.OK);
    assertThat(remaining(answer)).containsExactly(0, 3);
    assertThat(count(10, a)).isEqualTo(12);
    assertThat(left(b)).isEqualTo(3);
    assertThat(service.counts("edge.a"))
        .as("of the second six, two fell above the limit")
        .isEqualTo(new EnvoyStats.RuleCounts("edge.a", 12, 2, 2, 6, 0, 3));
  }

  @Test
  void moreThanALimitHasIsCounted() {
    RateLimitResponse answer = service.ask(Requests.hits(12, a), b);

    assertThat(codes(answer)).containsExactly(Code.OVER_LIMIT, Code.OK);
    assertThat(count(10, a)).isEqualTo(12);
    assertThat(left(b)).isEqualTo(5);
  }

  @Test
  void aLimitOfZeroStopsTheOthers() {
    RateLimitResponse answer = service.ask(a, Requests.descriptor("shut", ""), b);

    assertThat(codes(answer)).containsExactly(Code.OK, Code.OVER_LIMIT, Code.OK);
    assertThat(left(a)).isEqualTo(10);
    assertThat(left(b)).isEqualTo(5);
  }

  @Test
  void otherAlgorithmsTakePartAndChargeNothingForARefusal() {
    RateLimitDescriptor bucket = Requests.descriptor("bucket", "x");
    service.ask(Requests.hits(3, bucket));
    RateLimitResponse answer = service.ask(a, bucket);

    assertThat(codes(answer)).containsExactly(Code.OK, Code.OVER_LIMIT);
    assertThat(left(a)).isEqualTo(10);
    assertThat(service.counts("edge.bucket").overLimit()).isEqualTo(1);
  }

  @Test
  void shadowsAndQuotasStopNobody() {
    service.ask(Requests.hits(2, shadow), Requests.hits(2, quota));
    RateLimitResponse answer = service.ask(a, shadow, quota, Requests.descriptor("quota", "y"));

    assertThat(answer.getOverallCode()).isEqualTo(Code.OK);
    assertThat(codes(answer)).containsExactly(Code.OK, Code.OK, Code.OVER_LIMIT, Code.OK);
    assertThat(remaining(answer)).containsExactly(9, 0, 0, 1);
    assertThat(count(2, quota)).isEqualTo(3);
  }

  @Test
  void shadowsAndQuotasAreStopped() {
    service.ask(Requests.hits(5, b), Requests.hits(2, quota));
    RateLimitResponse answer = service.ask(shadow, b, quota, Requests.descriptor("quota", "y"));

    assertThat(codes(answer)).containsExactly(Code.OK, Code.OVER_LIMIT, Code.OVER_LIMIT, Code.OK);
    assertThat(left(shadow)).isEqualTo(2);
    assertThat(left(Requests.descriptor("quota", "y"))).isEqualTo(2);
    assertThat(count(2, quota)).as("is over itself").isEqualTo(3);
  }

  @Test
  void hitsThatOnlyLookOrAreGivenBackGoOn() {
    service.ask(Requests.hits(5, b), Requests.hits(4, a));
    RateLimitResponse answer = service.ask(b, Requests.negative(3, a), Requests.hits(0, a));

    assertThat(codes(answer)).containsExactly(Code.OVER_LIMIT, Code.OK, Code.OK);
    assertThat(left(a)).isEqualTo(9);
  }
}
