package dev.weir.server;

import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.vertx.grpc.health.v1.HealthProto;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.Service;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Says over gRPC whether the service can decide, to whoever asks; nobody can watch it. Vert.x has
 * such a service as well. But that says that all is well to those who ask for the whole, as Envoy
 * does; and whoever watches there takes the place of {@link Connections} as the one that is told of
 * the connection's end, so that connections were counted which are gone.
 */
final class GrpcHealth implements Service {
  private static final ServiceName NAME = ServiceName.create("grpc.health.v1", "Health");

  /** By this name callers ask for the whole. */
  private static final String ALL = "";

  private static final ServiceMethod<HealthCheckRequest, HealthCheckResponse> CHECK =
      ServiceMethod.server(
          NAME,
          "Check",
          GrpcMessageEncoder.<HealthCheckResponse>encoder(),
          GrpcMessageDecoder.decoder(HealthCheckRequest.newBuilder()));

  private final Set<String> names;
  private final BooleanSupplier isServing;

  /**
   * Answers for the whole, for itself and for one service, which are well together.
   *
   * @param isServing whether they are
   */
  GrpcHealth(ServiceName service, BooleanSupplier isServing) {
    this.names = Set.of(ALL, NAME.fullyQualifiedName(), service.fullyQualifiedName());
    this.isServing = isServing;
  }

  @Override
  public ServiceName name() {
    return NAME;
  }

  @Override
  public ServiceDescriptor descriptor() {
    return HealthProto.getDescriptor().findServiceByName(NAME.name());
  }

  @Override
  public void bind(GrpcServer server) {
    server.callHandler(CHECK, call -> new Call(call).start());
  }

  /** One call, which gets one response; one that ends without a whole message gets an error. */
  private final class Call {
    private final GrpcServerRequest<HealthCheckRequest, HealthCheckResponse> call;
    private boolean isAnswered;

    Call(GrpcServerRequest<HealthCheckRequest, HealthCheckResponse> call) {
      this.call = call;
    }

    void start() {
      call.handler(asked -> once(() -> answer(call, asked)));
      call.endHandler(end -> once(this::refuse));
      call.exceptionHandler(failure -> once(this::refuse));
    }

    private void once(Runnable response) {
      if (!isAnswered) {
        isAnswered = true;
        response.run();
      }
    }

    private void refuse() {
      call.response()
          .status(GrpcStatus.INVALID_ARGUMENT)
          .statusMessage("a request must have a message")
          .end();
    }
  }

  private void answer(
      GrpcServerRequest<HealthCheckRequest, HealthCheckResponse> call, HealthCheckRequest asked) {
    if (!names.contains(asked.getService())) {
      call.response().status(GrpcStatus.NOT_FOUND).end();
      return;
    }
    ServingStatus status =
        isServing.getAsBoolean() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    call.response().end(HealthCheckResponse.newBuilder().setStatus(status).build());
  }
}
