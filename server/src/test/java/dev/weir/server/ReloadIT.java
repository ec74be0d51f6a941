package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testkit.TestLevel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** T66: the policy is replaced again and again while requests go on. */
class ReloadIT {
  private static final int RELOADS = TestLevel.amount("weir.server.reloads", 100, 10_000);
  private static final int CALLERS = 2;

  @TempDir private Path folder = Path.of("");

  private static String config(int limit) {
    return "[default]\nlimit = " + limit + "\nwindow = \"1h\"\n";
  }

  @Test
  @DisplayName("T66: no request fails, and each is decided by one of the policies")
  void t66() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    LongAdder asked = new LongAdder();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try (TestServer server = new TestServer(folder, config(1_000_001))) {
      String first = server.caller.get("/v1/admin/policy").json().get("version").asText();
      server.write(config(1_000_002));
      server.server.reload();
      String second = server.caller.get("/v1/admin/policy").json().get("version").asText();
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        callers.add(
            threads.submit(
                () -> {
                  Caller caller = new Caller(server.server.port());
                  while (!isOver.get()) {
                    assertDecided(caller, first, second);
                    asked.increment();
                  }
                }));
      }
      // Also on a machine that keeps the callers waiting, there are some during the reloads.
      for (int i = 0; i < RELOADS || (asked.sum() <= RELOADS / 10 && goOn(callers)); i++) {
        server.write(i % 10 == 5 ? "limit = wrong" : config(1_000_001 + i % 2));
        server.server.reload();
      }
      isOver.set(true);
      for (Future<?> caller : callers) {
        caller.get(30, TimeUnit.SECONDS);
      }
      JsonNode policy = server.caller.get("/v1/admin/policy").json();
      System.out.printf(
          "%d reloads, %d of them refused, during %d requests%n",
          policy.get("reloads").asLong(), policy.get("failed_reloads").asLong(), asked.sum());
      assertThat(policy.get("failed_reloads").asLong()).isGreaterThanOrEqualTo(RELOADS / 10);
      assertThat(asked.sum()).isGreaterThan(RELOADS / 10);
    } finally {
      isOver.set(true);
      threads.shutdownNow();
    }
  }

  private static boolean goOn(List<Future<?>> callers) {
    return callers.stream().noneMatch(Future::isDone);
  }

  private static void assertDecided(Caller caller, String first, String second) {
    Caller.Reply reply = caller.post("/v1/check", "{\"path\": \"/\", \"user\": \"alice\"}");
    assertThat(reply.status()).isEqualTo(200);
    JsonNode answer = reply.json();
    assertThat(answer.get("allowed").asBoolean()).as(reply.body()).isTrue();
    // The limit that is told is that of the policy that is told.
    assertThat(answer.get("policy").asText() + " " + answer.get("limit").asLong())
        .isIn(Set.of(first + " 1000001", second + " 1000002"));
  }
}
