package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.DirectCounterStore;
import dev.weir.Operation;
import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitResponse.DescriptorStatus;
import dev.weir.policy.FailureMode;
import dev.weir.server.envoy.EnvoyOptions.WhenOver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters that are elsewhere, and what happens when they cannot be reached. */
class StoreFailuresTest {
  private static final String RULES =
      """
      domain: edge
      descriptors:
        - {key: user, rate_limit: {unit: minute, requests_per_unit: 5}}
        - {key: tenant, rate_limit: {unit: minute, requests_per_unit: 9}}
        - key: bucket
          rate_limit: {unit: minute, requests_per_unit: 6, burst: 9, algorithm: token_bucket}
        - {key: shut, rate_limit: {unit: minute, requests_per_unit: 0}}
      """;

  private final List<SlowStore> stores = new ArrayList<>();
  private final TestService service = TestService.on(this::slow, RULES);
  private final SlowStore store = stores.get(0);
  private final RateLimitDescriptor alice = Requests.descriptor("user", "alice");
  private final RateLimitDescriptor acme = Requests.descriptor("tenant", "acme");

  private CounterStore slow(CounterStore counters) {
    SlowStore slow = new SlowStore(counters);
    stores.add(slow);
    return slow;
  }

  private void use(FailureMode mode, int nodes, boolean allOrNothing) {
    use(mode, nodes, allOrNothing ? WhenOver.COUNT_NOTHING : WhenOver.COUNT_ALL);
  }

  private void use(FailureMode mode, int nodes, WhenOver whenOver) {
    service.decider.use(
        new EnvoyOptions(false, false, Optional.empty(), false, whenOver, mode, nodes));
  }

  @Test
  void everythingIsAskedForBeforeAnythingIsWaitedFor() {
    store.answersAtOnce = false;
    CompletableFuture<RateLimitResponse> answer =
        service
            .decider
            .decide(Requests.request("edge", alice, Requests.descriptor("shut", ""), acme, alice))
            .toCompletableFuture();

    assertThat(store.waiting()).isEqualTo(3);
    assertThat(answer).isNotDone();
    store.answer();
    assertThat(answer.join().getStatusesList())
        .extracting(DescriptorStatus::getLimitRemaining)
        .as("the last was counted first")
        .containsExactly(3, 0, 8, 4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void openLetsPass(boolean allOrNothing) {
    use(FailureMode.OPEN, 1, allOrNothing);
    store.failing.add(1);
    RateLimitResponse answer = service.ask(alice, Requests.hits(2, acme));

    assertThat(answer.getOverallCode()).isEqualTo(Code.OK);
    assertThat(answer.getStatuses(1))
        .isEqualTo(DescriptorStatus.newBuilder().setCode(Code.OK).build());
    assertThat(answer.getStatuses(0).hasCurrentLimit()).isEqualTo(!allOrNothing);
    assertThat(service.stats.snapshot().failedOpen()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closedFails(boolean throwing) {
    use(FailureMode.CLOSED, 1, false);
    store.failing.add(1);
    store.throwsInPlaceOfFailing = throwing;
    RateLimitException failure = service.failure(Requests.request("edge", alice, acme));

    assertThat(failure.getMessage()).isEqualTo("counters could not be reached");
    assertThat(failure.kind()).isEqualTo(RateLimitException.Kind.UNREACHABLE);
    assertThat(service.stats.snapshot().failedClosed()).isEqualTo(1);
    assertThat(service.stats.snapshot().serviceErrors()).isZero();
  }

  @Test
  void closedFailsAllOrNothing() {
    use(FailureMode.CLOSED, 1, true);
    store.isAway = true;

    assertThat(service.failure(Requests.request("edge", alice, acme)).kind())
        .isEqualTo(RateLimitException.Kind.UNREACHABLE);
  }

  @Test
  void localCountsItsShareHere() {
    use(FailureMode.LOCAL, 2, false);
    store.isAway = true;

    assertThat(service.passes(alice)).as("of 5 for two").isEqualTo(3);
    assertThat(service.passes(acme)).as("of 9 for two").isEqualTo(5);
    assertThat(service.passes(Requests.descriptor("bucket", "x"))).as("of 9 for two").isEqualTo(5);
    assertThat(service.status(Requests.hits(4, Requests.descriptor("user", "bob"))).getCode())
        .isEqualTo(Code.OVER_LIMIT);
    assertThat(service.stats.snapshot().failedLocal()).isEqualTo(4 + 6 + 6 + 1);
    store.isAway = false;
    assertThat(service.passes(alice)).as("where nothing was counted").isEqualTo(5);
  }

  @Test
  void localCountsAllOrNothing() {
    use(FailureMode.LOCAL, 2, true);
    store.isAway = true;
    for (int i = 0; i < 3; i++) {
      assertThat(service.ask(alice, acme).getOverallCode()).isEqualTo(Code.OK);
    }
    RateLimitResponse refused = service.ask(alice, acme);

    assertThat(refused.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(refused.getStatuses(1).getLimitRemaining()).isEqualTo(2);
    assertThat(service.passes(acme)).isEqualTo(2);
    assertThat(service.stats.snapshot().failedLocal()).isEqualTo(4 + 3);
  }

  @Test
  void localCountsWhatIsOverAndNothingElse() {
    use(FailureMode.LOCAL, 2, WhenOver.COUNT_OVER);
    store.isAway = true;
    for (int i = 0; i < 6; i++) {
      service.ask(alice, acme);
    }
    assertThat(service.status(Requests.hits(0, acme)).getLimitRemaining())
        .as("5 of 9 for two, of which 3 are used")
        .isEqualTo(2);

    assertThat(service.status(Requests.negative(3, alice)).getLimitRemaining())
        .as("3 of 5 for two, of which 6 were used")
        .isZero();
    assertThat(service.status(alice).getCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void ifOneOperationFailsAllAreDecidedHere() {
    service.rules(
        RULES
            + "  - {key: trial, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 9}}");
    use(FailureMode.LOCAL, 1, WhenOver.COUNT_OVER);
    service.ask(Requests.hits(5, alice));
    store.asked.clear();
    store.failing.add(2);
    RateLimitResponse answer = service.ask(alice, Requests.descriptor("trial", "x"));

    assertThat(answer.getOverallCode()).isEqualTo(Code.OK);
    assertThat(answer.getStatuses(0).getLimitRemaining()).isEqualTo(4);
    assertThat(answer.getStatuses(1).getLimitRemaining()).isEqualTo(8);
    assertThat(store.asked)
        .hasExactlyElementsOfTypes(
            Operation.Peek.class,
            Operation.Peek.class,
            Operation.Acquire.class,
            Operation.Peek.class);
    assertThat(service.stats.snapshot().failedLocal()).isEqualTo(1);
  }

  @Test
  void whatWasChargedIsGivenBackIfTheRestFails() {
    use(FailureMode.OPEN, 1, true);
    store.failing.add(1);
    service.ask(alice, Requests.hits(2, acme));

    assertThat(store.asked)
        .hasExactlyElementsOfTypes(
            Operation.Acquire.class, Operation.Acquire.class, Operation.Refund.class);
    assertThat(service.status(Requests.hits(0, alice)).getLimitRemaining()).isEqualTo(5);
  }

  @Test
  void countersAtHandMayFailToo() {
    TestService broken =
        TestService.on(
            counters ->
                new DirectCounterStore() {
                  @Override
                  public Decision applyNow(Operation operation) {
                    throw new IllegalStateException("out of memory");
                  }

                  @Override
                  public void close() {}
                },
            RULES);

    assertThat(broken.passes(alice)).as("locally").isEqualTo(5);
    broken.decider.use(TestService.options(false, WhenOver.COUNT_ALL, FailureMode.CLOSED));
    assertThat(broken.failure(Requests.request("edge", alice)).getMessage())
        .isEqualTo("counters could not be reached");
  }
}
