package dev.weir.control.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Brings waiting records into the last segment, as many with one sync as fit into it; belongs to
 * the {@link Writer}.
 *
 * <p>Records are taken out of the ring only when they are synced. If writing or syncing fails, the
 * file goes back to what was synced before, and the same records are written again, under the same
 * sequences, when it is tried again. So it does not matter what a failed sync has left on disk:
 * whatever of it is found later is what will be written there anyway.
 */
final class SegmentWriter {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final Segments segments;
  private final WaitingRecords waiting;
  private final Room room;
  private final Progress progress;
  private final long segmentBytes;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /** Fewer after a failure: where many find no room, some may. */
  private long mostAtOnce = Long.MAX_VALUE;

  /** How many the last attempt was for. */
  private long attempted;

  SegmentWriter(
      Segments segments, WaitingRecords waiting, Room room, Progress progress, long segmentBytes) {
    this.segments = segments;
    this.waiting = waiting;
    this.room = room;
    this.progress = progress;
    this.segmentBytes = segmentBytes;
  }

  /** Has all below that number safe on disk. */
  void writeUntil(long until) throws IOException {
    while (waiting.released() < until) {
      writeSome(until);
    }
    mostAtOnce = Long.MAX_VALUE;
  }

  /** After a failure: the next attempt starts with what was synced, and with fewer records. */
  void giveUp() {
    segments.last().rest();
    mostAtOnce = Math.max(1, attempted / 2);
  }

  /** Closes its file. */
  void end() {
    segments.last().rest();
  }

  private void writeSome(long until) throws IOException {
    long from = waiting.released();
    Segment segment = segments.last();
    if (!fits(segment.extent().bytes(), waiting.get(from))) {
      segment = segments.create(segment.extent().last() + 1);
    }
    Segment.Extent before = segment.extent();
    long sequence = before.last();
    long bytes = before.bytes();
    long written = bytes;
    buffer.clear();
    long number = from;
    while (number < until && number - from < mostAtOnce && fits(bytes, waiting.get(number))) {
      byte[] record = waiting.get(number++);
      attempted = number - from;
      if (buffer.remaining() < Frame.bytes(record)) {
        written += write(segment, written);
      }
      Frame.put(buffer, ++sequence, record);
      bytes += Frame.bytes(record);
    }
    write(segment, written);
    segment.sync(new Segment.Extent(bytes, sequence));
    room.written(bytes - before.bytes());
    waiting.release(number);
    progress.synced(sequence, number);
  }

  /** A record that is longer than a segment has one for itself. */
  private boolean fits(long bytes, byte[] record) {
    return bytes == 0 || bytes + Frame.bytes(record) <= segmentBytes;
  }

  private int write(Segment segment, long at) throws IOException {
    int bytes = buffer.flip().remaining();
    segment.write(buffer, at);
    buffer.clear();
    return bytes;
  }
}
