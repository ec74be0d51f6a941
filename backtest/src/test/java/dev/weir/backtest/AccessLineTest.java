package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessLineTest {
  private static final String GOOD =
      "203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 12";

  @Test
  void readsTheCommonFormat() throws IOException {
    ReadLog log =
        ReadLog.of(
            """
            203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] "GET /a/b?c=d HTTP/1.1" 200 2326
            203.0.113.7 - alice [10/Oct/2026:15:55:36 +0200] "POST /login HTTP/2.0" 302 -
            2001:db8::7 - - [10/Oct/2026:08:25:37 -0530] "HEAD / HTTP/1.0" 200 0
            """);

    assertThat(log.lines())
        .containsExactly(
            "2026-10-10T13:55:36Z ip:203.0.113.7 GET /a/b",
            "2026-10-10T13:55:36Z user:alice POST /login",
            "2026-10-10T13:55:37Z ip:2001:db8::/64 GET /");
    assertThat(log.counts()).isEqualTo(new LogCounts(3, 3, 0, 0, 0, 0, List.of()));
    assertThat(log.requests()).allSatisfy(each -> assertThat(each.outcome()).isNull());
  }

  @Test
  void readsTheCombinedFormatAndWhateverFollows() throws IOException {
    ReadLog log =
        ReadLog.of(
            """
            203.0.113.7 - - [29/Feb/2028:23:59:59 +0000] "GET /a HTTP/1.1" 200 1 "https://x/\\"q\\"" "curl/8" 0.012
            198.51.100.2 - bob smith [29/Feb/2028:23:59:59 +0000] "GET /b HTTP/1.1" 200 1 "-" "a [b] \\"c"
            """);

    assertThat(log.lines())
        .containsExactly(
            "2028-02-29T23:59:59Z ip:203.0.113.7 GET /a",
            "2028-02-29T23:59:59Z user:bob smith GET /b");
  }

  @Test
  void readsWhatServersEscape() throws IOException {
    ReadLog log =
        ReadLog.of(
            GOOD.replace("/a", "/caf\\xC3\\xA9")
                + "\n"
                + GOOD.replace("/a", "/say\\x22hi\\x22")
                + "\n"
                + GOOD.replace("/a", "/say\\\"hi\\\"?\\\\"));

    assertThat(log.lines())
        .containsExactly(
            "2026-10-10T13:55:36Z ip:203.0.113.7 GET /café",
            "2026-10-10T13:55:36Z ip:203.0.113.7 GET /say\"hi\"",
            "2026-10-10T13:55:36Z ip:203.0.113.7 GET /say\"hi\"");
  }

  @Test
  void clientsWithoutAnAddressAreUnknown() throws IOException {
    ReadLog log =
        ReadLog.of(GOOD.replace("203.0.113.7", "unix:") + "\n" + GOOD.replace("203.0.113.7", "-"));

    assertThat(log.requests()).allMatch(each -> each.request().client().isUnknown()).hasSize(2);
  }

  @Test
  void requestsThatAreAnsweredWith400AreMalformedAndNotBad() throws IOException {
    ReadLog log =
        ReadLog.of(
            GOOD
                + "\n203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] \"\\x16\\x03\\x01\" 400 0"
                + "\n203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] \"-\" 400 0"
                + "\n203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] \"\" 400 0"
                + "\n203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] \"GET /../x HTTP/1.1\" 400 0",
            ReadLog.USUAL.strict());

    assertThat(log.requests()).hasSize(1);
    assertThat(log.counts())
        .isEqualTo(
            new LogCounts(
                5,
                1,
                0,
                4,
                0,
                0,
                List.of(
                    "standard input:2: malformed request: request must be a method, a target and a protocol, got \"???\"",
                    "standard input:3: malformed request: request must be a method, a target and a protocol, got \"-\"",
                    "standard input:4: malformed request: request must be a method, a target and a protocol, got \"\"",
                    "standard input:5: malformed request: path must not lead above the root, got \"/../x\"")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "hello | must have address, identity, user and then the time in brackets",
        "203.0.113.7 - - [10/Oct/2026:13:55:36 +0000 | must have the time in brackets",
        "203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] GET / | after the time must come the request in quotes",
        "203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] \"GET / | the quotes of the request must be closed",
        "203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" - 0 | after the request must come a status of three digits",
        "203.0.113.7 - - [10/Okt/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 0 | time must be such as 10/Oct/2026:13:55:36 +0000, got \"10/Okt/2026:13:55:36 +0000\"",
        "203.0.113.7 - - [31/Jun/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 0 | time must be such as 10/Oct/2026:13:55:36 +0000, got \"31/Jun/2026:13:55:36 +0000\"",
        "203.0.113.7 - - [x] \"GET / HTTP/1.1\" 200 0 | time must be such as 10/Oct/2026:13:55:36 +0000, got \"x\"",
        "host.example - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 0 | \"host.example\" is no address, for example 203.0.113.7 or 2001:db8::1",
        "203.0.113.7 [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 0 | must have address, identity, user and then the time in brackets"
      })
  void badLinesAreCountedAndShown(String line, String problem) throws IOException {
    ReadLog log = ReadLog.of(GOOD + "\n\n" + line.strip() + "\r\n" + GOOD + "\n");

    assertThat(log.requests()).hasSize(2);
    assertThat(log.counts())
        .isEqualTo(new LogCounts(3, 2, 1, 0, 0, 0, List.of("standard input:3: " + problem)));
  }

  @Test
  void onlyTheFirstTenBadLinesAreShown() throws IOException {
    LogCounts counts = ReadLog.of(GOOD + "\n" + "x\n".repeat(25)).counts();

    assertThat(counts.bad()).isEqualTo(25);
    assertThat(counts.examples()).hasSize(10).first().asString().startsWith("standard input:2: ");
  }

  @Test
  void statusesSayWhatWasRefusedOnlyIfTheUserSaysSo() throws IOException {
    String text = GOOD + "\n" + GOOD.replace(" 200 ", " 429 ");

    assertThat(ReadLog.of(text).requests()).allSatisfy(each -> assertThat(each.outcome()).isNull());
    assertThat(ReadLog.of(text, ReadLog.USUAL.withRefusedStatuses(Set.of(429))).requests())
        .extracting(LoggedRequest::outcome)
        .containsExactly(Outcome.ALLOWED, Outcome.THROTTLED);
  }
}
