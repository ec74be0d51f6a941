package dev.weir;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Conversions between the engine's integer microseconds and the types of the public API. */
final class Micros {
  private Micros() {}

  /** The last instant the engine counts with, the start of the year 2400. */
  static final long LAST = 13_569_465_600_000_000L;

  private static final Duration MICRO = Duration.ofNanos(1_000);

  static Instant toInstant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  static Duration toDuration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  static long of(Instant instant) {
    // Not ChronoUnit.between, which counts nanoseconds and overflows in 2262.
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
  }

  /** Rounded up, so that a wait never ends early. */
  static long roundedUp(Duration duration) {
    long micros = duration.truncatedTo(ChronoUnit.MICROS).dividedBy(MICRO);
    return duration.compareTo(toDuration(micros)) > 0 ? micros + 1 : micros;
  }
}
