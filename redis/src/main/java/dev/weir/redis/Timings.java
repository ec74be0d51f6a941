package dev.weir.redis;

import java.time.Duration;

/**
 * How often a store checks on its servers, and how long a server may be silent. None of it is a
 * setting; tests use shorter times.
 *
 * @param ping between two attempts to reach a server that does not answer
 * @param silence how long a connection may be silent before it is replaced
 * @param check between two checks of a server that answers, see {@link Caretaker}
 * @param newsPing between two pings of a connection that brings {@link RoomNews}
 * @param newsSilence how long that connection may be silent before nothing is remembered
 * @param newsRetry between two attempts to open that connection
 */
record Timings(
    Duration ping,
    Duration silence,
    Duration check,
    Duration newsPing,
    Duration newsSilence,
    Duration newsRetry) {
  static final Timings DEFAULT =
      new Timings(
          Duration.ofMillis(50),
          Duration.ofSeconds(2),
          Duration.ofMillis(500),
          Duration.ofMillis(200),
          Duration.ofMillis(800),
          Duration.ofMillis(500));
}
