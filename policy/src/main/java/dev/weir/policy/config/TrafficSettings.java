package dev.weir.policy.config;

import java.time.Duration;

/**
 * The section {@code [traffic]}: which requests are kept in memory, so that rules can be tried out
 * on them.
 *
 * @param keep how long; zero: none is kept
 * @param maxRequests how many at most, the latest ones
 * @param clients of how many of the clients, from 0 to 1; of each of those all requests are kept
 */
public record TrafficSettings(Duration keep, int maxRequests, double clients) {

  /** Whether any are kept. */
  public boolean isOn() {
    return !keep.isZero() && clients > 0;
  }
}
