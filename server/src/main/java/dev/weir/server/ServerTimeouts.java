package dev.weir.server;

import java.time.Duration;

/**
 * How long the service waits for callers, for its files and for its own end. Immutable.
 *
 * <p>The service always runs with {@link #defaults()}; tests shorten single values.
 *
 * @param firstRequest for the head of the first request of a connection, or its first HTTP/2 frame
 * @param body for a body, from the head of its request on
 * @param idle for the next request on an HTTP/1.1 connection
 * @param idleHttp2 for the next request on an HTTP/2 connection, which proxies keep for long
 * @param sweepInterval between two searches for connections whose time is over
 * @param delayedClose before a connection is closed that broke the rules of HTTP/2
 * @param drain for requests under way when the service stops
 * @param filePollInterval between two looks at the configuration files
 */
record ServerTimeouts(
    Duration firstRequest,
    Duration body,
    Duration idle,
    Duration idleHttp2,
    Duration sweepInterval,
    Duration delayedClose,
    Duration drain,
    Duration filePollInterval) {
  private static final ServerTimeouts DEFAULTS =
      new ServerTimeouts(
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(75),
          Duration.ofMinutes(15),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMillis(500));

  static ServerTimeouts defaults() {
    return DEFAULTS;
  }

  /** With another time for the first request and for each body, and as frequent sweeps. */
  ServerTimeouts withSlowCallers(Duration timeout) {
    Duration sweeps = timeout.dividedBy(10);
    return new ServerTimeouts(
        timeout, timeout, idle, idleHttp2, sweeps, delayedClose, drain, filePollInterval);
  }

  /** With another delay before a connection is closed that broke the rules of HTTP/2. */
  ServerTimeouts withDelayedClose(Duration delay) {
    return new ServerTimeouts(
        firstRequest, body, idle, idleHttp2, sweepInterval, delay, drain, filePollInterval);
  }
}
