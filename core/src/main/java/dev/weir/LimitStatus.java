package dev.weir;

import java.time.Instant;

/**
 * How one limit stands after a decision.
 *
 * @param name the counter's name
 * @param limit the limit
 * @param remaining what may still be used at once, from 0 to the limit's capacity
 * @param resetMicros when all of it is there again if nothing more is used, in microseconds since
 *     the epoch; the instant of the decision if nothing is used
 */
public record LimitStatus(String name, Limit limit, long remaining, long resetMicros) {

  /** When all of the limit is there again if nothing more is used. */
  public Instant resetAt() {
    return Micros.toInstant(resetMicros);
  }
}
