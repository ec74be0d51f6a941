package dev.weir.control.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * One record on disk: the length of its payload in 4 bytes, a CRC32C over sequence and payload in
 * 4, its sequence in 8, and the payload. The highest byte of a number comes first.
 *
 * <p>The checksum does not cover the length. A wrong length gives other bytes to be checked, or too
 * few.
 */
final class Frame {
  static final int HEADER_BYTES = 16;
  static final int MOST_PAYLOAD_BYTES = 64 * 1024;
  static final int MOST_BYTES = HEADER_BYTES + MOST_PAYLOAD_BYTES;

  private static final int CHECKSUM_AT = 4;
  private static final int SEQUENCE_AT = 8;

  private Frame() {}

  /** How many bytes a payload takes on disk. */
  static int bytes(byte[] payload) {
    return HEADER_BYTES + payload.length;
  }

  /** Adds a frame to a buffer that has room for it. */
  static void put(ByteBuffer to, long sequence, byte[] payload) {
    int at = to.position();
    to.putInt(payload.length).putInt(0).putLong(sequence).put(payload);
    to.putInt(at + CHECKSUM_AT, checksum(to, at, payload.length));
  }

  /** The length that the header at that place tells; nobody has looked whether it may be true. */
  static int payloadBytes(ByteBuffer in, int at) {
    return in.getInt(at);
  }

  /** Whether a payload may have that length. */
  static boolean isPayloadLength(int bytes) {
    return bytes >= 0 && bytes <= MOST_PAYLOAD_BYTES;
  }

  /** The sequence that the header at that place tells. */
  static long sequence(ByteBuffer in, int at) {
    return in.getLong(at + SEQUENCE_AT);
  }

  /** Whether the checksum at that place fits a payload of that length. */
  static boolean isRight(ByteBuffer in, int at, int payloadBytes) {
    return in.getInt(at + CHECKSUM_AT) == checksum(in, at, payloadBytes);
  }

  /** A copy of the payload of the frame at that place. */
  static byte[] payload(ByteBuffer in, int at) {
    byte[] payload = new byte[payloadBytes(in, at)];
    in.get(at + HEADER_BYTES, payload);
    return payload;
  }

  private static int checksum(ByteBuffer in, int at, int payloadBytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(in.slice(at + SEQUENCE_AT, HEADER_BYTES - SEQUENCE_AT + payloadBytes));
    return (int) checksum.getValue();
  }
}
