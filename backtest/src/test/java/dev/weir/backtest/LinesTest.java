package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinesTest {

  private static List<String> read(InputStream in) throws IOException {
    List<String> found = new ArrayList<>();
    try (Lines lines = new Lines(in)) {
      while (lines.next()) {
        String text =
            new String(
                lines.bytes(),
                lines.start(),
                lines.end() - lines.start(),
                StandardCharsets.ISO_8859_1);
        found.add(lines.number() + (lines.isTooLong() ? " too long" : ":" + text));
      }
    }
    return found;
  }

  private static List<String> read(String text) throws IOException {
    return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  @Test
  void findsEveryLineHoweverItEnds() throws IOException {
    assertThat(read("")).isEmpty();
    assertThat(read("a")).containsExactly("1:a");
    assertThat(read("a\n")).containsExactly("1:a");
    assertThat(read("a\r\n\nb\u008a\r")).containsExactly("1:a", "2:", "3:b\u008a");
  }

  @Test
  void skipsLinesThatAreTooLongAndGoesOn() throws IOException {
    String tooLong = "x".repeat(3 * Lines.LONGEST);
    String longest = "y".repeat(Lines.LONGEST - 1);

    assertThat(read("a\n" + tooLong + "\nb\n" + longest + "\n" + tooLong))
        .containsExactly("1:a", "2 too long", "3:b", "4:" + longest, "5 too long");
  }

  @Test
  void findsTheSameLinesHoweverTheyAreRead() throws IOException {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder();
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= 5_000; i++) {
      int length = random.nextInt(50) == 0 ? random.nextInt(300_000) : random.nextInt(300);
      String line = Character.toString('a' + random.nextInt(26)).repeat(length);
      text.append(line).append('\n');
      expected.add(i + ":" + line);
    }
    InputStream dripping =
        new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.ISO_8859_1)) {
          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            return super.read(bytes, offset, Math.min(length, 1 + random.nextInt(10_000)));
          }
        };

    assertThat(read(dripping)).isEqualTo(expected);
  }
}
