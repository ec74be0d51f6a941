package dev.weir.server.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.policy.JsonText;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The service for callers that do not speak gRPC: messages are the JSON of Protocol Buffers, and
 * the status tells what was decided.
 */
public final class EnvoyJson {
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int INTERNAL_SERVER_ERROR = 500;

  /**
   * An answer.
   *
   * @param status 200 if the request may pass, 429 if not, 400 if something is wrong with it, 500
   *     if nobody knows
   * @param body JSON
   */
  public record Reply(int status, String body) {}

  private final RateLimitDecider decider;

  /** The same decisions as of that decider. */
  public EnvoyJson(RateLimitDecider decider) {
    this.decider = Objects.requireNonNull(decider, "decider");
  }

  /** Answers a request; never fails. */
  public CompletionStage<Reply> answer(String body) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder();
    try {
      JsonFormat.parser().merge(body, request);
    } catch (InvalidProtocolBufferException wrong) {
      return CompletableFuture.completedFuture(
          error(BAD_REQUEST, "Bad Request", String.valueOf(wrong.getMessage())));
    }
    return decider
        .decide(request.build())
        .handle((response, failure) -> response == null ? failed(failure) : reply(response));
  }

  private static Reply reply(RateLimitResponse response) {
    int status =
        switch (response.getOverallCode()) {
          case OK -> OK;
          case OVER_LIMIT -> TOO_MANY_REQUESTS;
          case UNKNOWN, UNRECOGNIZED -> INTERNAL_SERVER_ERROR;
        };
    try {
      return new Reply(
          status, JsonFormat.printer().omittingInsignificantWhitespace().print(response));
    } catch (InvalidProtocolBufferException impossible) {
      return failed(impossible);
    }
  }

  private static Reply failed(@Nullable Throwable failure) {
    RateLimitException told = RateLimitException.of(failure);
    return told.kind() == RateLimitException.Kind.UNREACHABLE
        ? error(INTERNAL_SERVER_ERROR, "Internal Server Error", told.getMessage())
        : error(BAD_REQUEST, "Bad Request", told.getMessage());
  }

  private static Reply error(int status, String error, String message) {
    return new Reply(status, new JsonText().put("error", error).put("message", message).toString());
  }
}
