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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("T46: a refused request consumes nothing")
class AllOrNothingTest {
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

  private CounterStore recording(CounterStore counters) {
    SlowStore recording = new SlowStore(counters);
    stores.add(recording);
    return recording;
  }

  @BeforeEach
  void allOrNothing() {
    service.decider.use(TestService.options(false, WhenOver.COUNT_NOTHING, FailureMode.CLOSED));
  }

  private int left(RateLimitDescriptor descriptor) {
    return service.status(Requests.hits(0, descriptor)).getLimitRemaining();
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
      RateLimitResponse answer = service.ask(a, b);
      passed += answer.getOverallCode() == Code.OK ? 1 : 0;
      assertThat(store.asked).hasSize(i + 1);
    }

    assertThat(passed).isEqualTo(5);
    assertThat(left(a)).isEqualTo(5);
    assertThat(left(b)).isZero();
    assertThat(service.counts("edge.a"))
        .isEqualTo(new EnvoyStats.RuleCounts("edge.a", 20, 0, 0, 20, 0, 0));
    assertThat(service.counts("edge.b"))
        .isEqualTo(new EnvoyStats.RuleCounts("edge.b", 20, 15, 1, 5, 0, 0));
  }

  @Test
  void statusesTellWhichOneRefused() {
    for (int i = 0; i < 5; i++) {
      service.ask(b);
    }
    RateLimitResponse answer = service.ask(a, b);

    assertThat(answer.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(codes(answer)).containsExactly(Code.OK, Code.OVER_LIMIT);
    assertThat(remaining(answer)).containsExactly(10, 0);
    assertThat(answer.getStatuses(0).getDurationUntilReset().getSeconds()).isEqualTo(20);
  }

  @Test
  void otherHitsAreOtherOperationsAndGivenBack() {
    RateLimitResponse passed = service.ask(Requests.hits(4, a), Requests.hits(2, b));
    assertThat(codes(passed)).containsExactly(Code.OK, Code.OK);
    assertThat(remaining(passed)).containsExactly(6, 3);
    store.asked.clear();
    RateLimitResponse refused = service.ask(Requests.hits(7, a), Requests.hits(2, b));

    assertThat(codes(refused)).containsExactly(Code.OVER_LIMIT, Code.OK);
    assertThat(remaining(refused)).containsExactly(0, 3);
    assertThat(store.asked)
        .hasExactlyElementsOfTypes(
            Operation.Acquire.class, Operation.Acquire.class, Operation.Refund.class);
    assertThat(left(a)).isEqualTo(6);
    assertThat(left(b)).isEqualTo(3);
  }

  @Test
  void thoseThatWereNotAskedAreLookedAt() {
    service.ask(Requests.hits(10, a));
    store.asked.clear();
    RateLimitResponse answer =
        service.ask(a, Requests.hits(2, b), Requests.hits(3, Requests.descriptor("a", "y")));

    assertThat(codes(answer)).containsExactly(Code.OVER_LIMIT, Code.OK, Code.OK);
    assertThat(remaining(answer)).containsExactly(0, 5, 10);
    assertThat(store.asked)
        .hasExactlyElementsOfTypes(
            Operation.Acquire.class, Operation.Peek.class, Operation.Peek.class);
    RateLimitResponse both = service.ask(a, Requests.hits(6, b));
    assertThat(codes(both)).containsExactly(Code.OVER_LIMIT, Code.OVER_LIMIT);
  }

  @Test
  void oneCounterIsChargedTheSum() {
    RateLimitResponse answer = service.ask(b, Requests.hits(2, b), a);
    assertThat(remaining(answer)).containsExactly(2, 2, 9);
    RateLimitResponse refused = service.ask(b, Requests.hits(2, b), a);

    assertThat(codes(refused)).containsExactly(Code.OVER_LIMIT, Code.OVER_LIMIT, Code.OK);
    assertThat(left(b)).isEqualTo(2);
    assertThat(left(a)).isEqualTo(9);
  }

  @Test
  void aLimitOfZeroRefusesAndTheOthersAreLookedAt() {
    RateLimitResponse answer = service.ask(a, Requests.descriptor("shut", ""), b);

    assertThat(codes(answer)).containsExactly(Code.OK, Code.OVER_LIMIT, Code.OK);
    assertThat(left(a)).isEqualTo(10);
    assertThat(left(b)).isEqualTo(5);
  }

  @Test
  void hugeHitsRefuse() {
    RateLimitResponse answer =
        service.ask(Requests.hits(0xFFFF_FFFFL, a), Requests.hits(0xFFFF_FFFFL, a), b);

    assertThat(codes(answer)).containsExactly(Code.OVER_LIMIT, Code.OVER_LIMIT, Code.OK);
    assertThat(left(a)).isEqualTo(10);
    assertThat(left(b)).isEqualTo(5);
  }

  @Test
  void otherAlgorithmsTakePart() {
    RateLimitDescriptor bucket = Requests.descriptor("bucket", "x");
    for (int i = 0; i < 3; i++) {
      assertThat(service.ask(a, bucket).getOverallCode()).isEqualTo(Code.OK);
    }
    RateLimitResponse refused = service.ask(a, bucket);

    assertThat(codes(refused)).containsExactly(Code.OK, Code.OVER_LIMIT);
    assertThat(left(a)).isEqualTo(7);
  }

  @Test
  void shadowsAndQuotasAreCountedEachByItself() {
    RateLimitDescriptor shadow = Requests.descriptor("shadow", "x");
    RateLimitDescriptor quota = Requests.descriptor("quota", "x");
    for (int i = 0; i < 5; i++) {
      service.ask(b);
    }
    RateLimitResponse answer = service.ask(shadow, quota, a, b, Requests.hits(0, a));

    assertThat(codes(answer)).containsExactly(Code.OK, Code.OK, Code.OK, Code.OVER_LIMIT, Code.OK);
    assertThat(remaining(answer)).containsExactly(1, 1, 10, 0, 10);
    assertThat(service.status(Requests.negative(2, b)).getLimitRemaining()).isEqualTo(2);
  }

  @Test
  void countsGoOnWhenTheOptionChanges() {
    for (int i = 0; i < 5; i++) {
      service.ask(b);
    }
    service.decider.use(EnvoyOptions.STANDARD);
    assertThat(service.status(b).getCode()).isEqualTo(Code.OVER_LIMIT);
    service.decider.use(TestService.options(false, WhenOver.COUNT_NOTHING, FailureMode.CLOSED));

    assertThat(service.status(b).getCode()).isEqualTo(Code.OVER_LIMIT);
    service.status(Requests.negative(2, b));
    assertThat(service.status(b).getCode()).isEqualTo(Code.OK);
  }
}
