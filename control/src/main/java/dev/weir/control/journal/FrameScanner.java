package dev.weir.control.journal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Walks over the frames of a segment. Where bytes are wrong, it looks for the next frame that is
 * right, byte by byte; the sequences tell how many frames were passed over.
 *
 * <p>A frame is right if its checksum fits and its sequence is one that can stand there: the one
 * after the last, or, behind wrong bytes, a higher one, but by no more than frames fit into those
 * bytes.
 */
final class FrameScanner {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final FileChannel channel;

  /** Bytes of the file from {@link #bufferAt} on, up to the buffer's limit. */
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

  private long bufferAt;

  /** No frame reaches beyond. */
  private long end;

  /** The end of the last right frame. */
  private long position;

  /** The sequence after the last right frame. */
  private long expected;

  /** Where the current frame starts, in the file. */
  private long frameAt;

  FrameScanner(FileChannel channel, long firstSequence) {
    this.channel = channel;
    this.expected = firstSequence;
  }

  /** Says how far into the file to look. */
  void until(long bytes) throws IOException {
    end = Math.min(bytes, channel.size());
  }

  /** Where the last right frame ends. */
  long position() {
    return position;
  }

  /** The sequence that comes next if nothing is wrong. */
  long expected() {
    return expected;
  }

  /** Moves on to the next right frame; if there is none, nothing changes, and it answers false. */
  boolean next() throws IOException {
    for (long at = position; at + Frame.HEADER_BYTES <= end; at++) {
      if (isFrame(at)) {
        int index = index(at);
        frameAt = at;
        position = at + Frame.HEADER_BYTES + Frame.payloadBytes(buffer, index);
        expected = Frame.sequence(buffer, index) + 1;
        return true;
      }
    }
    return false;
  }

  private boolean isFrame(long at) throws IOException {
    load(at, Frame.HEADER_BYTES);
    int payloadBytes = Frame.payloadBytes(buffer, index(at));
    long ahead = Frame.sequence(buffer, index(at)) - expected;
    if (!Frame.isPayloadLength(payloadBytes)
        || at + Frame.HEADER_BYTES + payloadBytes > end
        || ahead < 0
        || ahead > (at - position) / Frame.HEADER_BYTES) {
      return false;
    }
    load(at, Frame.HEADER_BYTES + payloadBytes);
    return Frame.isRight(buffer, index(at), payloadBytes);
  }

  private int index(long at) {
    return (int) (at - bufferAt);
  }

  /** Has that many bytes from there on in the buffer. */
  private void load(long at, int bytes) throws IOException {
    if (at >= bufferAt && at + bytes <= bufferAt + buffer.limit()) {
      return;
    }
    // Only up to the end: what comes behind it may be written at this moment.
    buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
    bufferAt = at;
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, bufferAt + buffer.position()) < 0) {
        buffer.limit(0);
        throw new EOFException("the file ends before byte " + end);
      }
    }
  }

  /** The sequence of the current frame. */
  long sequence() {
    return Frame.sequence(buffer, index(frameAt));
  }

  /** How long the payload of the current frame is. */
  int payloadBytes() {
    return Frame.payloadBytes(buffer, index(frameAt));
  }

  /** A copy of the payload of the current frame. */
  byte[] payload() {
    return Frame.payload(buffer, index(frameAt));
  }

  /** Goes back before the current frame; there is none then. */
  void back() {
    expected = sequence();
    position = frameAt;
  }
}
