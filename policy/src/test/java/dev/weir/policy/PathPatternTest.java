package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {

  @ParameterizedTest
  @CsvSource({
    "/, /, true",
    "/, /a, false",
    "/a, /a, true",
    "/a, /A, false",
    "/a, /ab, false",
    "/ab, /a, false",
    "/a, /a/b, false",
    "/a, /, false",
    "/a/b, /a/b, true",
    "/a/b, /a, false",
    "/a/*, /a/b, true",
    "/a/*, /a, false",
    "/a/*, /a/b/c, false",
    "/a/{id}, /a/b, true",
    "/a/{id}, /a, false",
    "/a/{user.id}/c, /a/b/c, true",
    "/*, /, false",
    "/*, /a, true",
    "/*/b, /a/b, true",
    "/*/b, /a/c, false",
    "/a/**, /a, true",
    "/a/**, /a/b, true",
    "/a/**, /a/b/c/d, true",
    "/a/**, /ab, false",
    "/a/**, /, false",
    "/**, /, true",
    "/**, /a/b, true",
    "/**/chat, /chat, true",
    "/**/chat, /api/v1/chat, true",
    "/**/chat, /chat/x, false",
    "/**/chat, /chat/chat, true",
    "/**/auth/**, /auth, true",
    "/**/auth/**, /x/auth/y/z, true",
    "/**/auth/**, /x/y, false",
    "/a/**/b, /a/b, true",
    "/a/**/b, /a/x/y/b, true",
    "/a/**/b, /a/b/c, false",
    "/a/**/b, /a, false",
    "/a/**/b/*, /a/b/b/c, true",
    "/**/a/b, /a/a/b, true",
    "/**/a/b, /x/a, false",
    "/**/*, /, false",
    "/**/*, /a, true",
    "/**/*/**, /a/b/c, true",
    "/**/a/**/b/**/c, /a/x/b/b/a/c, true",
    "/**/a/**/b/**/c, /a/c/b/a, false",
    "/é, /é, true",
    "/a b, /a b, true",
    "/a%3Fb, /a%3Fb, true",
    "/**, *, false",
    "/*, *, false",
  })
  void matches(String pattern, String path, boolean expected) {
    assertThat(PathPattern.parse(pattern).matches(path)).isEqualTo(expected);
  }

  @Test
  void matchesTheCanonicalFormOfWhatWasEncoded() {
    assertThat(PathPattern.parse("/100%25").matches(RequestPath.canonical("/100%25"))).isTrue();
    assertThat(PathPattern.parse("/a%3Fb").matches(RequestPath.canonical("/a%3fb"))).isTrue();
    assertThat(PathPattern.parse("/a").matches(RequestPath.canonical("/a%3fb"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 'must start with /, for example /api/**'",
    "api/**, 'must start with /, for example /api/**'",
    "*, 'must start with /, for example /api/**'",
    "/a/, 'must not have empty or dot segments, or a slash at the end'",
    "//, 'must not have empty or dot segments, or a slash at the end'",
    "/a//b, 'must not have empty or dot segments, or a slash at the end'",
    "/./a, 'must not have empty or dot segments, or a slash at the end'",
    "/;x, 'can never match: path must not have parameters without a name, got \"/;x\"'",
    "/**/**, must not have ** twice in a row; one of them is enough",
    "/a/**/**/b, must not have ** twice in a row; one of them is enough",
    "/a*, 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "/***, 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "/a/x{id}, 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "/a/{}, 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "/a/{id, 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "/a/id}, 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "/{a}-{b}, 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "/{a}{b}, 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "/{*rest}, 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "'/{id:[0-9]+}', 'must have * and {name} as whole segments only, for example /users/*/posts'",
    "/a?b, 'can never match; write \"a\" for \"a?b\"'",
    "/a;x=1, 'can never match; write \"a\" for \"a;x=1\"'",
    "/%61, 'can never match; write \"a\" for \"%61\"'",
    "/a%20b, 'can never match; write \"a b\" for \"a%20b\"'",
    "/a%3fb, 'can never match; write \"a%3Fb\" for \"a%3fb\"'",
    "/a/.., 'can never match: path must not lead above the root, got \"/..\"'",
    "/a%2fb, 'can never match: path must not contain an encoded /, got \"/a%2fb\"'",
    "/100%, 'can never match: path must have two hexadecimal digits after %, got \"/100%\"'",
  })
  void refusesPatternsThatMakeNoSense(String pattern, String problem) {
    assertThatThrownBy(() -> PathPattern.parse(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("path \"" + pattern + "\" " + problem);
  }

  @Test
  void patternsWithOneTextAreEqual() {
    PathPattern pattern = PathPattern.parse("/a/*");

    assertThat(pattern).isEqualTo(PathPattern.parse("/a/*")).hasToString("/a/*");
    assertThat(pattern).hasSameHashCodeAs(PathPattern.parse("/a/*"));
    assertThat(pattern).isNotEqualTo(PathPattern.parse("/a/{id}"));
    assertThat(pattern.segments()).isEqualTo(PathPattern.parse("/a/{id}").segments());
  }

  @Test
  void theMostSpecificComesFirst() {
    List<PathPattern> ordered =
        List.of(
                "/a/b/c", "/a/b/*", "/a/b", "/a/b/**", "/a/*/c", "/a/*", "/a/**/c", "/a/**", "/*/b",
                "/**/a/b", "/**/a", "/**/*", "/**")
            .stream()
            .map(PathPattern::parse)
            .toList();
    List<PathPattern> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new Random(1));
    Collections.sort(shuffled);

    assertThat(shuffled).isEqualTo(ordered);
    assertOrder("/a/b", "/a/*");
    assertOrder("/a/*", "/a/**");
    assertOrder("/a", "/a/**");
    assertOrder("/a/b/**", "/a/*");
    assertOrder("/a/*/c", "/a/**");
    assertOrder("/**/chat", "/**");
    assertOrder("/a/**/c", "/a/**");
    assertOrder("/*", "/**");
    assertOrder("/", "/**");
    assertOrder("/api/**", "/**/chat");
  }

  private static void assertOrder(String first, String second) {
    assertThat(PathPattern.parse(first)).isLessThan(PathPattern.parse(second));
    assertThat(PathPattern.parse(second)).isGreaterThan(PathPattern.parse(first));
  }

  @Test
  void theOrderIsTotalAndConsistentWithEquals() {
    SplittableRandom random = new SplittableRandom(41);
    for (int i = 0; i < 50_000; i++) {
      PathPattern a = RandomPaths.pattern(random);
      PathPattern b = RandomPaths.pattern(random);
      PathPattern c = RandomPaths.pattern(random);

      assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
      assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
      if (a.compareTo(b) < 0 && b.compareTo(c) < 0) {
        assertThat(a).as("%s < %s < %s", a, b, c).isLessThan(c);
      }
    }
  }

  @Test
  void matchesAsAPlainRecursionDoes() {
    SplittableRandom random = new SplittableRandom(42);
    int matching = 0;
    for (int i = 0; i < 200_000; i++) {
      PathPattern pattern = RandomPaths.pattern(random);
      String path = RandomPaths.path(random);
      boolean expected = RandomPaths.matchesPlainly(pattern.segments(), RandomPaths.cut(path));

      assertThat(pattern.matches(path)).as("%s on %s", pattern, path).isEqualTo(expected);
      matching += expected ? 1 : 0;
    }
    assertThat(matching).isBetween(20_000, 150_000);
  }

  @Test
  @DisplayName("T30: a path that nearly matches many ** costs no more than its length times theirs")
  void aPathThatNearlyMatchesCostsLittle() {
    PathPattern pattern = PathPattern.parse("/**/a".repeat(50) + "/b");
    String path = "/a".repeat(4_000);

    assertThat(pattern.matches(path)).isFalse();
    assertThat(pattern.steps(path)).isLessThan(4_000 * 101);
    assertThat(pattern.steps(path + path)).isLessThan(3 * pattern.steps(path));
  }

  @Test
  @DisplayName("T30: no random pattern and path cost more than their lengths multiplied")
  void everyMatchIsBounded() {
    SplittableRandom random = new SplittableRandom(43);
    for (int i = 0; i < 100_000; i++) {
      PathPattern pattern = RandomPaths.pattern(random);
      String path = RandomPaths.path(random);
      int bound = (pattern.segments().size() + 1) * (RandomPaths.cut(path).size() + 1);

      assertThat(pattern.steps(path)).as("%s on %s", pattern, path).isLessThanOrEqualTo(bound);
    }
  }

  @Test
  @DisplayName("T30: a regular expression is taken by the letter")
  void aRegularExpressionIsTakenByTheLetter() {
    PathPattern pattern = PathPattern.parse("/(a+)+$");
    String path = "/" + "a".repeat(8_190) + "!";

    assertThat(pattern.matches("/(a+)+$")).isTrue();
    assertThat(pattern.matches("/aaaa")).isFalse();
    assertThat(pattern.matches(RequestPath.canonical(path))).isFalse();
    assertThat(pattern.steps(path)).isEqualTo(1);
    assertThatThrownBy(() -> RequestPath.canonical("/" + "a".repeat(50_000) + "!"))
        .isInstanceOf(MalformedRequestException.class);
  }
}
