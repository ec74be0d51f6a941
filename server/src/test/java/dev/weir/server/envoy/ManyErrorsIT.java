package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.MemoryCounterStore;
import dev.weir.testkit.TestLevel;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.server.GrpcServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Errors are answered, however quickly they are found. */
class ManyErrorsIT {
  private static final int CALLS = TestLevel.amount("weir.server.errors", 1_000, 5_000);

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
          }
        }
      };

  /** A client may reset each call whose answer comes before the end of its request. */
  private static HttpServerOptions withoutFloodProtection() {
    return new HttpServerOptions().setHttp2RstFloodMaxRstFramePerWindow(2 * CALLS);
  }

  @Test
  void noneIsLost() throws Exception {
    EnvoyStats stats = new EnvoyStats();
    RateLimitDecider decider = new RateLimitDecider(new MemoryCounterStore(), stats);
    Vertx vertx = Vertx.vertx();
    GrpcServer grpc = GrpcServer.server(vertx);
    grpc.addService(new EnvoyRateLimitService(decider));
    int port =
        vertx
            .createHttpServer(withoutFloodProtection())
            .requestHandler(grpc)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS)
            .actualPort();
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit")
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();
    try {
      for (int i = 0; i < CALLS; i++) {
        Status.Code code = Status.Code.OK;
        try {
          ClientCalls.blockingUnaryCall(
              channel,
              method,
              CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS),
              new byte[] {10, 2, (byte) 0xC3, '('});
        } catch (StatusRuntimeException failed) {
          code = failed.getStatus().getCode();
        }
        assertThat(code).as("call " + i).isEqualTo(Status.Code.INVALID_ARGUMENT);
      }
    } finally {
      channel.shutdownNow();
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }
}
