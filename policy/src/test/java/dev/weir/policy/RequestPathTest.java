package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {
  private static final String[] PIECES = {
    "/",
    "/",
    "/",
    "//",
    ".",
    "..",
    "a",
    "b",
    "login",
    ";",
    ";x=1",
    "%2e",
    "%2E",
    "%2f",
    "%25",
    "%3f",
    "%23",
    "%3B",
    "%5c",
    "%00",
    "%41",
    "%c3%a9",
    "%c3",
    "%",
    "%zz",
    "é",
    "\\",
    "?",
    "#",
    "*",
    " ",
    "\t",
    "\0",
    "\u0085",
    "http://h",
    "://",
    "%EF%BC%8F",
    "\ud83d\ude00",
    "\ud83d",
  };

  private static String random(SplittableRandom random) {
    StringBuilder text = new StringBuilder(random.nextInt(8) > 0 ? "/" : "");
    for (int pieces = random.nextInt(8); pieces > 0; pieces--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  @ParameterizedTest(name = "T21: {0} is {1}")
  @CsvSource({
    "/, /",
    "/login, /login",
    "//login, /login",
    "///login, /login",
    "/login/, /login",
    "/login//, /login",
    "/./login, /login",
    "/login/., /login",
    "/login/./, /login",
    "/././login, /login",
    "/a/../login, /login",
    "/a/b/../../login, /login",
    "/a/./../login, /login",
    "/login/a/.., /login",
    "/login/a/../, /login",
    "/a/%2e%2e/login, /login",
    "/a/%2E%2E/login, /login",
    "/a/.%2e/login, /login",
    "/%2e/login, /login",
    "/login/%2e, /login",
    "/login;x=1, /login",
    "/login;, /login",
    "/login;x=1;y=2, /login",
    "/login;jsessionid=5/, /login",
    "/a;x/../login, /login",
    "/login;x=%20;y=%c3%a9, /login",
    "/%6cogin, /login",
    "/%6Cogin, /login",
    "/%6c%6f%67%69%6e, /login",
    "/login?, /login",
    "/login?a=b, /login",
    "/login?a=/../b, /login",
    "/login?a=%00, /login",
    "'/login?x#y', /login",
    "/login/?x, /login",
    "http://example.org/login, /login",
    "HTTPS://example.org:8443/login?x, /login",
    "http://user@example.org//login/, /login",
    "http://[::1]:80/login, /login",
    "AZaz09+-.://h/login, /login",
    "http://example.org, /",
    "http://example.org/, /",
    "http://example.org?x=/login, /",
    "*, *",
    "'/?', /",
    "//, /",
    "/., /",
    "/a/.., /",
    "/LOGIN, /LOGIN",
    "/Login, /Login",
    "/a.b/.c/...d, /a.b/.c/...d",
    "/..., /...",
    "/..a, /..a",
    "/a=b&c+d!$()*:@~_-, /a=b&c+d!$()*:@~_-",
    "/a+b, /a+b",
    "/a%2Bb, /a+b",
    "/a%20b, /a b",
    "/é, /é",
    "/%c3%a9, /é",
    "/%F0%9F%98%80, /😀",
    "/*, /*",
    "/%2a, /*",
    "/a%3fb, /a%3Fb",
    "/a%3Fb, /a%3Fb",
    "/a%23b, /a%23b",
    "/100%25, /100%25",
    "/%25, /%25",
    "/%254, /%254",
    "/%c2%a0x, /\u00a0x",
    "/%25zz, /%25zz",
    "/login%2e, /login.",
    "/http://x/y, /http:/x/y",
  })
  void everySpellingHasOneCanonicalForm(String target, String canonical) {
    assertThat(RequestPath.canonical(target)).isEqualTo(canonical);
    assertThat(RequestPath.canonical(canonical)).isEqualTo(canonical);
  }

  @ParameterizedTest(name = "T21: {0} is refused, path {1}")
  @CsvSource({
    "login, 'must start with /, got \"login\"'",
    "'', 'must start with /, got \"\"'",
    "?x, 'must start with /, got \"?x\"'",
    "'\\login', 'must start with /, got \"?login\"'",
    "**, 'must start with /, got \"**\"'",
    "*/, 'must start with /, got \"*/\"'",
    "example.org:443, 'must start with /, got \"example.org:443\"'",
    "://h/login, 'must start with /, got \"://h/login\"'",
    "a/b://h/login, 'must start with /, got \"a/b://h/login\"'",
    "a@b://h/login, 'must start with /, got \"a@b://h/login\"'",
    "a[b://h/login, 'must start with /, got \"a[b://h/login\"'",
    "a`b://h/login, 'must start with /, got \"a`b://h/login\"'",
    "a{b://h/login, 'must start with /, got \"a{b://h/login\"'",
    "a:b://h/login, 'must start with /, got \"a:b://h/login\"'",
    "1a://h/login, 'must start with /, got \"1a://h/login\"'",
    "login?x=http://h/a, 'must start with /, got \"login?x=http://h/a\"'",
    "http:/login, 'must start with /, got \"http:/login\"'",
    "http:///login, 'must name a host after ://, got \"http:///login\"'",
    "http://?x, 'must name a host after ://, got \"http://?x\"'",
    "http://h\\login/a, 'must not contain a backslash, got \"http://h?login/a\"'",
    "http://h\0/login, 'must not contain control characters, got \"http://h?/login\"'",
    "/.., 'must not lead above the root, got \"/..\"'",
    "/../login, 'must not lead above the root, got \"/../login\"'",
    "/%2e%2e/, 'must not lead above the root, got \"/%2e%2e/\"'",
    "/a/../../login, 'must not lead above the root, got \"/a/../../login\"'",
    "http://h/../login, 'must not lead above the root, got \"/../login\"'",
    "'/login#x', 'must not contain a #, got \"/login#x\"'",
    "'/login#', 'must not contain a #, got \"/login#\"'",
    "'/login#x?y', 'must not contain a #, got \"/login#x?y\"'",
    "'http://example.org#/login', 'must not contain a #, got \"http://example.org#/login\"'",
    "/login;x=%2f, 'must not contain an encoded /, got \"/login;x=%2f\"'",
    "/login;x=%2f..%2fa, 'must not contain an encoded /, got \"/login;x=%2f..%2fa\"'",
    "/login;%2e%5c, 'must not contain a backslash, got \"/login;%2e%5c\"'",
    "/login;x=%00, 'must not contain control characters, got \"/login;x=%00\"'",
    "/;x/login, 'must not have parameters without a name, got \"/;x/login\"'",
    "/reports/;x/../foo, 'must not have parameters without a name, got \"/reports/;x/../foo\"'",
    "/;/../a, 'must not have parameters without a name, got \"/;/../a\"'",
    "/a/;, 'must not have parameters without a name, got \"/a/;\"'",
    "/a//../b, 'must not have .. after an empty segment, got \"/a//../b\"'",
    "/a//b/../../c, 'must not have .. after an empty segment, got \"/a//b/../../c\"'",
    "//../a, 'must not have .. after an empty segment, got \"//../a\"'",
    "/..;/login, 'must not have parameters without a name, got \"/..;/login\"'",
    "/a/..;x=1/login, 'must not have parameters without a name, got \"/a/..;x=1/login\"'",
    "/.;/login, 'must not have parameters without a name, got \"/.;/login\"'",
    "/a/%2e%2e;/login, 'must not have parameters without a name, got \"/a/%2e%2e;/login\"'",
    "/login%2f, 'must not contain an encoded /, got \"/login%2f\"'",
    "/a%2Flogin, 'must not contain an encoded /, got \"/a%2Flogin\"'",
    "/a/..%2flogin, 'must not contain an encoded /, got \"/a/..%2flogin\"'",
    "/login%3bx, 'must not contain an encoded ;, got \"/login%3bx\"'",
    "/a\\login, 'must not contain a backslash, got \"/a?login\"'",
    "/\\login, 'must not contain a backslash, got \"/?login\"'",
    "/a%5clogin, 'must not contain a backslash, got \"/a%5clogin\"'",
    "/login%00, 'must not contain control characters, got \"/login%00\"'",
    "/login%0a, 'must not contain control characters, got \"/login%0a\"'",
    "/login%0d%0aX, 'must not contain control characters, got \"/login%0d%0aX\"'",
    "/login%7f, 'must not contain control characters, got \"/login%7f\"'",
    "/login%c2%85, 'must not contain control characters, got \"/login%c2%85\"'",
    "/a\0b, 'must not contain control characters, got \"/a?b\"'",
    "/a\tb, 'must not contain control characters, got \"/a?b\"'",
    "/a\u007fb, 'must not contain control characters, got \"/a?b\"'",
    "/a\u0085b, 'must not contain control characters, got \"/a?b\"'",
    "/%2541, 'must not be encoded twice, got \"/%2541\"'",
    "/%252e%252e/login, 'must not be encoded twice, got \"/%252e%252e/login\"'",
    "/%2500, 'must not be encoded twice, got \"/%2500\"'",
    "/%2510, 'must not be encoded twice, got \"/%2510\"'",
    "/%252f, 'must not be encoded twice, got \"/%252f\"'",
    "/%25%32%66, 'must not be encoded twice, got \"/%25%32%66\"'",
    "/%25%36%63ogin, 'must not be encoded twice, got \"/%25%36%63ogin\"'",
    "/%, 'must have two hexadecimal digits after %, got \"/%\"'",
    "/%6, 'must have two hexadecimal digits after %, got \"/%6\"'",
    "/%6/c, 'must have two hexadecimal digits after %, got \"/%6/c\"'",
    "/%zz, 'must have two hexadecimal digits after %, got \"/%zz\"'",
    "/%u006c, 'must have two hexadecimal digits after %, got \"/%u006c\"'",
    "/%+6c, 'must have two hexadecimal digits after %, got \"/%+6c\"'",
    "/%６c, 'must have two hexadecimal digits after %, got \"/%?c\"'",
    "/%ff, 'must be valid UTF-8 when decoded, got \"/%ff\"'",
    "/%c3, 'must be valid UTF-8 when decoded, got \"/%c3\"'",
    "/%c0%af, 'must be valid UTF-8 when decoded, got \"/%c0%af\"'",
    "/%c0%ae%c0%ae/login, 'must be valid UTF-8 when decoded, got \"/%c0%ae%c0%ae/login\"'",
    "/%e0%80%af, 'must be valid UTF-8 when decoded, got \"/%e0%80%af\"'",
    "/%ed%a0%80, 'must be valid UTF-8 when decoded, got \"/%ed%a0%80\"'",
    "/%f4%90%80%80, 'must be valid UTF-8 when decoded, got \"/%f4%90%80%80\"'",
  })
  void refusesWhatServersReadDifferently(String target, String problem) {
    assertThatThrownBy(() -> RequestPath.canonical(target))
        .isInstanceOfSatisfying(
            MalformedRequestException.class,
            malformed -> assertThat(malformed.field()).isEqualTo("path"))
        .hasMessage("path " + problem);
  }

  @ParameterizedTest(name = "T21: half a surrogate pair is refused ({index})")
  @ValueSource(strings = {"/a\ud83d", "/\ude00", "/\ude00\ud83d", "/a\ud83d%41", "/\ud83d/\ude00"})
  void refusesHalfASurrogatePair(String target) {
    assertThatThrownBy(() -> RequestPath.canonical(target))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessageStartingWith("path must be valid Unicode, got \"/");
  }

  @Test
  void aCanonicalPathIsNotCopied() {
    String path = "/api/v1/users/42";

    assertThat(RequestPath.canonical(path)).isSameAs(path);
  }

  @Test
  void takesPathsOfUpTo8192Characters() {
    String longest = "/" + "a".repeat(8_191);
    String withDots = "/.".repeat(4_096);

    assertThat(RequestPath.canonical(longest)).isEqualTo(longest);
    assertThat(RequestPath.canonical(withDots)).isEqualTo("/");
    assertThat(RequestPath.canonical("/%61".repeat(2_048))).isEqualTo("/a".repeat(2_048));
    assertThatThrownBy(() -> RequestPath.canonical(longest + "a"))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessage("path must be at most 8192 characters long, got 8193");
    assertThatThrownBy(() -> RequestPath.canonical("/" + "../".repeat(1_000_000)))
        .hasMessage("path must be at most 8192 characters long, got 3000001");
  }

  @Test
  void showsTheStartOfALongPathOnly() {
    assertThatThrownBy(() -> RequestPath.canonical("/%" + "a".repeat(200) + "%"))
        .hasMessage(
            "path must have two hexadecimal digits after %, got \"/%" + "a".repeat(78) + "…\"");
  }

  @Test
  void showsAPathOf80CharactersWhole() {
    String path = "/a b" + "c".repeat(75) + "%";

    assertThatThrownBy(() -> RequestPath.canonical(path))
        .hasMessage("path must have two hexadecimal digits after %, got \"" + path + "\"");
  }

  @Test
  void showsNothingThatCouldForgeALogLine() {
    assertThatThrownBy(() -> RequestPath.canonical("/a\r\n\u001b[31m\"\u202e\\"))
        .hasMessage("path must not contain control characters, got \"/a???[31m???\"");
  }

  @Test
  void refusalsHaveNoStackTrace() {
    assertThatThrownBy(() -> RequestPath.canonical("/%"))
        .satisfies(refusal -> assertThat(refusal.getStackTrace()).isEmpty());
  }

  @Test
  void theCanonicalFormOfACanonicalFormIsItself() {
    SplittableRandom random = new SplittableRandom(31);
    int canonicals = 0;
    for (int i = 0; i < 100_000; i++) {
      String target = random(random);
      String canonical;
      try {
        canonical = RequestPath.canonical(target);
      } catch (MalformedRequestException malformed) {
        continue;
      }
      canonicals++;
      assertThat(RequestPath.canonical(canonical)).as(target).isEqualTo(canonical);
      if (!canonical.equals("*")) {
        assertThat(canonical).as(target).startsWith("/").doesNotContain("//", "/./", "/../");
        assertThat(canonical.length() > 1 && canonical.endsWith("/")).as(target).isFalse();
      }
    }
    assertThat(canonicals).isGreaterThan(20_000);
  }

  @Test
  void noiseIsReadOrRefusedAndNothingElse() {
    SplittableRandom random = new SplittableRandom(32);
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder("/");
      for (int length = random.nextInt(12); length > 0; length--) {
        int bound = random.nextInt(4) == 0 ? 0x10000 : 0x80;
        text.append((char) random.nextInt(bound));
      }
      try {
        String canonical = RequestPath.canonical(text.toString());
        assertThat(RequestPath.canonical(canonical)).isEqualTo(canonical);
      } catch (MalformedRequestException malformed) {
        assertThat(malformed.getMessage()).startsWith("path must ").contains(", got \"");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/.", "/..", "/a/../b", "/a/%2e%2E", "/a/.%2e;x", "/a/./", "/%2e?x", "//.."})
  void dotSegmentsAreFound(String target) {
    assertThatThrownBy(() -> RequestPath.requireNoDotSegments(target))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessageStartingWith("path must not contain . or .. as a segment");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "//",
        "*",
        "/a",
        "/.a",
        "/a.",
        "/...",
        "/%2ea",
        "/a?x=/../b",
        "/a?/..",
        "/;x"
      })
  void otherSegmentsHaveNoDots(String target) {
    assertThatCode(() -> RequestPath.requireNoDotSegments(target)).doesNotThrowAnyException();
  }
}
