package dev.weir.control.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StorableTextTest {
  @Test
  void mostTextsStayAsTheyAre() {
    String plain = "/api/v1/žluť/日本";
    assertThat(StorableText.of(plain, 100)).isSameAs(plain);
    assertThat(StorableText.of("", 100)).isEmpty();
    assertThat(StorableText.of("a🐎b", 100)).isEqualTo("a🐎b");
  }

  @Test
  void whatNoDatabaseTakesIsReplaced() {
    assertThat(StorableText.of("a\0b", 100)).isEqualTo("a\ufffdb");
    assertThat(StorableText.of("a\ud83d", 100)).isEqualTo("a\ufffd");
    assertThat(StorableText.of("\udc0eb", 100)).isEqualTo("\ufffdb");
    assertThat(StorableText.of("\udc0e\ud83d", 100)).isEqualTo("\ufffd\ufffd");
    assertThat(StorableText.of("\ud83d🐎", 100)).isEqualTo("\ufffd🐎");
  }

  @Test
  void whatIsTooLongIsCutBetweenCharacters() {
    assertThat(StorableText.of("abcdef", 3)).isEqualTo("abc");
    assertThat(StorableText.of("ab🐎", 3)).isEqualTo("ab");
    assertThat(StorableText.of("ab🐎", 4)).isEqualTo("ab🐎");
    assertThat(StorableText.of("a\0cdef", 3)).isEqualTo("a\ufffdc");
  }
}
