package dev.weir.control.keys;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * What texts stood for when they were last understood, so that a text that comes again need not be
 * taken apart and looked for again. A text is known by its SipHash-2-4 of 128 bits under a key that
 * is drawn here and told nobody: who does not know that key can do no better than guess, and how
 * long it takes to find a text, or not, tells nothing of the others.
 *
 * <p>Each text has two places, as in cuckoo hashing: one that finds both taken takes the first, and
 * what was there moves on to its other place. Places are twice as many as texts. A text that loses
 * its place all the same, or in a race, is only understood anew. Thread-safe.
 *
 * @param <T> what a text stands for; safe to share without a lock
 */
final class SeenTexts<T> {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MOST_TEXTS = 1 << 24;

  /** What still has no place then goes without. */
  private static final int MOST_MOVES = 32;

  private final long key0;
  private final long key1;

  /** Plain: who sees an older one understands the text anew. */
  private final @Nullable Seen[] places;

  /** Immutable, so that it is seen whole or not at all. */
  private record Seen(long high, long low, Object meaning) {
    boolean isOf(Mark mark) {
      return ((high ^ mark.high) | (low ^ mark.low)) == 0;
    }
  }

  /** For about that many texts. */
  SeenTexts(long texts) {
    this(texts, new SecureRandom());
  }

  private SeenTexts(long texts, SecureRandom random) {
    this(texts, random.nextLong(), random.nextLong());
  }

  SeenTexts(long texts, long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
    int most = (int) Math.min(texts, MOST_TEXTS);
    this.places = new Seen[4 * Integer.highestOneBit(Math.max(1, most - 1))];
  }

  /** What that text stood for; null if it was not seen, or too long ago. */
  @SuppressWarnings("unchecked") // Nothing else is ever put there.
  @Nullable T find(String text) {
    Mark mark = mark(text);
    Seen seen = places[first(mark.high)];
    if (seen == null || !seen.isOf(mark)) {
      seen = places[second(mark.low)];
    }
    return seen == null || !seen.isOf(mark) ? null : (T) seen.meaning;
  }

  /** Remembers what that text stands for. */
  void remember(String text, T meaning) {
    Mark mark = mark(text);
    Seen homeless = new Seen(mark.high, mark.low, meaning);
    Seen second = places[second(mark.low)];
    boolean isSecond = second == null ? isTaken(places[first(mark.high)], mark) : second.isOf(mark);
    int place = isSecond ? second(mark.low) : first(mark.high);
    for (int i = 0; i < MOST_MOVES; i++) {
      Seen driven = places[place];
      places[place] = homeless;
      if (driven == null || driven.isOf(mark)) {
        return;
      }
      homeless = driven;
      place = place == first(driven.high) ? second(driven.low) : first(driven.high);
    }
  }

  private static boolean isTaken(@Nullable Seen seen, Mark mark) {
    return seen != null && !seen.isOf(mark);
  }

  private int first(long high) {
    return (int) high & places.length - 1;
  }

  private int second(long low) {
    return (int) low & places.length - 1;
  }

  /** A character beyond ISO 8859-1 is taken for a question mark, which is in no text of ours. */
  Mark mark(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    Mark mark = new Mark(key0, key1);
    int at = 0;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      mark.absorb((long) WORDS.get(bytes, at));
    }
    long last = (long) bytes.length << 56;
    for (int shift = 0; at < bytes.length; at++, shift += 8) {
      last |= (bytes[at] & 0xffL) << shift;
    }
    mark.absorb(last);
    mark.finish();
    return mark;
  }

  /** The four words of SipHash, and what comes of them; lives too short to be on the heap. */
  static final class Mark {
    long high;
    long low;
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    private Mark(long key0, long key1) {
      v0 = key0 ^ 0x736f6d6570736575L;
      v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee;
      v2 = key0 ^ 0x6c7967656e657261L;
      v3 = key1 ^ 0x7465646279746573L;
    }

    private void absorb(long word) {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    }

    private void finish() {
      v2 ^= 0xee;
      high = squeezed();
      v1 ^= 0xdd;
      low = squeezed();
    }

    private long squeezed() {
      round();
      round();
      round();
      round();
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
