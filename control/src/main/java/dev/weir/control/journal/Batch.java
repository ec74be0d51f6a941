package dev.weir.control.journal;

import java.util.ArrayList;
import java.util.List;

/** Records that are read together: not too many, not too long, but at least one. */
final class Batch {
  private final long after;
  private final int mostRecords;
  private final long mostBytes;
  private final List<JournalRecord> records = new ArrayList<>();
  private long bytes;
  private boolean isFull;

  /** Those behind a sequence. */
  Batch(long after, int mostRecords, long mostBytes) {
    this.after = after;
    this.mostRecords = mostRecords;
    this.mostBytes = mostBytes;
  }

  long after() {
    return after;
  }

  /** Whether the next one may be that long; if not, the batch is full. */
  boolean hasRoomFor(int payloadBytes) {
    isFull |= !records.isEmpty() && bytes + payloadBytes > mostBytes;
    return !isFull;
  }

  void add(JournalRecord record) {
    records.add(record);
    bytes += record.payload().length;
    isFull |= records.size() == mostRecords;
  }

  boolean isFull() {
    return isFull;
  }

  /** The sequence of the last one; the one that it starts behind as long as there is none. */
  long last() {
    return records.isEmpty() ? after : records.get(records.size() - 1).sequence();
  }

  List<JournalRecord> records() {
    return records;
  }
}
