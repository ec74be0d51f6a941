package dev.weir.server.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Just enough of gRPC to call one method: frames over HTTP/2. */
public final class GrpcClient {
  static final String SHOULD_RATE_LIMIT =
      "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

  private static final int CANCEL = 8;

  /**
   * What came back.
   *
   * @param status the code of gRPC; 0 if all is well
   * @param text what is said about an error; empty for none
   * @param encodedText the same as it came
   * @param message the first message; empty for none
   */
  public record Reply(int status, String text, String encodedText, Buffer message) {
    <T extends Message> T as(T standard) throws InvalidProtocolBufferException {
      @SuppressWarnings("unchecked")
      T message = (T) standard.getParserForType().parseFrom(message().getBytes());
      return message;
    }
  }

  private final HttpClient client;
  private final int port;

  /** Calls what listens on that port of this machine. */
  public GrpcClient(Vertx vertx, int port) {
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    this.port = port;
  }

  /** A message as it is sent. */
  public static Buffer frame(byte[] message) {
    return Buffer.buffer().appendByte((byte) 0).appendInt(message.length).appendBytes(message);
  }

  Reply call(String method, Message message) throws Exception {
    return call(method, frame(message.toByteArray()));
  }

  /** Sends that body, and waits for the end of the answer. */
  public Reply call(String method, Buffer body)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<Reply> reply =
        client
            .request(HttpMethod.POST, port, "127.0.0.1", method)
            .compose(
                request -> {
                  // Before anything is sent: an error may be answered at once.
                  Future<Reply> answer =
                      prepared(request)
                          .response()
                          .compose(response -> response.body().map(all -> reply(response, all)));
                  request.end(body);
                  return answer;
                })
            .toCompletionStage()
            .toCompletableFuture();
    return reply.get(10, TimeUnit.SECONDS);
  }

  private static Reply reply(HttpClientResponse response, Buffer all) {
    String status = response.getTrailer("grpc-status");
    String text = response.getTrailer("grpc-message");
    if (status == null) {
      status = response.getHeader("grpc-status");
      text = response.getHeader("grpc-message");
    }
    return new Reply(
        Integer.parseInt(Objects.requireNonNull(status, "status")),
        decoded(text),
        text == null ? "" : text,
        firstMessage(all));
  }

  private static String decoded(@Nullable String text) {
    return text == null ? "" : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static HttpClientRequest prepared(HttpClientRequest request) {
    return request.putHeader("content-type", "application/grpc").putHeader("te", "trailers");
  }

  private static Buffer firstMessage(Buffer body) {
    return body.length() < 5 ? Buffer.buffer() : body.getBuffer(5, 5 + body.getInt(1));
  }

  /** Sends a request and hangs up before it is answered. */
  void hangUp(String method, Message message)
      throws InterruptedException, ExecutionException, TimeoutException {
    client
        .request(HttpMethod.POST, port, "127.0.0.1", method)
        .compose(
            request -> {
              prepared(request).setChunked(true).exceptionHandler(ownReset -> {});
              return request
                  .write(frame(message.toByteArray()))
                  .onComplete(sent -> request.reset(CANCEL));
            })
        .toCompletionStage()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }
}
