package dev.weir.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the demo: lets its visitors ask a server over HTTP, as those who guard an API do.
 * The demo has a clock of its own, in equal steps; its first seconds pass faster, so that there is
 * something to see at once.
 */
final class DemoTraffic implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(DemoTraffic.class.getName());
  private static final long STEP_MICROS = 20_000;
  private static final long FAST_MICROS = 15_000_000;
  private static final int FAST_STEPS = 5;
  private static final int MOST_UNDER_WAY = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int FINE = 200;

  private final URI check;
  private final List<DemoVisitor> visitors;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-demo-traffic");
            thread.setDaemon(true);
            return thread;
          });

  /** A server that does not answer must not be buried. */
  private final Semaphore room = new Semaphore(MOST_UNDER_WAY);

  private volatile long nowMicros;

  DemoTraffic(ServerUrl server, List<DemoVisitor> visitors) {
    this.check = server.resolve(new AdminPath("/v1/check"));
    this.visitors = List.copyOf(visitors);
  }

  void start() {
    // A tick that throws would be the last.
    var unused = clock.scheduleAtFixedRate(this::tickAndLog, 0, STEP_MICROS, TimeUnit.MICROSECONDS);
  }

  private void tickAndLog() {
    try {
      tick();
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "requests of the demo were left out", failure);
    }
  }

  private void tick() {
    long now = nowMicros;
    int steps = now < FAST_MICROS ? FAST_STEPS : 1;
    for (int i = 0; i < steps; i++) {
      for (DemoVisitor visitor : visitors) {
        visitor.visit(now, STEP_MICROS, request -> send(visitor, request));
      }
      now += STEP_MICROS;
      nowMicros = now;
    }
  }

  private void send(DemoVisitor visitor, DemoRequest request) {
    if (!room.tryAcquire()) {
      return;
    }
    HttpRequest call =
        HttpRequest.newBuilder(check)
            .timeout(PATIENCE)
            .header("Content-Type", AdminCall.JSON)
            .POST(BodyPublishers.ofString(request.json()))
            .build();
    var unused =
        client
            .sendAsync(call, BodyHandlers.ofByteArray())
            .whenComplete(
                (answer, failure) -> {
                  room.release();
                  tell(visitor, answer);
                });
  }

  private void tell(DemoVisitor visitor, @Nullable HttpResponse<byte[]> answer) {
    if (answer == null || answer.statusCode() != FINE) {
      return;
    }
    try {
      if (Json.parse(answer.body()) instanceof Json.Members decision
          && !decision.isTrue("allowed")) {
        visitor.refused(nowMicros, decision.number("retry_after"));
      }
    } catch (IOException unreadable) {
      LOGGER.log(System.Logger.Level.WARNING, "an answer to the demo is no JSON", unreadable);
    }
  }

  /** Sends nothing more; what is under way is not waited for. */
  @Override
  public void close() {
    clock.shutdownNow();
  }
}
