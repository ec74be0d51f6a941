package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructuredTextTest {

  @ParameterizedTest
  @CsvSource({
    "chat, \"chat\"",
    "say \"hi\", \"say \\\"hi\\\"\"",
    "a\\b, \"a\\\\b\"",
    "é, \"%C3%A9\"",
    "漢, \"%E6%BC%A2\""
  })
  void escapes(String value, String expected) {
    assertThat(text(value)).isEqualTo(expected);
  }

  @Test
  @DisplayName("T70: line ends and other control characters cannot come out")
  void controlCharactersCannotComeOut() {
    assertThat(text("a\r\nSet-Cookie: x=1\0\u007f")).isEqualTo("\"a%0D%0ASet-Cookie: x=1%00%7F\"");
  }

  @Test
  @DisplayName("T70: random names are printable, and a parser reads them back")
  void aParserReadsRandomNames() {
    Random random = new Random(20_260_302);
    for (int i = 0; i < 5_000; i++) {
      String value =
          random
              .ints(random.nextInt(12), 0, random.nextBoolean() ? 0x80 : 0x11_0000)
              .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
              .filter(c -> c != '%' && c != '+')
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      String text = text(value);
      assertThat(text.chars()).allMatch(c -> c >= ' ' && c <= '~');
      String parsed = Parser.parseString(text).get();
      assertThat(URLDecoder.decode(parsed, StandardCharsets.UTF_8)).isEqualTo(value);
    }
  }

  private static String text(String value) {
    StringBuilder text = new StringBuilder();
    StructuredText.append(text, value);
    return text.toString();
  }
}
