package dev.weir.control.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTextTest {
  private static final String ID = "0123456789abcdef0123456789abcdef";

  @Test
  void aNewKeyIsReadBack() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      KeyText made = KeyText.random();
      assertThat(made.whole()).matches("wk_[0-9a-f]{32}_[0-9A-Za-z]{32}");
      KeyText read = Objects.requireNonNull(KeyText.parseOrNull(made.whole()));
      assertThat(read.id()).isEqualTo(made.id());
      assertThat(read.fingerprint().matches(made.fingerprint())).isTrue();
      assertThat(seen.add(made.whole().substring(36))).isTrue();
    }
  }

  @Test
  void everyLetterComesUp() {
    Set<Character> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      KeyText.random().whole().substring(36).chars().forEach(c -> seen.add((char) c));
    }
    assertThat(seen).hasSize(62);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "wk_",
        "s3cret",
        "wk_0123456789abcdef0123456789abcdef",
        "wk_0123456789abcdef0123456789abcdef_",
        "wk_0123456789abcdef0123456789abcdef_1234567890123456789",
        "wk_0123456789ABCDEF0123456789abcdef_12345678901234567890",
        "wk_0123456789abcdef0123456789abcde_123456789012345678901",
        "wk_0123456789abcdef0123456789abcdeg_12345678901234567890",
        "wk_0123456789abcdef0123456789abcdef-12345678901234567890",
        "wk_0123456789abcdef0123456789abcdef_1234567890123456789_",
        "wk_0123456789abcdef0123456789abcdef_1234567890123456789é",
        "wk_0123456789abcdef0123456789abcdef_1234567890 234567890",
        "WK_0123456789abcdef0123456789abcdef_12345678901234567890",
        " wk_0123456789abcdef0123456789abcdef_12345678901234567890",
        "wk_0123456789abcdef0123456789abcdef_12345678901234567890\n"
      })
  void whatIsNoKeyIsToldByItsForm(String text) {
    assertThat(KeyText.parseOrNull(text)).isNull();
  }

  @Test
  void secretsAreNotEndless() {
    assertThat(KeyText.parseOrNull("wk_" + ID + "_" + "x".repeat(128))).isNotNull();
    assertThat(KeyText.parseOrNull("wk_" + ID + "_" + "x".repeat(129))).isNull();
  }

  @Test
  void idsAreReadInBothSpellings() {
    UUID id = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
    assertThat(KeyText.idOrNull(ID)).isEqualTo(id);
    assertThat(KeyText.idOrNull(id.toString())).isEqualTo(id);
    for (String wrong : new String[] {"", "x", ID + "0", "0123456789ab-cdef-0123-456789abcdef-"}) {
      assertThat(KeyText.idOrNull(wrong)).isNull();
    }
  }

  @Test
  @DisplayName("T20: neither a key nor its fingerprint tells the secret")
  void nothingTellsTheSecret() {
    KeyText key = KeyText.random();
    String secret = key.whole().substring(36);
    assertThat(key.toString() + key.fingerprint())
        .doesNotContain(secret)
        .doesNotContain(key.fingerprint().hex());
    assertThat(Fingerprint.parse(key.fingerprint().hex()).matches(Fingerprint.of(secret))).isTrue();
    assertThat(Fingerprint.of("x").matches(Fingerprint.of(secret))).isFalse();
  }
}
