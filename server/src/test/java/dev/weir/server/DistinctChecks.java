package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients that ask for decisions all the time, each time about another path, so that each decision
 * can be found again in the audit. One of them asks where nearly nothing is allowed. Each answer is
 * recorded with the reading of a clock, for tests that measure.
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
  private static final long PAUSE_MILLIS = 1;

  private final String name;
  private final LongSupplier clock;
  private final List<Client> clients = new ArrayList<>();
  private final List<Future<?>> work = new ArrayList<>();
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(CLIENTS);
  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> answered = new ConcurrentHashMap<>();
  private final AtomicLong slowest = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Starts to ask a server; all paths have that name in them. */
  DistinctChecks(int port, String name) throws IOException {
    this(port, name, () -> 0);
  }

  /**
   * Starts to ask a server.
   *
   * @param name all paths have it in them
   * @param clock is read before each request and after each answer
   */
  DistinctChecks(int port, String name, LongSupplier clock) throws IOException {
    this.name = name;
    this.clock = clock;
    for (int i = 0; i < CLIENTS; i++) {
      Client client = new Client(i, new KeptConnection(port));
      clients.add(client);
      work.add(threads.scheduleWithFixedDelay(client, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    }
  }

  /** One of the clients, which asks once each time that it runs. */
  private final class Client implements Runnable {
    private final int number;
    private final KeptConnection connection;
    private int n;

    Client(int number, KeptConnection connection) {
      this.number = number;
      this.connection = connection;
    }

    @Override
    public void run() {
      if (failure.get() != null) {
        return;
      }
      try {
        ask("%s/%s/%d/%d".formatted(number == 0 ? "/tight" : "", name, number, n));
        n++;
      } catch (IOException | RuntimeException | AssertionError unanswered) {
        failure.compareAndSet(null, unanswered);
      }
    }

    private void ask(String path) throws IOException {
      sent.add(path);
      long start = clock.getAsLong();
      RawHttp.Reply reply = connection.ask(number == 0 ? auth(path) : check(path, n));
      long end = clock.getAsLong();
      int expected = number == 0 && n >= TIGHT_LIMIT ? 429 : 200;
      assertThat(reply.status()).as(reply.text()).isEqualTo(expected);
      assertThat(number == 0 || reply.text().contains("\"allowed\": true"))
          .as(reply.text())
          .isTrue();
      answered.put(path, end);
      slowest.accumulateAndGet(end - start, Math::max);
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

  /** When the answer about each path had come, by the clock; those without one are not there. */
  Map<String, Long> answered() {
    return answered;
  }

  /** How long the slowest answer took, by the clock. */
  long slowest() {
    return slowest.get();
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
    work.forEach(each -> each.cancel(false));
    threads.shutdown();
    try {
      // A service that was killed ends what waits for it.
      if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new AssertionError("a decision is still under way");
      }
      for (Client client : clients) {
        client.connection.close();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
