package dev.weir;

/**
 * SipHash-1-3 of a text's UTF-16 code units, keyed with a secret, so that nobody outside can choose
 * keys that collide.
 */
final class SipHash {
  private final long key0;
  private final long key1;

  SipHash(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  long hash(String text) {
    long v0 = key0 ^ 0x736f6d6570736575L;
    long v1 = key1 ^ 0x646f72616e646f6dL;
    long v2 = key0 ^ 0x6c7967656e657261L;
    long v3 = key1 ^ 0x7465646279746573L;
    int length = text.length();
    int whole = length & ~3;
    for (int i = 0; i < whole; i += 4) {
      long word =
          text.charAt(i)
              | (long) text.charAt(i + 1) << 16
              | (long) text.charAt(i + 2) << 32
              | (long) text.charAt(i + 3) << 48;
      v3 ^= word;
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
      v0 ^= word;
    }
    // The last word: the number of bytes modulo 256 on top, what is left of the text below.
    long last = (2L * length) << 56;
    for (int i = whole; i < length; i++) {
      last |= (long) text.charAt(i) << (16 * (i - whole));
    }
    v3 ^= last;
    for (int round = 0; round < 4; round++) {
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
      if (round == 0) {
        v0 ^= last;
        v2 ^= 0xff;
      }
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }
}
