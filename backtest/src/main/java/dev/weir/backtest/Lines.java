package dev.weir.backtest;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The lines of a stream as ranges of bytes in one buffer, which is used again and again. A line
 * that is longer than {@link #LONGEST} is given as an empty one that is too long.
 */
final class Lines implements Closeable {
  static final int LONGEST = 1 << 20;

  private static final int FIRST_BUFFER = 1 << 17;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;
  private static final long NEWLINES = '\n' * ONES;

  private final InputStream in;
  private byte[] buffer = new byte[FIRST_BUFFER];
  private int start;
  private int end;

  /** Where the next line starts. */
  private int next;

  /** Where what was read ends. */
  private int limit;

  private long number;
  private boolean isEnded;
  private boolean isTooLong;

  Lines(InputStream in) {
    this.in = in;
  }

  /** Goes to the next line; returns whether there is one. */
  boolean next() throws IOException {
    start = next;
    isTooLong = false;
    int scanned = start;
    while (true) {
      int newline = newline(scanned);
      if (newline >= 0) {
        return found(newline, newline + 1);
      }
      if (isEnded) {
        return (limit > start || isTooLong) && found(limit, limit);
      }
      scanned = limit - makeRoom();
      fill();
    }
  }

  private boolean found(int lineEnd, int nextStart) {
    number++;
    end = lineEnd > start && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    end = isTooLong ? start : end;
    next = nextStart;
    return true;
  }

  /** Moves the line to the front; returns by how much. Of one that is too long nothing is kept. */
  private int makeRoom() {
    if (isTooLong || limit - start >= LONGEST) {
      isTooLong = true;
      start = limit;
    }
    int moved = start;
    if (moved > 0) {
      System.arraycopy(buffer, start, buffer, 0, limit - start);
      limit -= moved;
      start = 0;
    } else if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    return moved;
  }

  private void fill() throws IOException {
    int read = in.read(buffer, limit, buffer.length - limit);
    isEnded = read < 0;
    limit += Math.max(0, read);
  }

  /** Where the next newline is, from there on; eight bytes at a time. */
  private int newline(int from) {
    byte[] bytes = buffer;
    int at = from;
    for (; at <= limit - Long.BYTES; at += Long.BYTES) {
      long other = (long) LONGS.get(bytes, at) ^ NEWLINES;
      long zeros = (other - ONES) & ~other & HIGHS;
      if (zeros != 0) {
        return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    for (; at < limit; at++) {
      if (bytes[at] == '\n') {
        return at;
      }
    }
    return -1;
  }

  /** What the line is in, until the next call of {@link #next}. */
  byte[] bytes() {
    return buffer;
  }

  int start() {
    return start;
  }

  /** Where it ends, without what ends the line. */
  int end() {
    return end;
  }

  /** The number of the line, from 1. */
  long number() {
    return number;
  }

  boolean isTooLong() {
    return isTooLong;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
