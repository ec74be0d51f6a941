package dev.weir.backtest;

import dev.weir.policy.Cause;
import dev.weir.policy.Outcome;
import dev.weir.policy.Request;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request as a log has it.
 *
 * @param atMicros when it was decided, or logged, in microseconds since the epoch
 * @param request what was asked, and by whom
 * @param outcome what the log says became of it; null if it does not say
 * @param cause why, as far as the log says so
 * @param rule what decided, as far as the log says so
 */
public record LoggedRequest(
    long atMicros,
    Request request,
    @Nullable Outcome outcome,
    @Nullable Cause cause,
    @Nullable String rule) {

  /** The first instant that a store counts with no more, the start of the year 2400. */
  static final long END_MICROS = 13_569_465_600_000_000L;

  public LoggedRequest {
    Objects.requireNonNull(request, "request");
    if (atMicros < 0 || atMicros >= END_MICROS) {
      throw new IllegalArgumentException(
          "time must be between 1970 and 2400, got " + atMicros + " microseconds");
    }
  }

  /** A request of which the log does not say what became of it. */
  public static LoggedRequest of(long atMicros, Request request) {
    return new LoggedRequest(atMicros, request, null, null, null);
  }

  /** The same request at another time. */
  LoggedRequest at(long otherMicros) {
    return new LoggedRequest(otherMicros, request, outcome, cause, rule);
  }

  /** Whether lists of clients decided it that are kept beside a policy. */
  boolean isDecidedByList() {
    return cause == Cause.BLOCKED_CLIENT || cause == Cause.EXEMPT;
  }
}
