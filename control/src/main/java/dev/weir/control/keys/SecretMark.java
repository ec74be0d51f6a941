package dev.weir.control.keys;

import java.security.SecureRandom;

/**
 * By what a secret that was right once is known again, without its SHA-256: the SipHash-2-4 of 128
 * bits under a key that this process has drawn and tells nobody. Who does not know that key can do
 * no better than guess. How long a comparison takes tells nothing of it.
 */
final class SecretMark {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long KEY_0 = RANDOM.nextLong();
  private static final long KEY_1 = RANDOM.nextLong();

  private final long high;
  private final long low;

  private SecretMark(long high, long low) {
    this.high = high;
    this.low = low;
  }

  /** That of a text of ASCII letters and digits, from there on. */
  static SecretMark of(String text, int start) {
    return of(text, start, KEY_0, KEY_1);
  }

  static SecretMark of(String text, int start, long key0, long key1) {
    State state = new State(key0, key1);
    int length = text.length() - start;
    int at = start;
    for (int end = start + (length & ~7); at < end; at += 8) {
      state.absorb(word(text, at, 8));
    }
    state.absorb((long) length << 56 | word(text, at, length & 7));
    state.v2 ^= 0xee;
    long high = state.squeezed();
    state.v1 ^= 0xdd;
    return new SecretMark(high, state.squeezed());
  }

  /** The next characters as bytes, the first one lowest. */
  private static long word(String text, int start, int bytes) {
    long word = 0;
    for (int i = 0; i < bytes; i++) {
      word |= (text.charAt(start + i) & 0xffL) << (8 * i);
    }
    return word;
  }

  boolean matches(long otherHigh, long otherLow) {
    return ((high ^ otherHigh) | (low ^ otherLow)) == 0;
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }

  @Override
  public String toString() {
    return "SecretMark";
  }

  /** The four words of SipHash; never leaves {@link #of}, so that it need not be on the heap. */
  private static final class State {
    long v0;
    long v1;
    long v2;
    long v3;

    State(long key0, long key1) {
      v0 = key0 ^ 0x736f6d6570736575L;
      v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee;
      v2 = key0 ^ 0x6c7967656e657261L;
      v3 = key1 ^ 0x7465646279746573L;
    }

    void absorb(long word) {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    }

    long squeezed() {
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
