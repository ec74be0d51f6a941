package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Verdict;
import dev.weir.testkit.TestLevel;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many threads, many clients, many policies: the figures agree, and there are not too many. */
class ServerMetricsLoadTest {
  private static final String POLICY =
      """
      [[tier]]
      name = "free"
      limit = "2/m"

      [[tier]]
      name = "pro"
      limit = "1000000/s"

      [[endpoint]]
      name = "chat"
      paths = ["/chat/**"]

      [[rule]]
      name = "closed"
      match = { path = "/old/**" }
      action = "block"

      [[rule]]
      name = "all"
      limits = ["50000/m"]
      scope = "global"
      """;

  @Test
  void figuresAgreeInEveryScrapeAndOnlyGrow() throws InterruptedException, ExecutionException {
    TestGate gate = new TestGate(POLICY);
    int requests = 50_000;
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Client client = TestGate.client("user-" + i).withTier(i % 2 == 0 ? "free" : "pro");
      running.add(threads.submit(() -> request(gate, client, requests)));
    }
    double before = 0;
    double throttledBefore = 0;
    while (!running.stream().allMatch(Future::isDone)) {
      Scrape scrape = gate.scrape();
      scrape.assertConsistent();
      double now = scrape.sum("weir_rate_limit_requests_total");
      double throttled = scrape.sum("weir_rate_limit_throttled_total");
      assertThat(now).isGreaterThanOrEqualTo(before);
      assertThat(throttled).isGreaterThanOrEqualTo(throttledBefore);
      before = now;
      throttledBefore = throttled;
    }
    for (Future<?> task : running) {
      task.get();
    }
    threads.shutdown();
    Scrape last = gate.scrape();
    last.assertConsistent();
    assertThat(last.sum("weir_rate_limit_requests_total")).isEqualTo(4 * requests);
    // One path of five.
    assertThat(last.sum("weir_rate_limit_requests_total", "decision=\"blocked\""))
        .isEqualTo(40_000);
    assertThat(last.value("weir_rate_limit_check_duration_seconds_count")).isEqualTo(4 * requests);
    // All that the rule for all allows: its time stands still.
    assertThat(last.sum("weir_rate_limit_requests_total", "decision=\"allowed\""))
        .isEqualTo(50_000);
  }

  private static void request(TestGate gate, Client client, int times) {
    String[] paths = {"/", "/chat/a", "/chat/b", "/old/a", "/x"};
    for (int i = 0; i < times; i++) {
      gate.check(paths[i % paths.length], client);
    }
  }

  @Test
  @DisplayName("T70: a flood of clients, users, tiers and paths give no more than a few series")
  void seriesDoNotGrowWithClients() {
    TestGate gate = new TestGate(POLICY);
    int requests = TestLevel.amount("weir.metrics.clients", 100_000, 1_000_000);
    for (int i = 0; i < requests; i++) {
      Address address = Address.parse("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
      Client client = Client.at(address, 64).withUser("user-" + i).withTier("tier-" + i);
      gate.check((i % 2 == 0 ? "/chat/" : "/") + i, client);
    }
    Scrape scrape = gate.scrape();
    assertThat(scrape.sum("weir_rate_limit_requests_total")).isEqualTo(requests);
    assertThat(scrape.size()).isLessThan(100);
    assertThat(scrape.toString()).doesNotContain("user-", "tier-", "10.0.0.");
    scrape.assertConsistent();
  }

  @Test
  void seriesDoNotGrowWithReloads() {
    TestGate gate = new TestGate(POLICY);
    Client client = TestGate.client("alice");
    int reloads = TestLevel.amount("weir.metrics.reloads", 2_000, 5_000);
    for (int i = 0; i < reloads; i++) {
      gate.reload(
          """
          [[tier]]
          name = "tier%1$d"
          limit = "1000/s"

          [[endpoint]]
          name = "endpoint%1$d"
          paths = ["/"]

          [[rule]]
          name = "rule%1$d"
          limits = ["1/m"]

          [[rule]]
          name = "trial%1$d"
          limits = ["1/m"]
          mode = "shadow"
          """
              .formatted(i));
      gate.check("/", client.withTier("tier" + i), 2);
    }
    Scrape scrape = gate.scrape();
    assertThat(scrape.size()).isBetween(4_000, 9_000);
    assertThat(scrape.value("weir_metrics_left_out")).isZero();
    assertThat(scrape.sum("weir_rate_limit_requests_total")).isEqualTo(2 * reloads);
    assertThat(scrape.sum("weir_rate_limit_throttled_total")).isEqualTo(reloads);
    assertThat(scrape.sum("weir_rate_limit_shadow_refused_total")).isEqualTo(reloads);
    scrape.assertConsistent();
  }

  @Test
  void countingAnAllowedRequestAllocatesNothing() {
    TestGate gate = new TestGate(POLICY);
    Verdict verdict = gate.check("/chat/a", TestGate.client("alice").withTier("pro"));
    assertThat(verdict.isAllowed()).isTrue();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    count(gate, verdict, 20_000);
    long leastBytes = Long.MAX_VALUE;
    // The best of three, since a compiler's upcall may fall into one of them.
    for (int i = 0; i < 3; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      count(gate, verdict, 100_000);
      leastBytes = Math.min(leastBytes, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(leastBytes).isLessThan(1_000);
    assertThat(gate.scrape().sum("weir_rate_limit_requests_total")).isEqualTo(320_001);
  }

  private static void count(TestGate gate, Verdict verdict, int times) {
    for (int i = 0; i < times; i++) {
      gate.metrics.decided(verdict, 5_000);
    }
  }
}
