package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitResponse.DescriptorStatus;
import dev.weir.policy.FailureMode;
import dev.weir.server.envoy.EnvoyOptions.WhenOver;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** A decider on a clock that is moved by hand, 20 s before the end of a minute. */
final class TestService {
  final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:40Z"));
  final EnvoyStats stats = new EnvoyStats();
  final MemoryCounterStore counters = new MemoryCounterStore(time, 10_000);
  final RateLimitDecider decider;

  private TestService(UnaryOperator<CounterStore> store) {
    decider = new RateLimitDecider(store.apply(counters), stats, time);
  }

  /** With the rules of one file. */
  static TestService with(String yaml) {
    return on(store -> store, yaml);
  }

  /** On a store that has the counters in memory behind it. */
  static TestService on(UnaryOperator<CounterStore> store, String yaml) {
    TestService service = new TestService(store);
    service.rules(yaml);
    return service;
  }

  void rules(String yaml) {
    decider.use(EnvoyConfigReader.parse(Map.of("rules.yaml", yaml), false, stats));
  }

  /** Everything off, but as told. */
  static EnvoyOptions options(boolean shadowMode, WhenOver whenOver, FailureMode mode) {
    return new EnvoyOptions(shadowMode, false, Optional.empty(), false, whenOver, mode, 1);
  }

  RateLimitResponse ask(RateLimitRequest request) {
    CompletableFuture<RateLimitResponse> answer = decider.decide(request).toCompletableFuture();
    assertThat(answer).as("is decided on this thread").isDone();
    return answer.join();
  }

  /** Asks for the domain {@code edge}. */
  RateLimitResponse ask(RateLimitDescriptor... descriptors) {
    return ask(Requests.request("edge", descriptors));
  }

  /** What became of one descriptor. */
  DescriptorStatus status(RateLimitDescriptor descriptor) {
    return ask(descriptor).getStatuses(0);
  }

  /** How often a descriptor passes until it is refused, at most a thousand times. */
  int passes(RateLimitDescriptor descriptor) {
    int passed = 0;
    while (passed < 1_000 && status(descriptor).getCode() == Code.OK) {
      passed++;
    }
    return passed;
  }

  RateLimitException failure(RateLimitRequest request) {
    try {
      decider.decide(request).toCompletableFuture().get(10, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      return RateLimitException.of(
          failed.getCause() instanceof CompletionException wrapped ? wrapped : failed.getCause());
    } catch (InterruptedException | TimeoutException late) {
      throw new AssertionError(late);
    }
    throw new AssertionError("the request was answered");
  }

  /** What became of the hits on a rule. */
  EnvoyStats.RuleCounts counts(String key) {
    List<EnvoyStats.RuleCounts> found =
        stats.snapshot().rules().stream().filter(rule -> rule.key().equals(key)).toList();
    assertThat(found).as("statistics of %s", key).hasSize(1);
    return found.get(0);
  }
}
