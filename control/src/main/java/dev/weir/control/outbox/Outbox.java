package dev.weir.control.outbox;

import dev.weir.control.journal.Journal;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.journal.JournalRecord;
import dev.weir.control.journal.JournalStatistics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Takes records on their way to the database, and has them on local disk until they are there.
 * Needs no database: {@link Delivery} begins when there is one. Safe for use by several threads.
 */
public final class Outbox implements AutoCloseable {
  private static final String JOURNAL = "journal";

  private final Journal journal;
  private final List<Epoch> epochs;

  private Outbox(Journal journal, List<Epoch> epochs) {
    this.journal = journal;
    this.epochs = epochs;
  }

  /**
   * Opens the outbox of a folder, which is made if there is none. Records that an earlier process
   * left there are still on their way.
   *
   * @throws dev.weir.control.journal.JournalException if another process uses the folder, or it
   *     cannot be read or written
   */
  public static Outbox open(Path folder, JournalOptions options) {
    Journal journal = Journal.open(folder.resolve(JOURNAL), options);
    boolean isOpen = false;
    try {
      JournalStatistics before = journal.statistics();
      Outbox outbox =
          new Outbox(journal, Epochs.begin(folder, before.oldestUnread(), before.lastSynced()));
      isOpen = true;
      return outbox;
    } finally {
      if (!isOpen) {
        journal.close();
      }
    }
  }

  /**
   * Takes a record, without waiting for anything.
   *
   * @param kind which {@link Sink} it is for
   * @param payload at most 65,535 bytes
   * @return whether it was taken; if not, that is counted
   */
  public boolean put(byte kind, byte[] payload) {
    byte[] record = new byte[payload.length + 1];
    record[0] = kind;
    System.arraycopy(payload, 0, record, 1, payload.length);
    return journal.append(record);
  }

  /**
   * Returns when all that was taken before is safe on disk.
   *
   * @throws dev.weir.control.journal.JournalException if it cannot be written now
   */
  public void flush() throws InterruptedException {
    journal.flush();
  }

  /** How many records were taken and are not known to be in the database. */
  public long waiting() {
    JournalStatistics now = journal.statistics();
    return now.waitingRecords() + Math.max(0, now.lastSynced() + 1 - now.oldestUnread());
  }

  /** How many records were not taken, or damaged on disk, since it was opened. */
  public long dropped() {
    JournalStatistics now = journal.statistics();
    return now.allDropped() + now.damaged();
  }

  /** How the journal is. */
  public JournalStatistics statistics() {
    return journal.statistics();
  }

  /** Those of which there may be records, in their order. */
  List<Epoch> epochs() {
    return epochs;
  }

  /** The next records that are safe on disk; see {@link Journal#read}. */
  List<JournalRecord> read(long after, int mostRecords, long mostBytes, Duration patience)
      throws InterruptedException {
    return journal.read(after, mostRecords, mostBytes, patience);
  }

  /** All up to a sequence is in the database. */
  void acknowledge(long sequence) {
    journal.acknowledge(sequence);
  }

  /** Takes no more records, and has those on disk that it took. */
  @Override
  public void close() {
    journal.close();
  }
}
