package dev.weir;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The answer to one operation: whether the request may pass, why, and how its limits stand.
 *
 * @param reason why it passed or did not
 * @param atMicros when it was decided, in microseconds since the epoch
 * @param retryAfterMicros how long a lone caller has to wait until the same request passes: 0 when
 *     it passed or never will, else at least 1
 * @param decisive the index in {@code limits} of the limit that refused (with several, the one with
 *     the longest wait), or, when none did, of the one closest to exhaustion
 * @param limits every limit of the operation, in its order
 */
public record Decision(
    Reason reason, long atMicros, long retryAfterMicros, int decisive, List<LimitStatus> limits) {

  /** Whether the request may pass. */
  public boolean allowed() {
    return reason == Reason.WITHIN_LIMITS;
  }

  /** Whether the same request passes later: false only for a cost above a limit's capacity. */
  public boolean retryable() {
    return reason != Reason.COST_EXCEEDS_LIMIT;
  }

  /** How the decisive limit stands. */
  public LimitStatus status() {
    return limits.get(decisive);
  }

  /** The capacity of the decisive limit. */
  public long limit() {
    return status().limit().capacity();
  }

  /** What remains of the decisive limit. */
  public long remaining() {
    return status().remaining();
  }

  /** When all of the decisive limit is there again if nothing more is used. */
  public Instant resetAt() {
    return status().resetAt();
  }

  /** How long a lone caller has to wait until the same request passes; zero when it passed. */
  public Duration retryAfter() {
    return Micros.toDuration(retryAfterMicros);
  }

  /** This peek as a refusal, since the permits go to others who have waited for them. */
  Decision refusedForOthers() {
    return new Decision(
        allowed() ? Reason.LIMIT_EXCEEDED : reason,
        atMicros,
        retryable() ? Math.max(1, retryAfterMicros) : 0,
        decisive,
        limits);
  }

  /** When this was decided. */
  public Instant at() {
    return Micros.toInstant(atMicros);
  }
}
