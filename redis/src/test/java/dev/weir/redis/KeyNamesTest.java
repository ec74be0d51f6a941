package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyNamesTest {
  private static final int SLOTS = 16_384;
  private final KeyNames names = new KeyNames("ratelimit");

  /** The slot of a key as the specification of Redis Cluster has it. */
  static int slot(String key) {
    int open = key.indexOf('{');
    int close = open < 0 ? -1 : key.indexOf('}', open + 1);
    String tag = close > open + 1 ? key.substring(open + 1, close) : key;
    int crc = 0;
    for (byte each : tag.getBytes(StandardCharsets.UTF_8)) {
      crc ^= (each & 0xff) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
      }
      crc &= 0xffff;
    }
    return crc % SLOTS;
  }

  private Set<Integer> slotsOfClient(String key) {
    Set<Integer> slots = new TreeSet<>();
    for (String name : List.of("a", "endpoint:chat", "{b}", "}{", "", "x".repeat(1_000))) {
      slots.add(slot(names.counter(name, key)));
      slots.add(slot(KeyNames.entries(names.counter(name, key))));
      slots.add(slot(names.penalty(name, key)));
    }
    return slots;
  }

  @Test
  void computesSlotsAsTheSpecificationDoes() {
    assertThat(slot("123456789")).isEqualTo(0x31c3 % SLOTS);
    assertThat(slot("foo{hash_tag}")).isEqualTo(slot("hash_tag"));
  }

  @Test
  @DisplayName("a marker lies where its tag does")
  void keepsAMarkerInTheSlotOfItsTag() {
    assertThat(slot(names.marker("weir", "id"))).isEqualTo(slot("weir"));
  }

  @Test
  void isReadable() {
    assertThat(names.counter("endpoint:chat", "user:alice-1234"))
        .isEqualTo("ratelimit:{user:alice-1234}:endpoint:chat");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alice",
        "{x}1",
        "{x}2",
        "}{",
        "{}",
        "{",
        "}",
        "",
        " ",
        "a b",
        "\r\n",
        "\u0000",
        "ü",
        "~x",
        "\"); redis.call('FLUSHALL')--",
        "%s",
        "*",
        "[a]",
        "?"
      })
  @DisplayName("all keys of a client are in one slot, whatever its key (T18)")
  void keepsAClientInOneSlot(String key) {
    assertThat(slotsOfClient(key)).hasSize(1);
  }

  @Test
  @DisplayName("no client chooses the slot of many, or of another (T18)")
  void spreadsOddKeys() {
    for (String form : List.of("{x}%d", "{}%d", "}{%d", "{%d", "a}%d", "{x}{%d}", "%d\n", "u%d")) {
      Set<Integer> slots = new HashSet<>();
      for (int i = 0; i < 1_000; i++) {
        Set<Integer> own = slotsOfClient(form.formatted(i));
        assertThat(own).hasSize(1);
        slots.addAll(own);
      }
      // Of 1,000 keys thrown into 16,384 slots about 30 meet another.
      assertThat(slots).as(form).hasSizeGreaterThan(900);
    }
  }

  @Test
  void tellsKeysAndNamesApart() {
    List<String> texts =
        List.of(
            "",
            "a",
            "b",
            "a:b",
            "a}",
            "}:a",
            "{a}",
            "{a",
            "~a",
            "#",
            "a#",
            "!",
            "a!",
            "a:b:c",
            "x".repeat(64),
            "x".repeat(65),
            "x".repeat(66),
            "\ud83d\ude00",
            "\ud83d\ude01");
    Set<String> all = new HashSet<>();
    for (String tag : List.of("a", "b", "weir")) {
      for (String id : List.of("a", "b", "a:b")) {
        assertThat(all.add(names.marker(tag, id))).as("%s of %s", id, tag).isTrue();
      }
    }
    for (String name : texts) {
      for (String key : texts) {
        assertThat(all.add(names.counter(name, key))).as("%s of %s", name, key).isTrue();
        assertThat(all.add(names.penalty(name, key))).as("%s of %s", name, key).isTrue();
        assertThat(all.add(KeyNames.entries(names.counter(name, key)))).isTrue();
      }
    }
  }

  @Test
  @DisplayName("half a surrogate pair is a text of its own")
  void tellsHalvesOfSurrogatePairsApart() {
    assertThat(names.counter("n", "\ud83d")).isNotEqualTo(names.counter("n", "?"));
    assertThat(names.counter("n", "\ud83d")).isNotEqualTo(names.counter("n", "\ud83c"));
  }

  @Test
  void keepsLongKeysShort() {
    assertThat(names.counter("n".repeat(1 << 20), "k".repeat(1 << 20))).hasSizeLessThan(100);
  }
}
