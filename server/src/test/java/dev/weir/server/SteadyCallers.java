package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;

/**
 * Well-behaved clients: a few connections that are kept, and on each a request whenever one is due.
 * How long a request took is counted from when it was due, so that one that waits for a slow one
 * before it is slow too.
 */
@Tag("long")
final class SteadyCallers {
  private static final int CONNECTIONS = 4;
  private static final byte[] CHECK =
      KeptConnection.post("/v1/check", "{\"path\": \"/\", \"user\": \"alice\"}");

  private SteadyCallers() {}

  /** How long the requests took, all of which were answered. */
  static final class Times {
    private final long[] sortedNanos;

    private Times(long[] nanos) {
      this.sortedNanos = nanos.clone();
      Arrays.sort(sortedNanos);
    }

    int count() {
      return sortedNanos.length;
    }

    /** What this part of all requests took at most. */
    double micros(double part) {
      return sortedNanos[(int) Math.min(count() - 1, part * count())] / 1_000.0;
    }

    @Override
    public String toString() {
      return "%d requests, p50 %.0f us, p99 %.0f us, max %.0f us"
          .formatted(count(), micros(0.5), micros(0.99), micros(1));
    }
  }

  /** Asks that many times a second for that long; each request must be answered, and by 200. */
  static Times ask(int port, int perSecond, Duration span)
      throws InterruptedException, ExecutionException {
    long interval = TimeUnit.SECONDS.toNanos(CONNECTIONS) / perSecond;
    int each = (int) (span.toNanos() / interval);
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<Future<long[]>> parts = new ArrayList<>();
      long start = System.nanoTime();
      for (int i = 0; i < CONNECTIONS; i++) {
        long first = start + i * interval / CONNECTIONS;
        parts.add(threads.submit(() -> askOnOne(port, first, interval, each)));
      }
      long[] nanos = new long[CONNECTIONS * each];
      for (int i = 0; i < CONNECTIONS; i++) {
        System.arraycopy(parts.get(i).get(), 0, nanos, i * each, each);
      }
      return new Times(nanos);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long[] askOnOne(int port, long first, long interval, int count)
      throws IOException, InterruptedException {
    long[] nanos = new long[count];
    try (KeptConnection connection = new KeptConnection(port)) {
      for (int i = 0; i < count; i++) {
        long due = first + i * interval;
        // Does not wait for what is late.
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        RawHttp.Reply reply = connection.ask(CHECK);
        nanos[i] = System.nanoTime() - due;
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      }
    }
    return nanos;
  }
}
