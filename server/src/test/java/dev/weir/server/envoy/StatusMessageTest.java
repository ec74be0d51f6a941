package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusMessageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rate limit domain must not be empty | rate limit domain must not be empty",
        "'a, b; \"c\" [1] = {x}?' | 'a, b; \"c\" [1] = {x}?'",
        "100% | 100%25",
        "žluť | %C5%BElu%C5%A5",
        "'a\nb\u007f' | a%0Ab%7F",
      })
  void onlyWhatMustBeIsEncoded(String text, String encoded) {
    assertThat(StatusMessage.encode(text)).isEqualTo(encoded);
  }
}
