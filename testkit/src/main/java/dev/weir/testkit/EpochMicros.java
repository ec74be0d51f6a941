package dev.weir.testkit;

import java.time.Instant;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/** Instants as the integer microseconds since the epoch that stores count with. */
final class EpochMicros {
  private EpochMicros() {}

  /** Not by {@code ChronoUnit.between}, which overflows in the year 2262. */
  static long of(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.get(ChronoField.MICRO_OF_SECOND);
  }

  static Instant toInstant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
