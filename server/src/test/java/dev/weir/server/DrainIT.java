package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.envoy.GrpcClient;
import dev.weir.testkit.http.RawHttp;
import dev.weir.testkit.process.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** T80: an instance that is stopped under load lets its callers go without a failed request. */
class DrainIT {
  /** Only bounds a failure. */
  private static final Duration FAILURE = Duration.ofSeconds(60);

  private static final int REQUESTS_BEFORE = 20;
  private static final int CONNECTIONS = 3;
  private static final byte[] CHECK =
      KeptConnection.post("/v1/check", "{\"path\": \"/\", \"user\": \"alice\"}");

  @TempDir private Path folder = Path.of("");

  private final Vertx vertx = Vertx.vertx();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> callers = new ArrayList<>();
  private final List<AtomicInteger> counts = new ArrayList<>();
  private final AtomicInteger lastOnes = new AtomicInteger();

  /** What the load balancer knows. */
  private volatile boolean isReady = true;

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("T80: draining under load over HTTP/1.1, HTTP/2 and gRPC fails no request")
  void t80() throws Exception {
    try (Instance instance =
        Instance.start(folder, "[server]\ndrain = \"2s\"\n[default]\nlimit = \"1000000/s\"\n")) {
      int port = instance.server.port();
      start("balancer", () -> balance(instance.caller));
      for (int i = 0; i < CONNECTIONS; i++) {
        startCounting("HTTP/1.1", requests -> overHttp1(port, requests));
        startCounting("HTTP/2", requests -> overHttp2(port, requests));
        startCounting("gRPC", requests -> overGrpc(port, requests));
      }
      Await.until(
          "all are served",
          FAILURE,
          () -> counts.stream().allMatch(count -> count.get() >= REQUESTS_BEFORE));

      instance.server.drain();
      for (Thread caller : callers) {
        caller.join(FAILURE.toMillis());
        assertThat(caller.isAlive()).as(caller.getName()).isFalse();
      }
    }
    assertThat(failures).isEmpty();
    assertThat(isReady).isFalse();
    assertThat(lastOnes.get()).as("HTTP/1.1 connections that were told to end").isPositive();
  }

  @Test
  @DisplayName("T80: whoever is in a hurry does not wait")
  void t80InAHurry() {
    try (Instance instance = Instance.start(folder, "[server]\ndrain = \"5m\"\n")) {
      instance.server.hurry();
      instance.server.drain();
      assertThat(instance.caller.get("/readyz").status()).isEqualTo(503);
      assertThat(instance.caller.get("/readyz").field("connection")).isEqualTo("close");
      assertThat(instance.decision("/", "alice")).isEqualTo("allowed");
    }
  }

  /** Sends requests, and counts those that were served. */
  private interface Load {
    void run(AtomicInteger requests) throws Exception;
  }

  private void startCounting(String name, Load load) {
    AtomicInteger requests = new AtomicInteger();
    counts.add(requests);
    start(
        name,
        () -> {
          load.run(requests);
          return null;
        });
  }

  private void start(String name, Callable<?> task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.call();
              } catch (Exception failure) {
                failures.add(new AssertionError(name, failure));
              }
            },
            name);
    callers.add(thread);
    thread.start();
  }

  private Void balance(Caller caller) {
    while (isReady) {
      isReady = caller.get("/readyz").status() == 200;
    }
    return null;
  }

  /** Opens connections while the balancer sends here, and keeps each until it is told to end. */
  private void overHttp1(int port, AtomicInteger requests) throws IOException {
    while (isReady) {
      try (KeptConnection connection = new KeptConnection(port)) {
        boolean isLast = false;
        while (!isLast) {
          RawHttp.Reply reply = connection.ask(CHECK);
          requireOk(reply.status());
          requests.incrementAndGet();
          isLast = reply.text().toLowerCase(Locale.ROOT).contains("connection: close");
        }
        lastOnes.incrementAndGet();
      }
    }
  }

  private void overHttp2(int port, AtomicInteger requests) throws Exception {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    while (isReady) {
      requireOk(
          client
              .request(HttpMethod.POST, port, "127.0.0.1", "/v1/check")
              .compose(request -> request.send("{\"path\": \"/\", \"user\": \"bob\"}"))
              .compose(response -> response.body().map(body -> response.statusCode()))
              .toCompletionStage()
              .toCompletableFuture()
              .get(FAILURE.toSeconds(), TimeUnit.SECONDS));
      requests.incrementAndGet();
    }
  }

  private void overGrpc(int port, AtomicInteger requests) throws Exception {
    GrpcClient client = new GrpcClient(vertx, port);
    while (isReady) {
      GrpcClient.Reply reply =
          client.call("/grpc.health.v1.Health/Check", GrpcClient.frame(new byte[0]));
      if (reply.status() != 0 || reply.message().equals(Buffer.buffer())) {
        throw new AssertionError("gRPC status " + reply.status());
      }
      requests.incrementAndGet();
    }
  }

  private static void requireOk(int status) {
    if (status != 200) {
      throw new AssertionError("status " + status);
    }
  }
}
