package dev.weir.control.outbox;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a compact payload, part by part. {@link PayloadReader} reads it in the same order. */
public final class PayloadWriter {
  private byte[] bytes = new byte[256];
  private int length;

  /** A single byte. */
  public PayloadWriter putByte(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
    return this;
  }

  /** A number that is usually small and not negative; in one to ten bytes. */
  public PayloadWriter putNumber(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
    return this;
  }

  /** A text in UTF-8 with its length before it; halves of a pair become question marks. */
  public PayloadWriter putText(String text) {
    return putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Bytes with their number before them. */
  public PayloadWriter putBytes(byte[] value) {
    putNumber(value.length);
    ensure(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
    return this;
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  /** How long it is. */
  public int length() {
    return length;
  }

  /** All of it. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }
}
