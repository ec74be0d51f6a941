package dev.weir.control.outbox;

import dev.weir.control.journal.JournalRecord;
import java.time.Duration;
import java.util.List;

/** What is in an outbox. */
public final class OutboxRecords {
  private OutboxRecords() {}

  /** All that is safe on disk, each with its kind before it. */
  public static List<byte[]> all(Outbox outbox) throws InterruptedException {
    return outbox.read(0, 1_000_000, 1L << 30, Duration.ZERO).stream()
        .map(JournalRecord::payload)
        .toList();
  }
}
