package dev.weir.control.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SecretMarkTest {
  private static final long KEY_0 = 0x0706050403020100L;
  private static final long KEY_1 = 0x0f0e0d0c0b0a0908L;

  /** The bytes 0, 1, 2, … as characters. */
  private static String counting(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) i);
    }
    return text.toString();
  }

  /** Vectors of the reference implementation for 128 bits. */
  @Test
  void isSipHash() {
    assertMark("", 0xe6a825ba047f81a3L, 0x930255c71472f66dL);
    assertMark(counting(1), 0x44af996bd8c187daL, 0x45fc229b11597634L);
    assertMark(counting(8), 0x61f55862baa9623bL, 0xb49714f364e2830fL);
    assertMark(counting(32), 0x3efcea5eca56397cL, 0x68eb4665559d3e36L);
  }

  private static void assertMark(String text, long first, long second) {
    SecretMark mark = SecretMark.of(text, 0, KEY_0, KEY_1);
    assertThat(mark.high()).isEqualTo(first);
    assertThat(mark.low()).isEqualTo(second);
  }

  @Test
  void everyCharacterBehindTheStartMatters() {
    String key = KeyText.random().whole();
    int start = 36;
    Set<Long> seen = new HashSet<>();
    for (int i = start; i < key.length(); i++) {
      String other =
          key.substring(0, i) + (key.charAt(i) == 'x' ? 'y' : 'x') + key.substring(i + 1);
      assertThat(matches(SecretMark.of(other, start), SecretMark.of(key, start))).isFalse();
      seen.add(SecretMark.of(other, start).high());
    }
    assertThat(seen).hasSize(key.length() - start);
    assertThat(matches(SecretMark.of(key.substring(start), 0), SecretMark.of(key, start))).isTrue();
    assertThat(matches(SecretMark.of(key + "0", start), SecretMark.of(key, start))).isFalse();
  }

  private static boolean matches(SecretMark one, SecretMark other) {
    return one.matches(other.high(), other.low());
  }
}
