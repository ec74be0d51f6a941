package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("T82: the secrets of API keys in paths")
class ApiKeyIdsTest {
  private static final String KEY = "wk_0123456789abcdef0123456789abcdef_";

  @ParameterizedTest
  @CsvSource({
    "/hook/KEYsecret, /hook/KEYredacted",
    "/hook/KEYsecret/a/b, /hook/KEYredacted/a/b",
    "/KEYone/KEYtwo/x, /KEYredacted/KEYredacted/x",
    "/aKEYsecret.json, /aKEYredacted",
    "/wk_/wk_short_secret, /wk_/wk_short_secret",
    "/plain, /plain",
  })
  void areReplaced(String path, String redacted) {
    assertThat(Request.of("GET", path.replace("KEY", KEY), Client.unknown()).path())
        .isEqualTo(redacted.replace("KEY", KEY));
  }
}
