package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients that ask for decisions all the time, each time about another path, so that each decision
 * can be found again in the audit. One of them asks where nearly nothing is allowed.
 */
final class DistinctChecks implements AutoCloseable {
  /** Keeps all decisions; of paths below {@code /tight}, five are allowed. */
  static final String CONFIG =
      """
      [audit]
      decisions = ["allowed", "throttled", "blocked"]

      [default]
      limit = 1000000
      window = "1s"

      [[endpoint]]
      name = "tight"
      paths = ["/tight/**"]
      limit = "5/d"
      """;

  private static final int TIGHT_LIMIT = 5;
  private static final int CLIENTS = 3;
  private static final int USERS = 50;
  private static final Duration PAUSE = Duration.ofMillis(1);

  private final int port;
  private final String name;
  private final List<Thread> threads = new ArrayList<>();
  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> answered = new ConcurrentHashMap<>();
  private final AtomicLong slowestNanos = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean isOver;

  /** Starts to ask a server; all paths have that name in them. */
  DistinctChecks(int port, String name) {
    this.port = port;
    this.name = name;
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      Thread thread = new Thread(() -> ask(client), "checks-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void ask(int client) {
    try (KeptConnection connection = new KeptConnection(port)) {
      for (int n = 0; !isOver; n++) {
        String path = "%s/%s/%d/%d".formatted(client == 0 ? "/tight" : "", name, client, n);
        sent.add(path);
        long start = System.nanoTime();
        RawHttp.Reply reply = connection.ask(client == 0 ? auth(path) : check(path, n));
        long end = System.nanoTime();
        int expected = client == 0 && n >= TIGHT_LIMIT ? 429 : 200;
        assertThat(reply.status()).as(reply.text()).isEqualTo(expected);
        assertThat(client == 0 || reply.text().contains("\"allowed\": true"))
            .as(reply.text())
            .isTrue();
        answered.put(path, end);
        slowestNanos.accumulateAndGet(end - start, Math::max);
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } catch (IOException | RuntimeException | AssertionError unanswered) {
      failure.compareAndSet(null, unanswered);
    }
  }

  private static byte[] check(String path, int n) {
    return KeptConnection.post(
        "/v1/check", "{\"path\": \"%s\", \"user\": \"u%d\"}".formatted(path, n % USERS));
  }

  private static byte[] auth(String path) {
    return "GET /v1/auth HTTP/1.1\r\nHost: localhost\r\nX-Original-URI: %s\r\nX-Original-Method: GET\r\n\r\n"
        .formatted(path)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** All paths that were asked about. */
  Set<String> sent() {
    return sent;
  }

  /** When the answer about each path had come; those without one are not there. */
  Map<String, Long> answered() {
    return answered;
  }

  /** How long the slowest answer took. */
  Duration slowest() {
    return Duration.ofNanos(slowestNanos.get());
  }

  /** Fails if one was not answered, or not as it should be. */
  void requireAllAnswered() {
    Throwable unanswered = failure.get();
    if (unanswered != null) {
      throw new AssertionError("a decision has failed", unanswered);
    }
  }

  /** As {@link #stop}. */
  @Override
  public void close() {
    stop();
  }

  /** Asks no more; what is under way is waited for. */
  void stop() {
    isOver = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
