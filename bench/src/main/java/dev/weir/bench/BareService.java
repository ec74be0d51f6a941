package dev.weir.bench;

import com.google.protobuf.Duration;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What a service on Vert.x costs that answers a constant, as long as an answer of Weir: it reads
 * what it is sent, and thinks nothing. Like the service it has one event loop for each core, native
 * sockets and bounds on what it takes.
 *
 * <p>Argument: the {@link ServerCall} that it answers. It prints its port when it answers, and ends
 * when nobody is left who could write to it.
 */
final class BareService extends VerticleBase {
  private static final Buffer CHECK_BODY =
      Buffer.buffer(
          """
          {"allowed": true, "decision": "allowed", "client": "user:user-12345", "tier": null, \
          "endpoint": "chat", "rule": "endpoint:chat", "limit": 1000000, "remaining": 999999, \
          "reset": 1772359201, "reason": "within_limits", "degraded": false, \
          "policy": "0123456789ab", "headers": {"X-RateLimit-Limit": "1000000", \
          "X-RateLimit-Remaining": "999999", "X-RateLimit-Reset": "1772359201", \
          "RateLimit-Policy": "\\"chat\\";q=1000000;w=60", "RateLimit": "\\"chat\\";r=999999;t=1"}, \
          "limits": [{"rule": "endpoint:chat", "limit": 1000000, "window": 60, "remaining": 999999, \
          "reset": 1772359201}]}""");

  private static final Map<String, String> AUTH_FIELDS =
      Map.of(
          "X-RateLimit-Limit", "1000000",
          "X-RateLimit-Remaining", "999999",
          "X-RateLimit-Reset", "1772359201",
          "RateLimit-Policy", "\"chat\";q=1000000;w=60",
          "RateLimit", "\"chat\";r=999999;t=1");

  private static final RateLimitResponse RLS_ANSWER =
      RateLimitResponse.newBuilder()
          .setOverallCode(RateLimitResponse.Code.OK)
          .addStatuses(
              RateLimitResponse.DescriptorStatus.newBuilder()
                  .setCode(RateLimitResponse.Code.OK)
                  .setCurrentLimit(
                      RateLimitResponse.RateLimit.newBuilder()
                          .setRequestsPerUnit(1_000_000)
                          .setUnit(RateLimitResponse.RateLimit.Unit.MINUTE))
                  .setLimitRemaining(999_999)
                  .setDurationUntilReset(Duration.newBuilder().setSeconds(30)))
          .build();

  private static final ServiceMethod<RateLimitRequest, RateLimitResponse> RLS_METHOD =
      ServiceMethod.server(
          ServiceName.create(ServerCall.ENVOY_SERVICE),
          ServerCall.ENVOY_METHOD,
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(RateLimitRequest.newBuilder()));

  private final ServerCall call;
  private @Nullable HttpServer server;

  private BareService(ServerCall call) {
    this.call = call;
  }

  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    ServerCall call = ServerCall.valueOf(args[0]);
    int eventLoops = Runtime.getRuntime().availableProcessors();
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(eventLoops));
    List<BareService> all = new CopyOnWriteArrayList<>();
    vertx
        .deployVerticle(
            () -> {
              BareService one = new BareService(call);
              all.add(one);
              return one;
            },
            new DeploymentOptions().setInstances(eventLoops))
        .toCompletionStage()
        .toCompletableFuture()
        .get();
    System.out.println(all.get(0).port());
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static HttpServerOptions options() {
    return new HttpServerOptions()
        .setMaxInitialLineLength(8 << 10)
        .setMaxHeaderSize(16 << 10)
        .setMaxChunkSize(16 << 10)
        .setDecompressionSupported(false)
        .setTcpNoDelay(true)
        .setTcpKeepAlive(true)
        .setAcceptBacklog(1_024)
        .setInitialSettings(
            new Http2Settings().setMaxConcurrentStreams(1_000).setMaxHeaderListSize(16 << 10));
  }

  @Override
  public Future<?> start() {
    server = vertx.createHttpServer(options()).requestHandler(handler());
    // A negative port stands for one that is free, and is the same for all event loops.
    return server.listen(-1, "127.0.0.1");
  }

  private int port() {
    return server == null ? 0 : server.actualPort();
  }

  private Handler<HttpServerRequest> handler() {
    return switch (call) {
      case CHECK, CHECKS -> BareService::check;
      case AUTH -> BareService::authorize;
      case RLS ->
          GrpcServer.server(vertx)
              .callHandler(
                  RLS_METHOD,
                  request -> request.handler(message -> request.response().end(RLS_ANSWER)));
    };
  }

  private static void check(HttpServerRequest request) {
    request
        .body()
        .onSuccess(
            body ->
                request.response().putHeader("Content-Type", "application/json").end(CHECK_BODY));
  }

  private static void authorize(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    AUTH_FIELDS.forEach((name, value) -> response.putHeader(name, value));
    response.end();
  }
}
