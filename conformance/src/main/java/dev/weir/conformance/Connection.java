package dev.weir.conformance;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A connection to the server under test. */
final class Connection implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 10;
  private static final String[] HEALTH = {"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};

  /** Bytes as they are: the health service's messages have one field each. */
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
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  static final MethodDescriptor<byte[], byte[]> HEALTH_CHECK =
      MethodDescriptor.newBuilder(BYTES, BYTES)
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("grpc.health.v1.Health/Check")
          .build();

  private final ManagedChannel channel;

  Connection(String target) {
    channel = Grpc.newChannelBuilder(target, InsecureChannelCredentials.create()).build();
  }

  Reply ask(RateLimitRequest request) {
    try {
      return new Reply.Answer(
          RateLimitServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
              .shouldRateLimit(request));
    } catch (StatusRuntimeException e) {
      return failure(e.getStatus());
    }
  }

  /** The name of the state that the health service tells, or of the error that it answers with. */
  String health(String service) {
    try {
      byte[] answer =
          ClientCalls.blockingUnaryCall(
              channel,
              HEALTH_CHECK,
              CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS),
              healthRequest(service));
      CodedInputStream in = CodedInputStream.newInstance(answer);
      int state = in.isAtEnd() || in.readTag() >>> 3 != 1 ? 0 : in.readEnum();
      return state < HEALTH.length ? HEALTH[state] : Integer.toString(state);
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode().name();
    } catch (IOException e) {
      return e.toString().toLowerCase(Locale.ROOT);
    }
  }

  private static byte[] healthRequest(String service) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    if (!service.isEmpty()) {
      out.writeString(1, service);
    }
    out.flush();
    return bytes.toByteArray();
  }

  private static Reply failure(Status status) {
    String message = status.getDescription();
    return new Reply.Failure(status.getCode().name(), message == null ? "" : message);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
