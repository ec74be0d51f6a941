package dev.weir.control.configuration;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which configuration an instance has, for those who operate it.
 *
 * @param origin where it is from
 * @param version of the configuration in the database; 0 if it is from the file alone
 * @param asOf when it was last known to be what the database says; null: never
 * @param problem why it is not what the database says now; null: it is
 */
public record ConfigurationState(
    Origin origin, long version, @Nullable Instant asOf, @Nullable String problem) {

  /** Where a configuration is from. */
  public enum Origin {
    /** From the file and the database. */
    DATABASE,
    /** From the file and a snapshot of the database. */
    SNAPSHOT,
    /** From the file alone, since there is nothing else. */
    FILE
  }

  /** Whether it is what the database says. */
  public boolean isCurrent() {
    return origin == Origin.DATABASE && problem == null;
  }

  /**
   * The same, when the database has been looked at since.
   *
   * @param seen the version that it had
   * @param at when that was
   * @param failure why it can no longer be read; null: it can
   */
  public ConfigurationState seen(long seen, Instant at, @Nullable String failure) {
    return new ConfigurationState(
        origin,
        Math.max(version, seen),
        asOf == null || asOf.isBefore(at) ? at : asOf,
        failure == null ? problem : "the database cannot be read: " + failure);
  }

  /** Such as {@code current}, or {@code from snapshot of 2026-11-16T05:00:00Z: …}. */
  @Override
  public String toString() {
    if (isCurrent()) {
      return "current";
    }
    String what =
        switch (origin) {
          case DATABASE -> "version " + version + " of " + asOf;
          case SNAPSHOT -> "from snapshot of " + asOf;
          case FILE -> "from the file alone";
        };
    return problem == null ? what : what + ": " + problem;
  }
}
