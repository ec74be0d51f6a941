package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientNameTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "ab", "abc", "abcd", "user:\uffff\uffff\uffff\uffff"})
  void equalTextsAreEqualNames(String text) {
    ClientName name = new ClientName(text);
    assertThat(name).isEqualTo(new ClientName(new String(text)));
    assertThat(name).hasSameHashCodeAs(new ClientName(new String(text)));
    assertThat(name.text()).isEqualTo(text);
    assertThat(name).isNotEqualTo(new ClientName(text + "\0")).isNotEqualTo(text);
  }

  @Test
  @DisplayName("T69: texts that a String hashes alike are not hashed alike")
  void nobodyCanChooseTextsThatCollide() {
    Set<Integer> ofStrings = new HashSet<>();
    Set<Integer> ofNames = new HashSet<>();
    int texts = 1 << 16;
    for (int i = 0; i < texts; i++) {
      String text = withEqualHash(i);
      ofStrings.add(text.hashCode());
      ofNames.add(new ClientName(text).hashCode());
    }
    assertThat(ofStrings).hasSize(1);
    // By chance half a collision is to be expected among so many.
    assertThat(ofNames).hasSizeGreaterThan(texts - 20);
  }

  /** Texts of 16 pairs, each "Aa" or "BB", which have the same hash. */
  static String withEqualHash(int number) {
    StringBuilder text = new StringBuilder("user:");
    for (int bit = 0; bit < 16; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }
}
