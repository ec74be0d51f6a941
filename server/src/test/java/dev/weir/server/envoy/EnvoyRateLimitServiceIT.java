package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.MemoryCounterStore;
import dev.weir.Operation;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitUnit;
import dev.weir.policy.FailureMode;
import dev.weir.server.envoy.EnvoyOptions.WhenOver;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.reflection.ReflectionService;
import io.vertx.grpc.reflection.v1.ServerReflectionRequest;
import io.vertx.grpc.reflection.v1.ServerReflectionResponse;
import io.vertx.grpc.reflection.v1.ServiceResponse;
import io.vertx.grpc.server.GrpcServer;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The service over real gRPC, on counters that answer on another thread. */
class EnvoyRateLimitServiceIT {
  private static final int UNKNOWN = 2;
  private static final int INVALID_ARGUMENT = 3;
  private static final String REFLECTION =
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

  private final ExecutorService elsewhere = Executors.newSingleThreadExecutor();
  private final Vertx vertx = Vertx.vertx();
  private final EnvoyStats stats = new EnvoyStats();
  private final RateLimitDecider decider = new RateLimitDecider(new Elsewhere(), stats);
  private int port;
  private GrpcClient client = new GrpcClient(vertx, port);
  private volatile boolean isAway;

  /** Counters that another thread looks after. */
  private final class Elsewhere implements CounterStore {
    private final MemoryCounterStore counters = new MemoryCounterStore();

    @Override
    public CompletionStage<Decision> apply(Operation operation) {
      return CompletableFuture.supplyAsync(
          () -> {
            if (isAway) {
              throw new IllegalStateException("away");
            }
            return counters.applyNow(operation);
          },
          elsewhere);
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void start() throws Exception {
    decider.use(
        EnvoyConfigReader.parse(
            Map.of(
                "rules.yaml",
                """
                domain: edge
                descriptors:
                  - key: user
                    rate_limit: {unit: year, requests_per_unit: 3}
                  - key: shut
                    rate_limit: {unit: year, requests_per_unit: 0}
                """),
            false,
            stats));
    GrpcServer grpc = GrpcServer.server(vertx);
    grpc.addService(new EnvoyRateLimitService(decider));
    grpc.addService(ReflectionService.v1());
    port =
        vertx
            .createHttpServer()
            .requestHandler(grpc)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS)
            .actualPort();
    client = new GrpcClient(vertx, port);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    elsewhere.shutdownNow();
  }

  private GrpcClient.Reply call(RateLimitRequest request) throws Exception {
    return client.call(GrpcClient.SHOULD_RATE_LIMIT, request);
  }

  @Test
  void requestsAreDecided() throws Exception {
    RateLimitRequest request =
        Requests.request(
            "edge", Requests.descriptor("user", "alice"), Requests.descriptor("none", ""));
    for (int left = 2; left >= -1; left--) {
      GrpcClient.Reply reply = call(request);
      RateLimitResponse response = reply.as(RateLimitResponse.getDefaultInstance());

      assertThat(reply.status()).isZero();
      assertThat(response.getOverallCode()).isEqualTo(left < 0 ? Code.OVER_LIMIT : Code.OK);
      assertThat(response.getStatusesCount()).isEqualTo(2);
      assertThat(response.getStatuses(0).getLimitRemaining()).isEqualTo(Math.max(0, left));
    }
    GrpcClient.Reply direct =
        call(Requests.request("edge", Requests.descriptor("shut", "without counters")));
    assertThat(direct.as(RateLimitResponse.getDefaultInstance()).getOverallCode())
        .isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void errorsAreStatuses() throws Exception {
    GrpcClient.Reply noDomain = call(Requests.request("", Requests.descriptor("user", "x")));
    assertThat(noDomain.status()).isEqualTo(UNKNOWN);
    assertThat(noDomain.text()).isEqualTo("rate limit domain must not be empty");
    GrpcClient.Reply noUnit =
        call(
            Requests.request(
                "edge",
                Requests.override(1, RateLimitUnit.UNKNOWN, Requests.descriptor("user", "x"))));
    assertThat(noUnit.status()).isEqualTo(INVALID_ARGUMENT);
    assertThat(noUnit.text()).isEqualTo("descriptors[0].limit.unit must be a known unit, got 0");
    assertThat(noUnit.encodedText()).isEqualTo(noUnit.text());
    decider.use(TestService.options(false, WhenOver.COUNT_ALL, FailureMode.CLOSED));
    isAway = true;
    GrpcClient.Reply away = call(Requests.request("edge", Requests.descriptor("user", "x")));
    assertThat(away.status()).isEqualTo(UNKNOWN);
    assertThat(away.text()).isEqualTo("counters could not be reached");
  }

  @Test
  @DisplayName("T28: what is no message gets an answer")
  void whatIsNoMessageGetsAnAnswer() throws Exception {
    byte[] invalidUtf8 = {10, 2, (byte) 0xC3, '('};
    GrpcClient.Reply invalid =
        client.call(GrpcClient.SHOULD_RATE_LIMIT, GrpcClient.frame(invalidUtf8));
    assertThat(invalid.status()).isEqualTo(INVALID_ARGUMENT);
    assertThat(invalid.text()).isEqualTo("the message is no RateLimitRequest");
    GrpcClient.Reply none = client.call(GrpcClient.SHOULD_RATE_LIMIT, Buffer.buffer());
    assertThat(none.status()).isEqualTo(INVALID_ARGUMENT);
    assertThat(none.text()).isEqualTo("a request must have a message");
    Random random = new Random(3);
    byte[] right = Requests.request("edge", Requests.descriptor("user", "fuzz")).toByteArray();
    for (int i = 0; i < 500; i++) {
      byte[] bytes = right.clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      assertThat(client.call(GrpcClient.SHOULD_RATE_LIMIT, GrpcClient.frame(bytes)).status())
          .isIn(0, UNKNOWN, INVALID_ARGUMENT);
    }
  }

  @Test
  void whoSendsTwoMessagesGetsOneAnswer() throws Exception {
    byte[] message = Requests.request("edge", Requests.descriptor("user", "two")).toByteArray();
    GrpcClient.Reply reply =
        client.call(
            GrpcClient.SHOULD_RATE_LIMIT,
            GrpcClient.frame(message).appendBuffer(GrpcClient.frame(message)));

    assertThat(reply.status()).isZero();
    assertThat(reply.as(RateLimitResponse.getDefaultInstance()).getStatuses(0).getLimitRemaining())
        .isEqualTo(2);
  }

  @Test
  void whoHangsUpDoesNoHarm() throws Exception {
    RateLimitRequest gone = Requests.request("edge", Requests.descriptor("user", "gone"));
    Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    vertx.exceptionHandler(uncaught::add);
    CountDownLatch isHeld = new CountDownLatch(1);
    elsewhere.execute(() -> awaitQuietly(isHeld));
    for (int i = 0; i < 20; i++) {
      new GrpcClient(vertx, port).hangUp(GrpcClient.SHOULD_RATE_LIMIT, gone);
    }
    isHeld.countDown();

    assertThat(call(Requests.request("edge", Requests.descriptor("user", "here"))).status())
        .isZero();
    assertThat(uncaught).isEmpty();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private ServerReflectionResponse reflect(ServerReflectionRequest request) throws Exception {
    return client.call(REFLECTION, request).as(ServerReflectionResponse.getDefaultInstance());
  }

  @Test
  void reflectionKnowsTheService() throws Exception {
    String name = "envoy.service.ratelimit.v3.RateLimitService";
    ServerReflectionResponse services =
        reflect(ServerReflectionRequest.newBuilder().setListServices("*").build());
    assertThat(services.getListServicesResponse().getServiceList())
        .extracting(ServiceResponse::getName)
        .contains(name);
    ServerReflectionResponse file =
        reflect(ServerReflectionRequest.newBuilder().setFileContainingSymbol(name).build());
    FileDescriptorProto proto =
        FileDescriptorProto.parseFrom(file.getFileDescriptorResponse().getFileDescriptorProto(0));

    assertThat(proto.getName()).isEqualTo("envoy/service/ratelimit/v3/rls.proto");
    assertThat(proto.getService(0).getMethod(0).getName()).isEqualTo("ShouldRateLimit");
  }
}
