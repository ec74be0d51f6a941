package dev.weir.control.rollup;

import java.util.Locale;

/** How long a row of metrics is. */
public enum Granularity {
  MINUTE(60),
  HOUR(60 * 60),
  DAY(24 * 60 * 60);

  private final long seconds;

  Granularity(long seconds) {
    this.seconds = seconds;
  }

  /** When the row begins that has that second of the epoch; days are those of UTC. */
  long start(long second) {
    return Math.floorDiv(second, seconds) * seconds;
  }

  /** As in the database. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
