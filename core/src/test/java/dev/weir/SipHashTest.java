package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SipHashTest {
  private static final long KEY_0 = 0x0706050403020100L;
  private static final long KEY_1 = 0x0f0e0d0c0b0a0908L;

  /** SipHash by the letter of its paper, on bytes and with any number of rounds. */
  private static final class Reference {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    static long hash(int rounds, int finalRounds, long key0, long key1, byte[] bytes) {
      Reference state = new Reference();
      state.v0 = key0 ^ 0x736f6d6570736575L;
      state.v1 = key1 ^ 0x646f72616e646f6dL;
      state.v2 = key0 ^ 0x6c7967656e657261L;
      state.v3 = key1 ^ 0x7465646279746573L;
      int words = bytes.length / 8 + 1;
      for (int word = 0; word < words; word++) {
        long m = word == words - 1 ? (long) bytes.length << 56 : 0;
        for (int i = 0; i < 8 && 8 * word + i < bytes.length; i++) {
          m |= (bytes[8 * word + i] & 0xffL) << (8 * i);
        }
        state.v3 ^= m;
        state.rounds(rounds);
        state.v0 ^= m;
      }
      state.v2 ^= 0xff;
      state.rounds(finalRounds);
      return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
    }

    private void rounds(int count) {
      for (int i = 0; i < count; i++) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
    }
  }

  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  @Test
  void theReferenceGivesTheOfficialVectorsOfSipHash24() {
    assertThat(Reference.hash(2, 4, KEY_0, KEY_1, counting(0))).isEqualTo(0x726fdb47dd0e0e31L);
    assertThat(Reference.hash(2, 4, KEY_0, KEY_1, counting(1))).isEqualTo(0x74f839c593dc67fdL);
    assertThat(Reference.hash(2, 4, KEY_0, KEY_1, counting(2))).isEqualTo(0x0d6c8009d9a94f5aL);
    assertThat(Reference.hash(2, 4, KEY_0, KEY_1, counting(7))).isEqualTo(0xab0200f58b01d137L);
    assertThat(Reference.hash(2, 4, KEY_0, KEY_1, counting(8))).isEqualTo(0x93f5f5799a932462L);
    assertThat(Reference.hash(2, 4, KEY_0, KEY_1, counting(15))).isEqualTo(0xa129ca6149be45e5L);
  }

  @Test
  void isSipHash13OfTheUtf16CodeUnits() {
    Random random = new Random(13);
    for (int length = 0; length <= 300; length++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < length; i++) {
        text.append((char) random.nextInt(1 << 16));
      }
      assertSameAsReference(random.nextLong(), random.nextLong(), text.toString());
    }
  }

  @Test
  void latinAndOtherTextsAreHashedAlike() {
    assertSameAsReference(KEY_0, KEY_1, "alice");
    assertSameAsReference(KEY_0, KEY_1, "älïçé 東京 \ud83d\ude00");
    assertSameAsReference(KEY_0, KEY_1, "\u0000");
    assertSameAsReference(KEY_0, KEY_1, "k".repeat(1 << 20));
  }

  /** Unpaired surrogates have no UTF-16 bytes in Java's encoder, so the bytes are made by hand. */
  private static void assertSameAsReference(long key0, long key1, String text) {
    byte[] bytes = new byte[2 * text.length()];
    for (int i = 0; i < text.length(); i++) {
      bytes[2 * i] = (byte) text.charAt(i);
      bytes[2 * i + 1] = (byte) (text.charAt(i) >>> 8);
    }
    assertThat(new SipHash(key0, key1).hash(text))
        .as("length %d", text.length())
        .isEqualTo(Reference.hash(1, 3, key0, key1, bytes));
  }

  @Test
  void anotherKeyGivesOtherHashes() {
    long hash = new SipHash(1, 2).hash("alice");

    assertThat(new SipHash(1, 3).hash("alice")).isNotEqualTo(hash);
    assertThat(new SipHash(2, 2).hash("alice")).isNotEqualTo(hash);
  }

  @Test
  void textsOfZerosDifferByTheirLength() {
    Set<Long> hashes = new HashSet<>();
    for (int length = 0; length < 1_000; length++) {
      String zeros = new String(new byte[length], StandardCharsets.ISO_8859_1);
      hashes.add(new SipHash(KEY_0, KEY_1).hash(zeros));
    }

    assertThat(hashes).hasSize(1_000);
  }
}
