package dev.weir.backtest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was made of texts that repeat: one for each place, the last that came there. The texts lie
 * side by side in one array, so that a look touches little memory; those that are too long for
 * their place are made anew each time.
 */
final class ByteCache<V> {
  /** Of a place; its first byte is the length of the text. */
  private static final int PLACE_BITS = 6;

  private static final int LONGEST = (1 << PLACE_BITS) - 1;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long FACTOR = 0x9e37_79b9_7f4a_7c15L;

  private final byte[] texts;
  private final @Nullable Object[] values;
  private final int bits;
  private final Maker<V> maker;

  /** Makes a value of a text. */
  interface Maker<V> {
    V make(byte[] bytes, int from, int to) throws BadLine;
  }

  /** A cache of {@code 1 << bits} texts. */
  ByteCache(int bits, Maker<V> maker) {
    this.texts = new byte[1 << (bits + PLACE_BITS)];
    this.values = new @Nullable Object[1 << bits];
    this.bits = bits;
    this.maker = maker;
  }

  @SuppressWarnings("unchecked") // Nothing else is put there.
  V get(byte[] bytes, int from, int to) throws BadLine {
    int length = to - from;
    if (length > LONGEST) {
      return maker.make(bytes, from, to);
    }
    int place = place(bytes, from, to);
    int start = place << PLACE_BITS;
    Object known = values[place];
    if (known != null
        && texts[start] == length
        && Arrays.equals(texts, start + 1, start + 1 + length, bytes, from, to)) {
      return (V) known;
    }
    V value = maker.make(bytes, from, to);
    texts[start] = (byte) length;
    System.arraycopy(bytes, from, texts, start + 1, length);
    values[place] = value;
    return value;
  }

  /** Eight bytes at a time; the last eight may overlap those before. */
  private int place(byte[] bytes, int from, int to) {
    int length = to - from;
    long hash = length;
    if (length >= Long.BYTES) {
      for (int at = from; at < to - Long.BYTES; at += Long.BYTES) {
        hash = mixed(hash ^ (long) LONGS.get(bytes, at));
      }
      hash = mixed(hash ^ (long) LONGS.get(bytes, to - Long.BYTES));
    } else {
      for (int at = from; at < to; at++) {
        hash = mixed(hash ^ bytes[at]);
      }
    }
    // The upper bits depend on all others.
    return (int) ((hash * FACTOR) >>> (Long.SIZE - bits));
  }

  private static long mixed(long hash) {
    long product = hash * FACTOR;
    return product ^ (product >>> 32);
  }
}
