package dev.weir.control.journal;

import java.time.Duration;

/**
 * How a {@link Journal} works.
 *
 * @param syncInterval after how long at most a record is on its way to disk, from 1 ms to 60 s
 * @param mostBytesOnDisk how long all segments together may become; at least 256 KiB more than a
 *     segment
 * @param segmentBytes how long a file may become, from 4 KiB to 1 GiB; a longer record gets one for
 *     itself
 * @param mostWaitingRecords how many records may wait for being safe on disk, up to 2^24
 * @param mostWaitingBytes how much they may take, at least 128 KiB
 */
public record JournalOptions(
    Duration syncInterval,
    long mostBytesOnDisk,
    long segmentBytes,
    int mostWaitingRecords,
    long mostWaitingBytes) {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final long LEAST_SEGMENT_BYTES = 4L << 10;
  private static final long MOST_SEGMENT_BYTES = 1L << 30;
  private static final int MOST_RECORDS = 1 << 24;
  private static final long LEAST_WAITING_BYTES = 128L << 10;

  /**
   * With so much besides the segment that is written to, there is room for any record as soon as
   * all others have been deleted.
   */
  private static final long LEAST_BESIDES_BYTES = 256L << 10;

  public JournalOptions {
    if (syncInterval.compareTo(SHORTEST) < 0 || syncInterval.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "syncInterval must be between 1ms and 60s, got " + syncInterval);
    }
    requireBetween("segmentBytes", segmentBytes, LEAST_SEGMENT_BYTES, MOST_SEGMENT_BYTES);
    requireAtLeast("mostBytesOnDisk", mostBytesOnDisk, segmentBytes + LEAST_BESIDES_BYTES);
    requireBetween("mostWaitingRecords", mostWaitingRecords, 1, MOST_RECORDS);
    requireAtLeast("mostWaitingBytes", mostWaitingBytes, LEAST_WAITING_BYTES);
  }

  /**
   * The usual ones: synced every 100 ms, 1 GiB on disk in segments of 16 MiB, 262,144 records and
   * 64 MiB in memory.
   */
  public static JournalOptions defaults() {
    return new JournalOptions(Duration.ofMillis(100), 1L << 30, 16L << 20, 1 << 18, 64L << 20);
  }

  /** The same with another interval. */
  public JournalOptions withSyncInterval(Duration interval) {
    return new JournalOptions(
        interval, mostBytesOnDisk, segmentBytes, mostWaitingRecords, mostWaitingBytes);
  }

  /** The same with another bound on disk. */
  public JournalOptions withMostBytesOnDisk(long bytes) {
    return new JournalOptions(
        syncInterval, bytes, segmentBytes, mostWaitingRecords, mostWaitingBytes);
  }

  /** The same with segments of another length. */
  public JournalOptions withSegmentBytes(long bytes) {
    return new JournalOptions(
        syncInterval, mostBytesOnDisk, bytes, mostWaitingRecords, mostWaitingBytes);
  }

  /** The same with another number of records in memory. */
  public JournalOptions withMostWaitingRecords(int records) {
    return new JournalOptions(
        syncInterval, mostBytesOnDisk, segmentBytes, records, mostWaitingBytes);
  }

  /** The same with another bound on what records take in memory. */
  public JournalOptions withMostWaitingBytes(long bytes) {
    return new JournalOptions(
        syncInterval, mostBytesOnDisk, segmentBytes, mostWaitingRecords, bytes);
  }

  static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s must be at least %d, got %d".formatted(name, least, value));
    }
  }

  private static void requireBetween(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be between %d and %d, got %d".formatted(name, least, most, value));
    }
  }
}
