package dev.weir.control.archive;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A checksum over the content of rows that does not depend on their order: each row has its
 * SHA-256, and these are added up as four numbers of 64 bits. A row that is missing, changed or
 * there twice makes another sum. Not thread-safe.
 */
final class RowDigest {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int LANES = 4;
  private static final byte ABSENT = 0;
  private static final byte PRESENT = 1;

  private final MessageDigest sha256 = sha256();
  private final byte[] hash = new byte[LANES * Long.BYTES];
  private final long[] sums = new long[LANES];
  private byte[] row = new byte[1024];
  private int size;
  private long rows;

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  RowDigest add(long value) {
    ensure(Long.BYTES);
    LONGS.set(row, size, value);
    size += Long.BYTES;
    return this;
  }

  RowDigest add(boolean value) {
    return mark(value ? PRESENT : ABSENT);
  }

  RowDigest add(@Nullable Number value) {
    return value == null ? mark(ABSENT) : mark(PRESENT).add(value.longValue());
  }

  RowDigest add(@Nullable Instant value) {
    return value == null
        ? mark(ABSENT)
        : mark(PRESENT).add(ChronoUnit.MICROS.between(Instant.EPOCH, value));
  }

  RowDigest add(@Nullable String value) {
    return add(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  RowDigest add(byte @Nullable [] value) {
    if (value == null) {
      return mark(ABSENT);
    }
    // With its length, so that nothing can move from one value to the next.
    mark(PRESENT).add((long) value.length);
    ensure(value.length);
    System.arraycopy(value, 0, row, size, value.length);
    size += value.length;
    return this;
  }

  private RowDigest mark(byte mark) {
    ensure(1);
    row[size++] = mark;
    return this;
  }

  private void ensure(int more) {
    if (row.length - size < more) {
      row = Arrays.copyOf(row, Math.max(2 * row.length, size + more));
    }
  }

  /** Says that all values of a row have been added. */
  void endRow() {
    sha256.update(row, 0, size);
    try {
      sha256.digest(hash, 0, hash.length);
    } catch (java.security.DigestException e) {
      throw new IllegalStateException("32 bytes are room enough", e);
    }
    for (int lane = 0; lane < LANES; lane++) {
      sums[lane] += (long) LONGS.get(hash, lane * Long.BYTES);
    }
    size = 0;
    rows++;
  }

  /** How many rows there were. */
  long rows() {
    return rows;
  }

  /** The sum so far, as 64 hexadecimal digits. */
  String checksum() {
    StringBuilder digits = new StringBuilder();
    HexFormat hex = HexFormat.of();
    for (long sum : sums) {
      digits.append(hex.toHexDigits(sum));
    }
    return digits.toString();
  }
}
