package dev.weir.control.journal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;

/**
 * Records that have to reach a database exactly once, on local disk until they have.
 *
 * <p>Who appends never waits: a record goes into memory, and a thread of the journal writes all
 * that have come, and syncs the disk once for all of them, at least once in every {@link
 * JournalOptions#syncInterval}. Each record then has a sequence: 1, 2, 3 and so on. One thread, as
 * a rule, reads batches, puts them into the database together with their last sequence and the
 * {@link #id} of the journal in one transaction, and then acknowledges them here.
 *
 * <p>What is promised:
 *
 * <ul>
 *   <li>After a {@code kill -9} or a power failure, no record is lost that was taken longer ago
 *       than the interval, and the time of one sync. What {@link #flush} returned for is not lost
 *       at all. While the disk refuses writing, records wait in memory, which {@link #statistics}
 *       tells.
 *   <li>Only what is synced is read. So no sequence is ever read with another content than before,
 *       whatever dies in between: not even where the end of the journal is damaged.
 *   <li>Records are read in the order of their sequences, and sequences have no gaps, but where
 *       records are damaged; those are counted and logged, and what comes behind them is read.
 *   <li>What is not taken is counted, by cause. Room that comes back is used, without a restart.
 * </ul>
 *
 * <p>A folder belongs to one process. Safe for use by several threads.
 */
public final class Journal implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Journal.class.getName());

  private final JournalFolder folder;
  private final Reader reader;
  private final Writer writer;
  private final Room room;
  private final WaitingRecords waiting;
  private final Drops drops = new Drops();
  private final Progress progress;
  private final Intake intake;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private Journal(JournalFolder folder, JournalOptions options, ToLongFunction<UUID> known)
      throws IOException {
    this.folder = folder;
    long inDatabase = known.applyAsLong(folder.id());
    JournalOptions.requireAtLeast("known sequence", inDatabase, 0);
    Segments segments = Recovery.recover(folder, inDatabase);
    this.room = new Room(options, segments.bytes());
    this.waiting = new WaitingRecords(options.mostWaitingRecords());
    this.progress = new Progress(segments.last().extent().last());
    this.reader = new Reader(segments, room);
    reader.acknowledge(inDatabase);
    SegmentWriter disk =
        new SegmentWriter(segments, waiting, room, progress, options.segmentBytes());
    this.writer = new Writer(folder, waiting, disk, drops, progress, options.syncInterval());
    this.intake = new Intake(room, waiting, drops, writer, options);
    writer.start();
  }

  /**
   * Opens a journal of which the database is not known to have anything. If it then turns out to
   * have more than the folder, {@link #read} fails.
   *
   * @throws JournalException as the other one
   */
  public static Journal open(Path path, JournalOptions options) {
    return open(path, options, id -> 0);
  }

  /**
   * Opens a journal; the folder is made if there is none.
   *
   * @param known says up to which sequence the database has records of the journal with that id; 0
   *     if none or if it cannot be asked. What is up to there is taken as acknowledged. If it is
   *     more than the folder has, an old copy of the folder was put back: new records get higher
   *     sequences.
   * @throws JournalException if another process uses the folder, or it cannot be read or written
   */
  public static Journal open(Path path, JournalOptions options, ToLongFunction<UUID> known) {
    try {
      JournalFolder folder = JournalFolder.open(path);
      boolean isOpen = false;
      try {
        Journal journal = new Journal(folder, options, known);
        isOpen = true;
        return journal;
      } finally {
        if (!isOpen) {
          folder.close();
        }
      }
    } catch (IOException failure) {
      throw new JournalException(
          "journal %s cannot be opened: %s".formatted(path, reason(failure)), failure);
    }
  }

  /** The bare path is all that some of these exceptions say. */
  private static String reason(IOException failure) {
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason =
        failure instanceof FileSystemException ofFile ? ofFile.getReason() : failure.getMessage();
    return reason == null ? failure.getClass().getSimpleName() : reason;
  }

  /** By this the database remembers the journal; made when the folder was first used. */
  public UUID id() {
    return folder.id();
  }

  /**
   * Takes a record, without waiting for anything.
   *
   * @param record at most 65,536 bytes; it must not be changed afterwards
   * @return whether it was taken; if not, that is counted
   */
  public boolean append(byte[] record) {
    if (record.length > Frame.MOST_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "record must have at most %d bytes, got %d"
              .formatted(Frame.MOST_PAYLOAD_BYTES, record.length));
    }
    return intake.append(record);
  }

  /**
   * The next records behind a sequence, of those that are safe on disk. Where records up to there
   * were acknowledged and deleted, or are damaged, it goes on with the next that can be read, and
   * the sequences tell.
   *
   * @param afterSequence the last one that is in the database, 0 if none is; it may be lower or
   *     higher than what was acknowledged
   * @param mostRecords at least 1
   * @param mostBytes how long the payloads may be together; a longer one comes alone
   * @param patience how long to wait if there is none
   * @return nothing if none came in that time, or the journal was closed meanwhile
   * @throws JournalException if reading fails, or if the database has what was never read from this
   *     folder, because an old copy of it was put back
   */
  public List<JournalRecord> read(
      long afterSequence, int mostRecords, long mostBytes, Duration patience)
      throws InterruptedException {
    JournalOptions.requireAtLeast("afterSequence", afterSequence, 0);
    JournalOptions.requireAtLeast("mostRecords", mostRecords, 1);
    JournalOptions.requireAtLeast("mostBytes", mostBytes, 1);
    requireOpen();
    long highestGiven = reader.highestGiven();
    if (afterSequence > highestGiven) {
      throw new JournalException(
          "journal %s: the database has record %d, but none above %d was ever read; if an old copy"
                  .formatted(folder.path(), afterSequence, highestGiven)
              + " of the folder was put back, open it again while the database can be asked");
    }
    long start = System.nanoTime();
    long nanos = TimeUnit.NANOSECONDS.convert(patience);
    // What is damaged is passed over; then there may be none up to here.
    long seen = afterSequence;
    while (progress.awaitBeyond(seen, nanos - (System.nanoTime() - start))) {
      long synced = progress.synced();
      List<JournalRecord> batch = readNow(afterSequence, mostRecords, mostBytes);
      if (!batch.isEmpty()) {
        return batch;
      }
      seen = synced;
    }
    return List.of();
  }

  private List<JournalRecord> readNow(long after, int mostRecords, long mostBytes) {
    try {
      return reader.read(after, mostRecords, mostBytes);
    } catch (IOException failure) {
      throw new JournalException(
          "journal %s cannot be read after record %d".formatted(folder.path(), after), failure);
    }
  }

  /**
   * Says that all up to a sequence is in the database. Segments without anything above it are
   * deleted. A lower sequence than before changes nothing.
   */
  public void acknowledge(long sequence) {
    requireOpen();
    long highestGiven = reader.highestGiven();
    if (sequence < 0 || sequence > highestGiven) {
      throw new IllegalArgumentException(
          "sequence must be between 0 and %d, the last that was read, got %d"
              .formatted(highestGiven, sequence));
    }
    try {
      reader.acknowledge(sequence);
    } catch (IOException failure) {
      throw new JournalException(
          "journal %s: a deleted file cannot be closed".formatted(folder.path()), failure);
    }
  }

  /**
   * Returns when all that was taken before is safe on disk.
   *
   * @throws JournalException if an attempt to write fails; the records wait, and it is tried again
   */
  public void flush() throws InterruptedException {
    long failures = progress.failures();
    long target = waiting.claimed();
    writer.wake();
    if (progress.awaitWritten(target, failures) != Progress.Outcome.DONE) {
      throw new JournalException(
          "journal %s cannot be written, %d records wait: %s"
              .formatted(folder.path(), waiting.size(), writer.lastFailure()));
    }
  }

  /** How it is; also after it was closed. */
  public JournalStatistics statistics() {
    long synced = progress.synced();
    return new JournalStatistics(
        waiting.size(),
        room.onDisk(),
        drops.counts(),
        reader.damaged(),
        writer.trouble() != null,
        Optional.ofNullable(writer.lastFailure()),
        synced,
        Math.min(reader.oldestUnread(), synced + 1));
  }

  private void requireOpen() {
    if (isClosed.get()) {
      throw new IllegalStateException("journal %s is closed".formatted(folder.path()));
    }
  }

  /**
   * Takes no more records, and writes those that wait. What cannot be written now is lost, counted
   * and logged.
   */
  @Override
  public void close() {
    if (isClosed.getAndSet(true)) {
      return;
    }
    try {
      // Otherwise the lock stays: the writer may be in the middle of a write.
      if (writer.end()) {
        reader.close();
        folder.close();
      }
    } catch (IOException failure) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "journal " + folder.path() + " could not be closed",
          failure);
    }
  }
}
