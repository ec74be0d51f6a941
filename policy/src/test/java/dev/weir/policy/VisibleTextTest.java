package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibleTextTest {

  @ParameterizedTest
  @CsvSource({
    "0x0a, \\u000a",
    "0x7f, \\u007f",
    "0x85, \\u0085",
    "0x200b, \\u200b",
    "0x2028, \\u2028",
    "0x202e, \\u202e",
    "0x2066, \\u2066",
    "0xfeff, \\ufeff",
    "0xe0041, \\udb40\\udc41",
    "0x1d173, \\ud834\\udd73",
  })
  void writesInvisibleCharactersByTheirCodes(String codePoint, String code) {
    String text = "a" + Character.toString(Integer.decode(codePoint)) + "b";

    assertThat(VisibleText.escape(text)).isEqualTo("a" + code + "b");
    assertThat(new JsonText().put("v", text).toString().replace("\\n", "\\u000a"))
        .isEqualTo("{\"v\": \"a" + code + "b\"}");
  }

  @Test
  void leavesAllOthersAsTheyAre() {
    String text = "plain é漢字 😀 ~";

    assertThat(VisibleText.escape(text)).isSameAs(text);
  }
}
