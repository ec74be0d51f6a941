package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminPathTest {

  @ParameterizedTest
  @CsvSource({
    "user:alice, user:alice",
    "ip:2001:db8::/32, ip:2001:db8::%2F32",
    "a/../b?c#d%, a%2F..%2Fb%3Fc%23d%25",
    "., %2E",
    ".., %2E%2E",
    "a b+c, a%20b%2Bc",
    "\u00fc, %C3%BC"
  })
  void anEntryIsOneSegmentWhateverItIsCalled(String name, String segment) {
    assertThat(AdminPath.of("blocks").entry("<client>", name).text())
        .isEqualTo("/v1/admin/blocks/" + segment);
  }
}
