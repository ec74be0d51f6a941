package dev.weir.spring.client;

import java.time.Duration;

/** A request to another host was not sent, since it would have come too early. */
public final class OutgoingLimitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Duration retryAfter;

  OutgoingLimitException(String host, String why, Duration retryAfter) {
    super(
        "the request was not sent: %s %s; it may be asked in %d ms"
            .formatted(host, why, retryAfter.toMillis()));
    this.retryAfter = retryAfter;
  }

  /** After how long it may be sent. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
