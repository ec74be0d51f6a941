package dev.weir.server.envoy;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A request that gets an error in place of an answer. */
public final class RateLimitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Whose fault it is. */
  public enum Kind {
    /** The request is larger than requests may be, or says what cannot be. */
    MALFORMED,
    /** The request cannot be decided; envoyproxy/ratelimit says so with the same text. */
    UNDECIDABLE,
    /** Counters could not be reached. */
    UNREACHABLE
  }

  private final Kind kind;

  RateLimitException(Kind kind, String message) {
    // Thrown for whatever a caller sends: nobody reads the stack of it.
    super(message, null, false, false);
    this.kind = kind;
  }

  static RateLimitException malformed(String message) {
    return new RateLimitException(Kind.MALFORMED, message);
  }

  static RateLimitException undecidable(String message) {
    return new RateLimitException(Kind.UNDECIDABLE, message);
  }

  /** Why a decision failed: what it failed with, or that nobody knows. */
  static RateLimitException of(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RateLimitException told
        ? told
        : new RateLimitException(Kind.UNREACHABLE, "the request could not be decided");
  }

  /** Whose fault it is. */
  public Kind kind() {
    return kind;
  }

  /** What is wrong. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
