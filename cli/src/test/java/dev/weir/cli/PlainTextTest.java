package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "null | -",
        "\"\" | -",
        "[] | -",
        "{} | -",
        "true | yes",
        "false | no",
        "12345678901234567890.10 | 12345678901234567890.10",
        "\"2030-01-31T12:00:00.999Z\" | 2030-01-31 12:00:00Z",
        "\"2030-01-31\" | 2030-01-31",
        "[\"a\", 1, [true]] | a, 1, yes",
        "{\"a\": 1, \"b\": {\"c\": \"d\"}} | a=1 b=c=d",
      })
  void showsEveryKindOfValue(String json, String expected) throws IOException {
    assertThat(PlainText.of(Json.parse(json.getBytes(StandardCharsets.UTF_8)))).isEqualTo(expected);
  }

  @Test
  void nothingSteersATerminal() {
    assertThat(PlainText.of("a\nb\u001b[2J\u009b\u202e\u2028\udb40\udc01"))
        .isEqualTo("a\\u000ab\\u001b[2J\\u009b\\u202e\\u2028\\U000e0001");
    assertThat(PlainText.of("Zo\u00eb \u4e16 \ud83d\ude00"))
        .isEqualTo("Zo\u00eb \u4e16 \ud83d\ude00");
  }
}
