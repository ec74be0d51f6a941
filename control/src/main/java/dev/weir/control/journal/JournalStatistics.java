package dev.weir.control.journal;

import java.util.Map;
import java.util.Optional;

/**
 * How a journal is, about now: the numbers are not taken at one instant.
 *
 * @param waitingRecords records that were taken and are not yet safe on disk
 * @param bytesOnDisk how long all segments are together
 * @param dropped how many records were not taken, or not written in the end, by cause, since it was
 *     opened; every cause is there
 * @param damaged how many records that had been on disk were found missing or unreadable by who
 *     read them, since it was opened; each counts once, and where an end is destroyed, as many as
 *     may have been there
 * @param isFailing whether the last attempt to write failed; it is tried again at every interval
 * @param lastFailure why an attempt to write failed, the last time that one did
 * @param lastSynced the highest sequence that is safe on disk; 0 if there never was one
 * @param oldestUnread the lowest sequence that was not acknowledged; one above {@code lastSynced}
 *     if all were
 */
public record JournalStatistics(
    long waitingRecords,
    long bytesOnDisk,
    Map<DropCause, Long> dropped,
    long damaged,
    boolean isFailing,
    Optional<String> lastFailure,
    long lastSynced,
    long oldestUnread) {
  public JournalStatistics {
    dropped = Map.copyOf(dropped);
  }

  /** How many records were dropped for that cause. */
  public long dropped(DropCause cause) {
    return dropped.getOrDefault(cause, 0L);
  }

  /** How many records were dropped, for whatever cause. */
  public long allDropped() {
    return dropped.values().stream().mapToLong(Long::longValue).sum();
  }
}
