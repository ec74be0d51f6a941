package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.envoy.GrpcClient;
import dev.weir.testkit.redis.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Health over gRPC, as Envoy and Kubernetes ask for it. */
class GrpcHealthIT {
  private static final String CHECK = "/grpc.health.v1.Health/Check";
  private static final String WATCH = "/grpc.health.v1.Health/Watch";
  private static final String ENVOY = "envoy.service.ratelimit.v3.RateLimitService";
  private static final String SHOULD_RATE_LIMIT = "/" + ENVOY + "/ShouldRateLimit";
  private static final int INVALID_ARGUMENT = 3;
  private static final int NOT_FOUND = 5;
  private static final int UNIMPLEMENTED = 12;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path folder = Path.of("");
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private GrpcClient.Reply call(TestServer server, String method, String service) throws Exception {
    HealthCheckRequest request = HealthCheckRequest.newBuilder().setService(service).build();
    return new GrpcClient(vertx, server.server.port())
        .call(method, GrpcClient.frame(request.toByteArray()));
  }

  private ServingStatus status(TestServer server, String service) throws Exception {
    GrpcClient.Reply reply = call(server, CHECK, service);
    assertThat(reply.status()).isZero();
    return HealthCheckResponse.parseFrom(reply.message().getBytes()).getStatus();
  }

  @Test
  void theWholeAndItsServicesAreWell() throws Exception {
    try (TestServer server = new TestServer(folder, "")) {
      for (String service : new String[] {"", ENVOY, "grpc.health.v1.Health"}) {
        assertThat(status(server, service)).as(service).isEqualTo(ServingStatus.SERVING);
      }
      assertThat(call(server, CHECK, "unknown").status()).isEqualTo(NOT_FOUND);
    }
  }

  @Test
  @DisplayName("T74: a call without a whole message gets a response")
  void aCallWithoutAMessageIsRefused() throws Exception {
    try (TestServer server = new TestServer(folder, "")) {
      GrpcClient client = new GrpcClient(vertx, server.server.port());
      for (Buffer body :
          List.of(
              Buffer.buffer(), Buffer.buffer(new byte[] {0, 0}), Buffer.buffer("\0\0\0\0\7a"))) {
        GrpcClient.Reply reply = client.call(CHECK, body);
        assertThat(reply.status()).as(body.toString()).isEqualTo(INVALID_ARGUMENT);
        assertThat(reply.text()).isEqualTo("a request must have a message");
        assertThat(client.call(SHOULD_RATE_LIMIT, body).status()).isEqualTo(INVALID_ARGUMENT);
      }
      assertThat(status(server, "")).isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void whoCannotDecideIsNotServing() throws Exception {
    try (RedisServer redis = RedisServer.start();
        TestServer server =
            new TestServer(
                folder,
                "[counters]\nbackend = \"redis\"\nfailure_mode = \"closed\"\n[redis]\nurl = \""
                    + redis.uri()
                    + "\"\n")) {
      redis.kill();
      Awaitility.await().atMost(PATIENCE).until(() -> server.caller.get("/readyz").status() == 503);

      assertThat(status(server, "")).isEqualTo(ServingStatus.NOT_SERVING);
      assertThat(status(server, ENVOY)).isEqualTo(ServingStatus.NOT_SERVING);
    }
  }

  @Test
  void nobodyWatchesAndNoConnectionIsForgotten() throws Exception {
    try (TestServer server = new TestServer(folder, "")) {
      Vertx caller = Vertx.vertx();
      GrpcClient client = new GrpcClient(caller, server.server.port());
      assertThat(client.call(WATCH, GrpcClient.frame(new byte[0])).status())
          .isEqualTo(UNIMPLEMENTED);
      assertThat(server.server.connections().size()).isEqualTo(1);
      caller.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);

      Awaitility.await().atMost(PATIENCE).until(() -> server.server.connections().size() == 0);
    }
  }
}
