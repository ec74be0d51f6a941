package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {

  private static Request request(String method, String path) {
    return Request.of(method, path, Client.unknown());
  }

  @ParameterizedTest(name = "T23: {0} is {1}")
  @CsvSource({"GET, GET", "HEAD, GET", "head, GET", "get, GET", "post, POST", "M-SEARCH, M-SEARCH"})
  void methodsAreInCapitalsAndHeadIsGet(String method, String canonical) {
    assertThat(request(method, "/").method()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET ", "G T", "GET\n", "\0", "GÉT", "ﬁ"})
  void refusesMethodsThatAreNoWords(String method) {
    assertThatThrownBy(() -> request(method, "/"))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessage("method must be a word, for example GET");
  }

  @Test
  void refusesEmptyAndEndlessMethods() {
    assertThat(request("M".repeat(64), "/").method()).hasSize(64);
    assertThatThrownBy(() -> request("", "/"))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessage("method must be 1 to 64 characters long, got 0");
    assertThatThrownBy(() -> request("M".repeat(65), "/"))
        .hasMessage("method must be 1 to 64 characters long, got 65");
  }

  @Test
  void refusesNegativeCosts() {
    assertThatThrownBy(() -> request("GET", "/").withCost(-1))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessage("cost must be at least 0, got -1");
  }

  @ParameterizedTest(name = "T21: {0} stays the same with another cost")
  @ValueSource(strings = {"/a/../b", "/100%25", "/what%3F", "/a%23b", "/é", "*", "http://h/a"})
  @DisplayName("T21: the path stays the same with another cost")
  void anotherCostKeepsThePath(String path) {
    Request request = request("GET", path);

    assertThat(request.withCost(7).path()).isEqualTo(request.path());
    assertThat(request.withCost(7).cost()).isEqualTo(7);
    assertThat(request.cost()).isEqualTo(1);
  }
}
