package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.metrics.Promtool;
import dev.weir.server.metrics.Scrape;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.http.RawHttp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * T70: whoever comes, and however many, {@code /metrics} stays small and its figures agree. The
 * system property {@code weir.server.clients} says how many come.
 */
class MetricsFloodIT {
  private static final int CLIENTS = TestLevel.amount("weir.server.clients", 10_000, 1_000_000);
  private static final int ALLOWED = CLIENTS / 2;
  private static final int BATCH = CheckService.MOST_CHECKS;
  private static final int CONNECTIONS = 3;
  private static final String REQUESTS = "weir_rate_limit_requests_total";

  // One path of five is closed; of the others, the first half of all requests may pass.
  private static final String CONFIG =
      """
      [events]
      log = []

      [[tier]]
      name = "free"
      limit = "2/m"

      [[endpoint]]
      name = "chat"
      paths = ["/chat/**"]

      [[rule]]
      name = "closed"
      match = { path = "/closed/**" }
      action = "block"

      [[rule]]
      name = "all"
      limits = ["%d/m"]
      scope = "global"
      """
          .formatted(ALLOWED);

  @TempDir private Path folder = Path.of("");

  private final AtomicInteger next = new AtomicInteger();
  private final LongAdder sent = new LongAdder();
  private final LongAdder answered = new LongAdder();

  /** A client, a user, a tier and a path that nobody else has. */
  private static String check(int number) {
    String path = number % 5 == 0 ? "/closed/" : number % 2 == 0 ? "/chat/" : "/";
    String tier = number % 3 == 0 ? "free" : "tier-" + number;
    return "{\"path\": \"%s%d\", \"ip\": \"10.%d.%d.%d\", \"user\": \"user-%d\", \"tier\": \"%s\"}"
        .formatted(path, number, number >> 16, number >> 8 & 255, number & 255, number, tier);
  }

  private void ask(int port) throws IOException {
    try (KeptConnection connection = new KeptConnection(port)) {
      for (int first = next.getAndAdd(BATCH); first < CLIENTS; first = next.getAndAdd(BATCH)) {
        StringJoiner checks = new StringJoiner(",", "[", "]");
        for (int i = first; i < first + BATCH; i++) {
          checks.add(check(i));
        }
        sent.add(BATCH);
        RawHttp.Reply reply = connection.ask(KeptConnection.post("/v1/checks", checks.toString()));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        answered.add(BATCH);
      }
    }
  }

  /** What the page says lies between what was answered before and what had been sent after. */
  private Scrape scrape(TestServer server) {
    long least = answered.sum();
    Scrape scrape = new Scrape(server.caller.get("/metrics").body());
    long most = sent.sum();
    scrape.assertConsistent();
    assertThat(scrape.sum(REQUESTS)).isBetween((double) least, (double) most);
    return scrape;
  }

  @Test
  @DisplayName("T70: clients, users, tiers and paths without end give no more than a few series")
  void t70() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try (TestServer server = new TestServer(folder, CONFIG)) {
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        callers.add(
            threads.submit(
                () -> {
                  ask(server.server.port());
                  return null;
                }));
      }
      int scrapes = 0;
      while (!callers.stream().allMatch(Future::isDone)) {
        scrape(server);
        scrapes++;
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
      Scrape last = scrape(server);
      System.out.printf(
          "%d distinct clients, %d scrapes meanwhile: %d series, %.0f MB of heap%n",
          CLIENTS, scrapes, last.size(), heapMegabytes());
      assertThat(scrapes).isPositive();
      assertThat(last.size()).isLessThan(100);
      assertThat(last.toString()).doesNotContain("user-", "tier-", "10.0.0.");
      assertThat(last.sum(REQUESTS)).isEqualTo(CLIENTS);
      assertThat(last.sum(REQUESTS, "decision=\"blocked\"")).isEqualTo(CLIENTS / 5.0);
      assertThat(last.sum(REQUESTS, "decision=\"allowed\"")).isEqualTo(ALLOWED);
      Optional<Promtool> promtool = Promtool.find();
      if (promtool.isPresent()) {
        assertThat(promtool.get().check(last.toString())).isEmpty();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** What is in use, by the callers too, after all that can be cleared away has been. */
  private static double heapMegabytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
  }
}
