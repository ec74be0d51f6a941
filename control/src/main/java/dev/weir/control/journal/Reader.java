package dev.weir.control.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads records in the order of their sequences, and deletes what is not needed any more. It
 * remembers where it was: who goes on there does not search. Several threads wait for each other.
 */
final class Reader implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Reader.class.getName());

  private final Segments segments;
  private final Room room;
  private @Nullable Place place;

  /** The highest sequence that anybody outside can know. */
  private long highestGiven;

  private long acknowledged;
  private long damaged;

  /** Missing records up to this one have been counted. */
  private long countedThrough;

  /** Then the folder may be somebody else's. */
  private boolean isClosed;

  /** Behind a record, in an open file. */
  private static final class Place implements AutoCloseable {
    final Segment segment;
    final FileChannel channel;
    final FrameScanner scanner;

    /** The last sequence that was given; that place is of use for who wants those after it. */
    long after;

    Place(Segment segment, long after) throws IOException {
      this.segment = segment;
      this.channel = segment.open();
      this.scanner = new FrameScanner(channel, segment.first());
      this.after = after;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  Reader(Segments segments, Room room) {
    this.segments = segments;
    this.room = room;
    this.highestGiven = segments.last().extent().last();
  }

  /** What comes behind a sequence, as far as it is synced; nothing if there is nothing. */
  synchronized List<JournalRecord> read(long after, int mostRecords, long mostBytes)
      throws IOException {
    if (isClosed) {
      return List.of();
    }
    Batch batch = new Batch(after, mostRecords, mostBytes);
    boolean isRead = false;
    try {
      readInto(batch, at(after));
      isRead = true;
    } finally {
      if (!isRead) {
        // An interrupted thread finds its channel closed. The next one starts anew.
        leave();
      }
    }
    highestGiven = Math.max(highestGiven, batch.last());
    return batch.records();
  }

  private void readInto(Batch batch, Place start) throws IOException {
    Place at = start;
    while (true) {
      Segment.Extent extent = at.segment.extent();
      readInto(batch, at, extent);
      Segment following = segments.after(at.segment);
      if (batch.isFull() || following == null) {
        return;
      }
      // Only what is not the last any more has its full length.
      if (at.segment.extent().equals(extent)) {
        at = enter(following, batch.last());
      }
    }
  }

  /** What there is in one segment. */
  private void readInto(Batch batch, Place at, Segment.Extent extent) throws IOException {
    FrameScanner scanner = at.scanner;
    scanner.until(extent.bytes());
    while (!batch.isFull()) {
      long missing = Math.max(scanner.expected(), batch.after() + 1);
      if (!scanner.next() || scanner.sequence() > extent.last()) {
        countMissing(at.segment, missing, extent.last());
        return;
      }
      countMissing(at.segment, missing, scanner.sequence() - 1);
      if (scanner.sequence() > batch.after()) {
        if (batch.hasRoomFor(scanner.payloadBytes())) {
          batch.add(new JournalRecord(scanner.sequence(), scanner.payload()));
          at.after = batch.last();
        } else {
          scanner.back();
        }
      }
    }
  }

  /** The place behind a sequence, or before it in the same segment. */
  private Place at(long after) throws IOException {
    Place current = place;
    return current != null && current.after == after
        ? current
        : enter(segments.holding(after + 1), after);
  }

  private Place enter(Segment segment, long after) throws IOException {
    leave();
    Place entered = new Place(segment, after);
    place = entered;
    return entered;
  }

  private void leave() throws IOException {
    Place left = place;
    place = null;
    if (left != null) {
      left.close();
    }
  }

  /** Who reads again does not count again. */
  private void countMissing(Segment segment, long from, long to) {
    long first = Math.max(from, countedThrough + 1);
    if (first <= to) {
      damaged += to - first + 1;
      countedThrough = to;
      LOGGER.log(
          System.Logger.Level.ERROR,
          "{0}: damaged, records {1} to {2} cannot be read",
          segment.file(),
          Long.toString(first),
          Long.toString(to));
    }
  }

  /** Deletes segments that hold nothing above a sequence. */
  synchronized void acknowledge(long sequence) throws IOException {
    if (sequence <= acknowledged || isClosed) {
      return;
    }
    acknowledged = sequence;
    room.deleted(segments.deleteThrough(sequence));
    Place current = place;
    if (current != null && !segments.contains(current.segment)) {
      // A deleted file takes its room on the disk as long as it is open.
      leave();
    }
  }

  synchronized long highestGiven() {
    return highestGiven;
  }

  synchronized long damaged() {
    return damaged;
  }

  /** The lowest sequence that may be on disk and was not acknowledged. */
  synchronized long oldestUnread() {
    return Math.max(acknowledged + 1, segments.oldest());
  }

  @Override
  public synchronized void close() throws IOException {
    isClosed = true;
    leave();
  }
}
