package dev.weir.control.rows;

import java.time.Duration;

/**
 * How a {@link RowCache} works.
 *
 * @param mostEntries how many rows, and absences of rows, are kept
 * @param holds how long a row is used before it is read again
 * @param absenceHolds how long it is believed that there is no row
 * @param lookUpsPerSecond how often the database is asked at most, from 1 to 10,000
 * @param patience how long a request may wait for a row that is not known
 */
public record CacheOptions(
    long mostEntries,
    Duration holds,
    Duration absenceHolds,
    int lookUpsPerSecond,
    Duration patience) {
  private static final int MOST_LOOK_UPS = 10_000;

  public CacheOptions {
    if (mostEntries < 1) {
      throw new IllegalArgumentException("mostEntries must be at least 1, got " + mostEntries);
    }
    if (lookUpsPerSecond < 1 || lookUpsPerSecond > MOST_LOOK_UPS) {
      throw new IllegalArgumentException(
          "lookUpsPerSecond must be between 1 and %d, got %d"
              .formatted(MOST_LOOK_UPS, lookUpsPerSecond));
    }
  }

  /** 250,000 entries for 10 min, absences for 1 min, 200 look-ups a second, 50 ms of patience. */
  public static CacheOptions defaults() {
    return new CacheOptions(
        250_000, Duration.ofMinutes(10), Duration.ofMinutes(1), 200, Duration.ofMillis(50));
  }

  /** The same with another bound on look-ups. */
  public CacheOptions withLookUpsPerSecond(int lookUps) {
    return new CacheOptions(mostEntries, holds, absenceHolds, lookUps, patience);
  }

  /** The same with another patience. */
  public CacheOptions withPatience(Duration patience) {
    return new CacheOptions(mostEntries, holds, absenceHolds, lookUpsPerSecond, patience);
  }

  /** The same with another bound on entries. */
  public CacheOptions withMostEntries(long entries) {
    return new CacheOptions(entries, holds, absenceHolds, lookUpsPerSecond, patience);
  }
}
