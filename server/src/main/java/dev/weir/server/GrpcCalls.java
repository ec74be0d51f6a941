package dev.weir.server;

import dev.weir.server.envoy.EnvoyRateLimitService;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.reflection.ReflectionService;
import io.vertx.grpc.server.GrpcServer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What the service answers to over gRPC, and who may have it. */
final class GrpcCalls {
  private static final String CONTENT_TYPE = "application/grpc";
  private static final String HEALTH = "/grpc.health.";
  private static final String REFLECTION = "/grpc.reflection.";
  private static final String ENVOY = "/" + EnvoyRateLimitService.NAME.fullyQualifiedName() + "/";
  private static final String UNAUTHENTICATED = "16";

  private static final String RESOURCE_EXHAUSTED = "8";

  private final Supplier<Live> live;
  private final TokenAttempts attempts;
  private final EnvoyRateLimitService envoy;
  private final BooleanSupplier isServing;

  GrpcCalls(
      Supplier<Live> live,
      TokenAttempts attempts,
      EnvoyRateLimitService envoy,
      BooleanSupplier isServing) {
    this.live = live;
    this.attempts = attempts;
    this.envoy = envoy;
    this.isServing = isServing;
  }

  /**
   * Whether a request is a call of a gRPC service. The path decides: gRPC answers with the status
   * 200 whatever went wrong, so a caller must not be able to choose it for other paths by a content
   * type.
   */
  static boolean isCall(HttpServerRequest request) {
    String path = request.path();
    if (path == null
        || !(path.startsWith(ENVOY) || path.startsWith(HEALTH) || path.startsWith(REFLECTION))) {
      return false;
    }
    String type = request.headers().get(HttpHeaders.CONTENT_TYPE);
    return request.method().equals(HttpMethod.POST)
        && type != null
        && (type.equals(CONTENT_TYPE)
            || type.startsWith(CONTENT_TYPE + "+")
            || type.startsWith(CONTENT_TYPE + ";"));
  }

  /** Adds all of it to a server of one event loop. */
  GrpcServer addTo(GrpcServer server) {
    return server
        .addService(envoy)
        .addService(new GrpcHealth(envoy.name(), isServing))
        .addService(ReflectionService.v1());
  }

  void handle(Exchange exchange, GrpcServer server) {
    Access access = access(exchange.path());
    Live now = live.get();
    Guard.Refusal refusal =
        now.guard().isForAll(access) ? null : attempts.refusal(access, exchange, now);
    if (refusal == null) {
      server.handle(exchange.request());
    } else if (refusal == Guard.Refusal.ATTEMPTS) {
      refuse(exchange, RESOURCE_EXHAUSTED, "authorization was wrong too often; retry in a minute");
    } else {
      refuse(exchange, UNAUTHENTICATED, "authorization must be Bearer with the right token");
    }
  }

  private static void refuse(Exchange exchange, String status, String message) {
    exchange.put(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE);
    exchange.put("grpc-status", status);
    exchange.put("grpc-message", message);
    exchange.end(200);
  }

  private static Access access(String path) {
    if (path.startsWith(HEALTH)) {
      return Access.OPEN;
    }
    return path.startsWith(REFLECTION) ? Access.CALLER : Access.CHECK;
  }
}
