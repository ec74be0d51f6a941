package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
  private static final ObjectMapper PARSER = new ObjectMapper();

  @Test
  void writesMembersInTheirOrder() {
    JsonText text =
        new JsonText()
            .put("a", "b")
            .put("n", -3)
            .put("list", List.of("x", "y"))
            .put("e", List.of());
    assertThat(text).hasToString("{\"a\": \"b\", \"n\": -3, \"list\": [\"x\", \"y\"], \"e\": []}");
    assertThat(new JsonText()).hasToString("{}");
  }

  @Test
  void writesObjectsInObjects() {
    JsonText text =
        new JsonText()
            .putObject("empty", inner -> {})
            .putObject("one", inner -> inner.put("a", 1).put("b", "x"))
            .putObjects("none", List.<String>of(), (inner, value) -> inner.put("v", value))
            .putObjects("two", List.of("p", "q"), (inner, value) -> inner.put("v", value))
            .put("last", true);
    assertThat(text)
        .hasToString(
            "{\"empty\": {}, \"one\": {\"a\": 1, \"b\": \"x\"}, \"none\": [],"
                + " \"two\": [{\"v\": \"p\"}, {\"v\": \"q\"}], \"last\": true}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"",
        "\\",
        "\\\"",
        "\r\nSet-Cookie: x=1",
        "\u0000\u001f\u007f\u0085",
        "\u2028\u2029",
        "</script>",
        "${jndi:x}",
        "é漢字",
        "\ud83d\ude00",
        "a\tb\bc\f"
      })
  void aParserReadsWhatWasWritten(String value) throws IOException {
    assertThat(readBack(value)).isEqualTo(value);
  }

  @Test
  void halvesOfAPairSurviveEncoding() {
    String text = new JsonText().put("v", "a\ud83db\ude00\ud83d").toString();
    assertThat(text).isEqualTo("{\"v\": \"a\\ud83db\\ude00\\ud83d\"}");
  }

  @Test
  void aParserReadsRandomTexts() throws IOException {
    Random random = new Random(20_260_301);
    for (int i = 0; i < 5_000; i++) {
      String value =
          random
              .ints(random.nextInt(12), 0, random.nextBoolean() ? 0x100 : 0x11_0000)
              .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      assertThat(readBack(value)).isEqualTo(value);
    }
  }

  private static String readBack(String value) throws IOException {
    String text = new JsonText().put(value, value).put("list\n", List.of(value)).toString();
    assertThat(text.chars()).noneMatch(Character::isISOControl);
    JsonNode object = PARSER.readTree(text.getBytes(StandardCharsets.UTF_8));
    assertThat(object.get("list\n").get(0).textValue()).isEqualTo(value);
    return object.get(value).textValue();
  }

  @Test
  void whatCannotBeSeenIsWrittenByItsCode() {
    assertThat(new JsonText().put("k", "a\u202eb\u2066c\u200fd\u0085e\ufefff\u007f"))
        .hasToString("{\"k\": \"a\\u202eb\\u2066c\\u200fd\\u0085e\\ufefff\\u007f\"}");
    assertThat(new JsonText().put("k", "žluť 🐎")).hasToString("{\"k\": \"žluť 🐎\"}");
  }
}
