package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private static final String OPENED = "\u001b[?1049h\u001b[?25l\u001b[?7l";
  private static final String CLOSED = "\u001b[?7h\u001b[?25h\u001b[?1049l";

  private final StringWriter written = new StringWriter();
  private final Screen screen = new Screen(new PrintWriter(written));

  private static Terminal terminal(int columns, int rows) {
    return new Terminal(columns, rows, false, true, true);
  }

  @Test
  void drawsFromTheTopAndClearsWhatWasThere() {
    screen.draw(List.of("one", "two"), terminal(80, 24));
    screen.close();

    assertThat(written).hasToString(OPENED + "\u001b[Hone\u001b[K\r\ntwo\u001b[K\u001b[J" + CLOSED);
  }

  @Test
  void leavesOutWhatHasNoRoom() {
    screen.draw(List.of("abcdef", "two", "three"), terminal(4, 2));

    assertThat(written).hasToString(OPENED + "\u001b[Habcd\u001b[K\r\ntwo\u001b[K\u001b[J");
  }

  @Test
  void drawsNothingAfterItsEndAndEndsOnce() {
    screen.close();
    screen.draw(List.of("late"), terminal(80, 24));
    screen.close();

    assertThat(written).hasToString(OPENED + CLOSED);
  }

  @Test
  void coloursTakeNoRoomAndEndWhereALineIsCut() {
    assertThat(Screen.cut("\u001b[32mabc\u001b[0m", 3)).isEqualTo("\u001b[32mabc\u001b[0m");
    assertThat(Screen.cut("\u001b[32mabcd\u001b[0m", 3)).isEqualTo("\u001b[32mabc\u001b[0m");
    assertThat(Screen.cut("ab\ud83d\ude00cd", 3)).isEqualTo("ab\ud83d\ude00");
    assertThat(Screen.cut("abc", 0)).isEmpty();
  }
}
