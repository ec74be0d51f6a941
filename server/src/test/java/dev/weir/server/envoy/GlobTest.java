package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {

  @ParameterizedTest
  @CsvSource({
    "path_/api*, path, /api, true",
    "path_/api*, path, /api/v1, true",
    "path_/api*, path, /ap, false",
    "path_*, path, '', true",
    "path_*/users, path, /v1/users, true",
    "path_*/users, path, /users, true",
    "path_*/users, path, users, false",
    "path_a*a, path, a, false",
    "path_a*a, path, aa, true",
    "path_a*b*c, path, axbxc, true",
    "path_a*b*c, path, abc, true",
    "path_a*b*c, path, acb, false",
    "path_a*bc*bcd, path, abcd, false",
    "path_a*bc*bcd, path, abcbcd, true",
    "path_**, path, x, true",
    "path_a**b, path, ab, true",
    "*, path, x, true",
    "*_x, path, x, true",
    "pa*, path, x, true",
    "pa*_x, path, x, true",
    "pat*h, path, x, false",
    "path_x*aab*y, path, xaaaby, true",
    "path_x*abab*y, path, xababaabaay, true",
    "path_x*abac*y, path, xabababay, false",
  })
  void standsForAnyCharacters(String pattern, String key, String value, boolean matches) {
    assertThat(new Glob(pattern).matches(key, value)).isEqualTo(matches);
  }

  /** One that tries everything. */
  private static boolean matches(String pattern, String text) {
    if (pattern.isEmpty()) {
      return text.isEmpty();
    }
    if (pattern.charAt(0) == '*') {
      return matches(pattern.substring(1), text)
          || (!text.isEmpty() && matches(pattern, text.substring(1)));
    }
    return !text.isEmpty()
        && pattern.charAt(0) == text.charAt(0)
        && matches(pattern.substring(1), text.substring(1));
  }

  private static String random(Random random, String alphabet, int most) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(most + 1); length > 0; length--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  @Test
  void agreesWithOneThatTriesEverything() {
    Random random = new Random(20260301);
    int matching = 0;
    int patterns = TestLevel.amount("weir.envoy.globs", 50_000, 200_000);
    for (int i = 0; i < patterns; i++) {
      String pattern = random(random, "ab_*", 7) + "*" + random(random, "ab_*", 4);
      String key = random(random, "ab_", 4);
      String value = random(random, "ab_", 8);
      boolean expected = matches(pattern, key + "_" + value);

      assertThat(new Glob(pattern).matches(key, value))
          .as("%s on %s_%s", pattern, key, value)
          .isEqualTo(expected);
      matching += expected ? 1 : 0;
    }
    assertThat(matching).isBetween(patterns / 10, patterns * 9 / 10);
  }

  @Test
  void noPatternAndNoValueTakeLong() {
    Glob glob = new Glob(("*" + "a".repeat(500) + "b").repeat(50) + "*");
    String value = "a".repeat(1_000_000);

    // By trying all ways this would take years.
    assertThat(glob.matches("key", value)).isFalse();
  }
}
