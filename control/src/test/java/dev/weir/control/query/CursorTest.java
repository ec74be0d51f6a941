package dev.weir.control.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CursorTest {
  private static final Cursor CURSOR = new Cursor('x', 2);

  @Test
  void comesBackAsItWas() {
    assertThat(CURSOR.place(CURSOR.text(1, 2))).containsExactly(1, 2);
    assertThat(CURSOR.place(CURSOR.text(Long.MAX_VALUE, Long.MIN_VALUE)))
        .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE);
    assertThat(CURSOR.text(1, 2)).matches("[A-Za-z0-9_-]+");
  }

  @Test
  void whatIsNoneOfItsListIsRefusedByTheNameOfTheField() {
    for (String wrong :
        new String[] {
          "", "a", "%", "AAAA", new Cursor('y', 2).text(1, 2), new Cursor('x', 1).text(1)
        }) {
      assertThatThrownBy(() -> CURSOR.place(wrong))
          .isInstanceOf(InvalidQuery.class)
          .hasMessage("cursor must be what the page before gave as its next, got \"%s\"", wrong)
          .satisfies(e -> assertThat(((InvalidQuery) e).field()).isEqualTo("cursor"));
    }
    assertThatThrownBy(() -> CURSOR.place("x".repeat(100_000)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
  }

  @Test
  void oneThatWasChangedIsRefused() {
    SplittableRandom random = new SplittableRandom(7);
    String text = CURSOR.text(1_700_000_000_000_000L, 42);
    for (int i = 0; i < 1_000; i++) {
      char[] changed = text.toCharArray();
      int at = random.nextInt(changed.length - 1);
      changed[at] = changed[at] == 'A' ? 'B' : 'A';
      assertThatThrownBy(() -> CURSOR.place(new String(changed))).isInstanceOf(InvalidQuery.class);
    }
  }
}
