package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.MemoryCounterStore;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EnvoyReloadTest {

  private static EnvoyConfig version(int number, EnvoyStats stats) {
    String limit =
        "rate_limit: {unit: year, requests_per_unit: 4000000000, name: v%d}".formatted(number);
    return EnvoyConfigReader.parse(
        Map.of(
            "rules.yaml",
            "{domain: edge, descriptors: [{key: a, %s}, {key: b, %s}, {key: c, %s}]}"
                .formatted(limit, limit, limit)),
        false,
        stats);
  }

  @Test
  @DisplayName("T66: each request is decided by one configuration while many come and go")
  void eachRequestIsDecidedByOneConfiguration()
      throws InterruptedException, ExecutionException, TimeoutException {
    EnvoyStats stats = new EnvoyStats();
    RateLimitDecider decider = new RateLimitDecider(new MemoryCounterStore(), stats);
    decider.use(version(0, stats));
    RateLimitRequest request =
        Requests.request(
            "edge",
            Requests.descriptor("a", "x"),
            Requests.descriptor("b", "x"),
            Requests.descriptor("c", "x"));
    AtomicBoolean isDone = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Long>> askers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        askers.add(threads.submit(() -> askUntil(isDone, decider, request)));
      }
      for (int i = 1; i <= 10_000; i++) {
        decider.use(version(i, stats));
      }
      isDone.set(true);
      long asked = 0;
      for (Future<Long> asker : askers) {
        asked += asker.get(30, TimeUnit.SECONDS);
      }

      assertThat(asked).isGreaterThan(1_000);
      assertThat(stats.snapshot().rules())
          .extracting(EnvoyStats.RuleCounts::totalHits)
          .as("no hit was lost")
          .containsExactly(asked, asked, asked);
      RateLimitResponse last = decider.decide(request).toCompletableFuture().join();
      assertThat(4_000_000_000L - Integer.toUnsignedLong(last.getStatuses(0).getLimitRemaining()))
          .as("and no count")
          .isEqualTo(asked + 1);
    } finally {
      isDone.set(true);
      threads.shutdownNow();
    }
  }

  /** Versions only ever grow. */
  private static long askUntil(
      AtomicBoolean isDone, RateLimitDecider decider, RateLimitRequest request) {
    long asked = 0;
    int newest = 0;
    while (!isDone.get()) {
      RateLimitResponse answer = decider.decide(request).toCompletableFuture().join();
      String name = answer.getStatuses(0).getCurrentLimit().getName();
      assertThat(answer.getStatuses(1).getCurrentLimit().getName()).isEqualTo(name);
      assertThat(answer.getStatuses(2).getCurrentLimit().getName()).isEqualTo(name);
      int version = Integer.parseInt(name.substring(1));
      assertThat(version).isGreaterThanOrEqualTo(newest);
      newest = version;
      asked++;
    }
    return asked;
  }
}
