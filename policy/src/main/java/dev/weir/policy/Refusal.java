package dev.weir.policy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a rule wants its refusals answered; what is null follows from the decision.
 *
 * @param status the HTTP status, from 400 to 599
 * @param message what the client is told
 * @param retryAfter when the client may come back, in whole seconds, whatever the limits say
 */
public record Refusal(
    @Nullable Integer status, @Nullable String message, @Nullable Duration retryAfter) {
  private static final Refusal PLAIN = new Refusal(null, null, null);

  public Refusal {
    if (status != null && (status < 400 || status > 599)) {
      throw new IllegalArgumentException("status must be between 400 and 599, got " + status);
    }
    if (retryAfter != null && !isWholeSeconds(retryAfter)) {
      throw new IllegalArgumentException(
          "retry_after must be whole seconds, at least 1s, got " + retryAfter);
    }
  }

  private static boolean isWholeSeconds(Duration duration) {
    return duration.compareTo(Duration.ofSeconds(1)) >= 0
        && duration.truncatedTo(ChronoUnit.SECONDS).equals(duration);
  }

  /** The usual answer. */
  public static Refusal plain() {
    return PLAIN;
  }
}
