package dev.weir.server;

import dev.weir.server.envoy.EnvoyRateLimitService;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.reflection.ReflectionService;
import io.vertx.grpc.server.GrpcServer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the service answers to over gRPC, and who may have it. */
final class GrpcCalls {
  private static final String HEALTH = "/grpc.health.";
  private static final String REFLECTION = "/grpc.reflection.";
  private static final String UNAUTHENTICATED = "16";

  private final Supplier<Guard> guard;
  private final EnvoyRateLimitService envoy;
  private final BooleanSupplier isServing;

  GrpcCalls(Supplier<Guard> guard, EnvoyRateLimitService envoy, BooleanSupplier isServing) {
    this.guard = guard;
    this.envoy = envoy;
    this.isServing = isServing;
  }

  /** Adds all of it to a server of one event loop. */
  GrpcServer addTo(GrpcServer server) {
    return server
        .addService(envoy)
        .addService(new GrpcHealth(envoy.name(), isServing))
        .addService(ReflectionService.v1());
  }

  void handle(HttpServerRequest request, GrpcServer server) {
    Access access = access(request.path());
    Guard now = guard.get();
    Guard.Refusal refusal =
        now.isForAll(access)
            ? null
            : now.refusal(
                access,
                request.getHeader(HttpHeaders.AUTHORIZATION),
                String.valueOf(request.authority()),
                request.getHeader(HttpHeaders.ORIGIN));
    if (refusal == null) {
      server.handle(request);
    } else {
      request
          .response()
          .putHeader("content-type", "application/grpc")
          .putHeader("grpc-status", UNAUTHENTICATED)
          .putHeader("grpc-message", "authorization must be Bearer with the right token")
          .end();
    }
  }

  private static Access access(@Nullable String path) {
    if (path != null && path.startsWith(HEALTH)) {
      return Access.OPEN;
    }
    return path != null && path.startsWith(REFLECTION) ? Access.CALLER : Access.CHECK;
  }
}
