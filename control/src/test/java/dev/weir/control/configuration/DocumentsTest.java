package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.change.ChangeRefused;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentsTest {

  @Test
  void jsonComesBackAsItWas() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("text", "a \"quoted\" \\ text\n\t\u0001 é 🙂 \u2028");
    document.put("number", -1_000_000_000_000L);
    document.put("flag", true);
    document.put("list", List.of("a", 1L, false, List.of()));
    document.put("map", Map.of("", Map.of()));
    assertThat(JsonReader.read(Documents.json(document))).isEqualTo(document);
  }

  @Test
  void jsonOfOthersIsRead() {
    assertThat(JsonReader.read(" {\"a\" : [1.5, null,-0, 1e2,\"\\u00e9\\/\"] }\n"))
        .hasToString("{a=[1.5, null, 0, 100.0, é/]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{}x",
        "{\"a\"}",
        "{\"a\": }",
        "{\"a\": 01}",
        "{\"a\": 1,}",
        "{a: 1}",
        "{\"a\": \"\\x\"}",
        "{\"a\": \"\\u12\"}",
        "{\"a\": tru}",
        "{\"a\": \"b}",
        "{\"a\": \"\n\"}",
        "{\"a\": [1}",
        "{\"a\": -}",
        "{\"a\": 1 2}"
      })
  void whatIsNoJsonObjectIsSaidSo(String text) {
    assertThatThrownBy(() -> JsonReader.read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s)must be a JSON object(, but: .*| and nothing more)");
  }

  @Test
  void whatIsNestedWithoutEndIsRefused() {
    String deep = "{\"a\": ".repeat(100_000);
    assertThatThrownBy(() -> JsonReader.read(deep)).hasMessageContaining("nesting depth");
    Object nested = "x";
    for (int i = 0; i < 100_000; i++) {
      nested = List.of(nested);
    }
    Map<String, Object> document = Map.of("match", nested);
    assertThatThrownBy(() -> Documents.require(document))
        .isInstanceOf(ChangeRefused.class)
        .hasMessageContaining("must not be nested that deep");
  }

  @Test
  void whatNoDatabaseTakesIsRefusedByItsField() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", null);
    document.put("limits", List.of("a\0b", "ok"));
    document.put("match", Map.of("user", "\ud83d"));
    document.put("priority", Double.NaN);
    document.put("response", new Object[0].getClass());
    document.put("enabled", new ArrayList<>(Collections.singletonList(null)));
    assertThatThrownBy(() -> Documents.require(document))
        .isInstanceOfSatisfying(
            ChangeRefused.class,
            refused -> {
              assertThat(refused.kind()).isEqualTo(ChangeRefused.Kind.INVALID);
              assertThat(refused.flaws())
                  .extracting(ChangeRefused.Flaw::field)
                  .containsExactly(
                      "name", "limits[0]", "match.user", "priority", "response", "enabled[0]");
            });
  }
}
