package dev.weir.server.envoy;

import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RlsProto;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.common.WireFormat;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import io.vertx.grpc.server.Service;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Brings requests over gRPC to a decider. To be added to a {@link GrpcServer}, whose reflection
 * then knows it as well.
 */
public final class EnvoyRateLimitService implements Service {
  private static final System.Logger LOGGER =
      System.getLogger(EnvoyRateLimitService.class.getName());

  /** The name of the service. */
  public static final ServiceName NAME =
      ServiceName.create("envoy.service.ratelimit.v3", "RateLimitService");

  /**
   * A message as it came.
   *
   * @param request what it says; null if it cannot be read
   */
  private record Received(@Nullable RateLimitRequest request) {}

  private static final ServiceMethod<Received, RateLimitResponse> SHOULD_RATE_LIMIT =
      ServiceMethod.server(
          NAME, "ShouldRateLimit", GrpcMessageEncoder.<RateLimitResponse>encoder(), new Decoder());

  private final RateLimitDecider decider;

  /** Answers what the decider says. */
  public EnvoyRateLimitService(RateLimitDecider decider) {
    this.decider = Objects.requireNonNull(decider, "decider");
  }

  @Override
  public ServiceName name() {
    return NAME;
  }

  @Override
  public ServiceDescriptor descriptor() {
    return RlsProto.getDescriptor().findServiceByName(NAME.name());
  }

  @Override
  public void bind(GrpcServer server) {
    server.callHandler(SHOULD_RATE_LIMIT, call -> new Call(call).start());
  }

  /** Reads messages; one that cannot be read gets an answer too, where Vert.x would hang up. */
  private static final class Decoder implements GrpcMessageDecoder<Received> {
    @Override
    public Received decode(GrpcMessage message) {
      try {
        return new Received(RateLimitRequest.parseFrom(message.payload().getBytes()));
      } catch (InvalidProtocolBufferException unreadable) {
        return new Received(null);
      }
    }

    @Override
    public boolean accepts(WireFormat format) {
      return format == WireFormat.PROTOBUF;
    }
  }

  /** One call. Its first message is answered; callers of such a method send no others. */
  private final class Call {
    private final GrpcServerRequest<Received, RateLimitResponse> call;
    private boolean isAnswered;
    private boolean isGone;

    Call(GrpcServerRequest<Received, RateLimitResponse> call) {
      this.call = call;
    }

    void start() {
      call.handler(this::received);
      call.errorHandler(error -> isGone = true);
      call.exceptionHandler(failure -> isGone = true);
      call.endHandler(
          end -> {
            if (!isAnswered && !isGone) {
              isAnswered = true;
              fail(RateLimitException.malformed("a request must have a message"));
            }
          });
    }

    private void received(Received message) {
      if (isAnswered) {
        return;
      }
      isAnswered = true;
      RateLimitRequest request = message.request();
      if (request == null) {
        fail(RateLimitException.malformed("the message is no RateLimitRequest"));
        return;
      }
      CompletableFuture<RateLimitResponse> decision = decider.decide(request).toCompletableFuture();
      if (decision.isDone()) {
        var unused = decision.whenComplete(this::answer);
        return;
      }
      // Counters elsewhere answer on a thread of their own; the answer belongs to this one.
      Context context = Objects.requireNonNull(Vertx.currentContext(), "context");
      var unused =
          decision.whenComplete(
              (response, failure) -> context.runOnContext(any -> answer(response, failure)));
    }

    private void answer(@Nullable RateLimitResponse response, @Nullable Throwable failure) {
      if (isGone) {
        return;
      }
      try {
        if (response == null) {
          fail(RateLimitException.of(failure));
        } else {
          call.response().end(response);
        }
      } catch (NullPointerException | IllegalStateException gone) {
        // Vert.x throws these if the caller has disconnected and isGone is not set yet.
        LOGGER.log(System.Logger.Level.DEBUG, "a response could not be sent", gone);
      }
    }

    private void fail(RateLimitException why) {
      GrpcStatus status =
          why.kind() == RateLimitException.Kind.MALFORMED
              ? GrpcStatus.INVALID_ARGUMENT
              : GrpcStatus.UNKNOWN;
      GrpcServerResponse<Received, RateLimitResponse> response = call.response();
      // Vert.x would encode commas, too.
      response
          .status(status)
          .trailers()
          .set("grpc-message", StatusMessage.encode(why.getMessage()));
      response.end();
    }
  }
}
