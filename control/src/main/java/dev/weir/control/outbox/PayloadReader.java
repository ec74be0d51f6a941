package dev.weir.control.outbox;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what a {@link PayloadWriter} wrote. Bytes that are something else are refused with an
 * {@link IllegalArgumentException}, and cost no more memory than they have themselves.
 */
public final class PayloadReader {
  private final String what;
  private final byte[] bytes;
  private int at;

  /**
   * Begins at the front.
   *
   * @param what such as {@code audit record}, for messages
   */
  public PayloadReader(String what, byte[] bytes) {
    this.what = what;
    this.bytes = bytes;
  }

  /** A single byte, from 0 to 255. */
  public int readByte() {
    require(1);
    return bytes[at++] & 0xff;
  }

  /** A number. */
  public long readNumber() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = readByte();
      if (shift == 63 && next > 1) {
        break;
      }
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw wrong("has a number of more than 64 bits");
  }

  /** A number that must be in bounds. */
  public long readNumber(long least, long most) {
    long value = readNumber();
    if (value < least || value > most) {
      throw wrong("must have a number from %d to %d, got %d".formatted(least, most, value));
    }
    return value;
  }

  /** Bytes. */
  public byte[] readBytes() {
    int length = length();
    byte[] part = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return part;
  }

  /** A text. */
  public String readText() {
    int length = length();
    int from = at;
    at += length;
    if (isAscii(from, length)) {
      return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, length))
          .toString();
    } catch (CharacterCodingException noText) {
      throw wrong("has a text that is not UTF-8");
    }
  }

  private boolean isAscii(int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  private int length() {
    long length = readNumber();
    if (length < 0 || length > bytes.length - at) {
      throw wrong("ends too early");
    }
    return (int) length;
  }

  private void require(int more) {
    if (bytes.length - at < more) {
      throw wrong("ends too early");
    }
  }

  /** Whether there is nothing more. */
  public boolean isAtEnd() {
    return at == bytes.length;
  }

  /** Must be called last. */
  public void requireEnd() {
    if (at != bytes.length) {
      throw wrong("has %d bytes too many".formatted(bytes.length - at));
    }
  }

  /** What to throw if a part is not what it has to be. */
  public IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException(
        "%s of %d bytes %s, at byte %d".formatted(what, bytes.length, problem, at));
  }
}
