package dev.weir.testkit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as the integer microseconds since the epoch that stores count with. */
final class EpochMicros {
  private EpochMicros() {}

  static long of(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  static Instant toInstant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
