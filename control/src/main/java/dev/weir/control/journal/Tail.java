package dev.weir.control.journal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * What stands behind the last right frame of the last segment. Mostly nothing, or a frame that was
 * being written when the process or the power went; that has never been synced, hence never been
 * read, and its sequence can be given once more. But it can also be frames that were whole once and
 * are damaged: those may be in the database, and no other record may get their sequences.
 */
final class Tail {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final FileChannel channel;
  private final long from;
  private final long bytes;
  private final long sequence;

  /**
   * What stands behind a place.
   *
   * @param from the end of the last right frame
   * @param sequence the one that comes next
   */
  Tail(FileChannel channel, long from, long sequence) throws IOException {
    this.channel = channel;
    this.from = from;
    this.bytes = channel.size() - from;
    this.sequence = sequence;
  }

  long bytes() {
    return bytes;
  }

  /** How many frames may have been whole here once; 0 if none was. */
  long mostDamaged() throws IOException {
    if (bytes < Frame.HEADER_BYTES || isZero()) {
      return 0;
    }
    ByteBuffer start = read(from, (int) Math.min(bytes, Frame.MOST_BYTES));
    int payloadBytes = Frame.payloadBytes(start, 0);
    boolean isPlausible = Frame.isPayloadLength(payloadBytes);
    if (isRightUpToTheEnd(start) || (isPlausible && Frame.HEADER_BYTES + payloadBytes == bytes)) {
      return 1;
    }
    boolean isTorn =
        isPlausible
            && Frame.sequence(start, 0) == sequence
            && Frame.HEADER_BYTES + payloadBytes > bytes;
    return isTorn ? 0 : bytes / Frame.HEADER_BYTES;
  }

  /** Whether it is a frame of which only the length is wrong. */
  private boolean isRightUpToTheEnd(ByteBuffer start) {
    return bytes <= Frame.MOST_BYTES && Frame.isRight(start, 0, (int) bytes - Frame.HEADER_BYTES);
  }

  /** After a power failure a file may be longer than what was written to it. */
  private boolean isZero() throws IOException {
    for (long at = from; at < from + bytes; at += BUFFER_BYTES) {
      ByteBuffer part = read(at, (int) Math.min(BUFFER_BYTES, from + bytes - at));
      while (part.hasRemaining()) {
        if (part.get() != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private ByteBuffer read(long at, int length) throws IOException {
    ByteBuffer part = ByteBuffer.allocate(length);
    while (part.hasRemaining()) {
      if (channel.read(part, at + part.position()) < 0) {
        throw new EOFException("the file ends before byte " + (at + length));
      }
    }
    return part.flip();
  }
}
