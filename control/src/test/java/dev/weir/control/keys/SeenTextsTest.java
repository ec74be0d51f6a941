package dev.weir.control.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.INTEGER;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeenTextsTest {
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
  void marksAreSipHash() {
    assertMark("", 0xe6a825ba047f81a3L, 0x930255c71472f66dL);
    assertMark(counting(1), 0x44af996bd8c187daL, 0x45fc229b11597634L);
    assertMark(counting(8), 0x61f55862baa9623bL, 0xb49714f364e2830fL);
    assertMark(counting(32), 0x3efcea5eca56397cL, 0x68eb4665559d3e36L);
  }

  private static void assertMark(String text, long high, long low) {
    SeenTexts.Mark mark = new SeenTexts<>(1, KEY_0, KEY_1).mark(text);
    assertThat(mark.high).isEqualTo(high);
    assertThat(mark.low).isEqualTo(low);
  }

  @Test
  void everyCharacterMatters() {
    SeenTexts<String> seen = new SeenTexts<>(1_000);
    String key = KeyText.random().whole();
    seen.remember(key, "it");
    Set<Long> marks = new HashSet<>();
    for (int i = 0; i < key.length(); i++) {
      for (char c : new char[] {'x', 'y', '?', '\u017f', '\0'}) {
        String other = key.substring(0, i) + c + key.substring(i + 1);
        boolean isSame = other.equals(key);
        assertThat(seen.find(other)).isEqualTo(isSame ? "it" : null);
        if (c == '?') {
          marks.add(seen.mark(other).high);
        }
      }
    }
    assertThat(marks).hasSize(key.length());
    assertThat(seen.find(key + "0")).isNull();
    assertThat(seen.find(key.substring(1))).isNull();
    assertThat(seen.find("")).isNull();
    assertThat(seen.find(key)).isEqualTo("it");
  }

  @Test
  void twoOfThemKnowTextsByDifferentMarks() {
    SeenTexts<String> one = new SeenTexts<>(1_000);
    SeenTexts<String> other = new SeenTexts<>(1_000);
    assertThat(one.mark("text").high).isNotEqualTo(other.mark("text").high);
    assertThat(one.mark("text").low).isNotEqualTo(other.mark("text").low);
  }

  @Test
  void theNewestMeaningHoldsWhereverItStands() {
    SeenTexts<Integer> seen = new SeenTexts<>(64, KEY_0, KEY_1);
    List<String> texts = texts(32);
    for (int meaning = 0; meaning < 10; meaning++) {
      for (String text : texts) {
        seen.remember(text, meaning);
        assertThat(seen.find(text)).isEqualTo(meaning);
      }
      for (String text : texts) {
        assertThat(seen.find(text)).isIn(null, meaning);
      }
    }
  }

  @Test
  void asManyAsItIsMadeForFindTheirPlaces() {
    int count = 10_000;
    SeenTexts<Integer> seen = new SeenTexts<>(count, KEY_0, KEY_1);
    List<String> texts = texts(count);
    List<Integer> understood = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      int anew = 0;
      for (int i = 0; i < count; i++) {
        if (seen.find(texts.get(i)) == null) {
          seen.remember(texts.get(i), i);
          anew++;
        }
      }
      understood.add(anew);
    }
    assertThat(understood).startsWith(count).last().asInstanceOf(INTEGER).isLessThan(count / 100);
  }

  private static List<String> texts(int count) {
    return IntStream.range(0, count).mapToObj(i -> "text-" + i).toList();
  }

  @Test
  void tooManyTextsGoWithoutAPlace() {
    SeenTexts<String> seen = new SeenTexts<>(1);
    seen.remember("a", "1");
    seen.remember("a", "2");
    assertThat(seen.find("a")).isEqualTo("2");
    List<String> many = texts(100);
    for (String text : many) {
      seen.remember(text, text);
      assertThat(seen.find(text)).isIn(null, text);
    }
    assertThat(many.stream().filter(text -> text.equals(seen.find(text)))).hasSizeBetween(1, 4);
  }
}
