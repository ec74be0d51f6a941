package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TryCommandTest {

  @Test
  void drawsAndAddsUp() {
    Run run = run("try", "10/s burst 20", "--rate", "25/s", "--for", "5s");
    assertThat(run.code).isZero();
    assertThat(run.err).isEmpty();
    assertThat(run.out)
        .isEqualTo(
            """

              10/s burst 20   25/s for 5s

              requests per 200ms   █ allowed   ▒ refused
                 5 ┤████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
                   │████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
                 4 ┤████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
                   │████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
                 3 ┤██████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
                   │██████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
                 2 ┤██████████████████████████████████████████████████
                   │██████████████████████████████████████████████████
                 1 ┤██████████████████████████████████████████████████
                   │██████████████████████████████████████████████████
                 0 └┬─────────┬─────────┬─────────┬─────────┬─────────
                    0s        1s        2s        3s        4s        5s
              left  ▆▆▅▅▄▄▃▃▂▂▁▁······································ of 20

              offered  125  100.0 %   25/s
              allowed   69   55.2 %   13.8/s
              refused   56   44.8 %   11.2/s

              first refusal at 1.28s, told to retry after 20ms
              longest run of refusals: 2, from 1.44s to 1.48s

              token_bucket: a bucket of 20 permits, full at first and refilled evenly at
              10/s; at most 20 + 50 = 70 permits pass in any 5s.

            """);
  }

  @Test
  void takesALimitWithoutQuotes() {
    assertThat(run("try", "10/s", "burst", "20", "--json").out)
        .isEqualTo(run("try", "--json", "10/s burst 20").out);
  }

  @Test
  void printsOneJsonObject() {
    assertThat(
            run(
                "try",
                "2/s fixed_window",
                "--rate",
                "0/s",
                "--for",
                "1s",
                "--burst-at",
                "0s=3",
                "--json"))
        .extracting(run -> run.out)
        .asString()
        .startsWith(
            "{\"offered\": 3, \"allowed\": 2, \"refused\": 1, \"timeline\": [{\"at_ms\": 0,"
                + " \"offered\": 3, \"allowed\": 2, \"refused\": 1, \"remaining\": 0}, {\"at_ms\":"
                + " 20, \"offered\": 0, ")
        .endsWith(
            "\"remaining\": 0}], \"limit\": \"2/s fixed_window\", \"rate\": \"0/s\", \"for\":"
                + " \"1s\"}\n");
  }

  @Test
  void escapesJsonText() {
    assertThat(JsonReport.quote("a\"b\\c\n")).isEqualTo("\"a\\\"b\\\\c\\u000a\"");
  }

  @Test
  void triesTwoAndAHalfTimesTheLimitForTenPeriodsUnlessTold() {
    assertThat(run("try", "10/s").out).contains("10/s   25/s for 10s\n");
    assertThat(run("try", "3/60s sliding_log").out).contains("8/60s for 10m\n");
    assertThat(run("try", "10/month fixed_window").out).contains("25/30d for 300d\n");
  }

  @Test
  void takesBurstsRepeatedOrInAList() {
    String pattern = "2/s for 5s, 5 at 1s, 7 at 2s, 9 at 3s\n";
    assertThat(
            run("try", "1/s", "--rate=2/s", "--for=5s", "--burst-at=2s=7,1s=5", "--burst-at=3s=9")
                .out)
        .contains(pattern);
  }

  @Test
  void saysWhenACostCanNeverPass() {
    assertThat(run("try", "10/s", "--cost", "11").out)
        .contains("10/s   25/s for 10s, cost 11 each\n")
        .contains("first refusal at 0s, waiting never helps, cost 11 is above the capacity 10\n");
  }

  @Test
  void saysWhenNothingWasRefused() {
    assertThat(run("try", "10/s", "--rate", "9/s").out).contains("  nothing was refused\n");
  }

  @Test
  void staysWithinTheWidth() {
    for (String width : List.of("40", "61", "80", "120", "400")) {
      for (String limit : List.of("10/s burst 20", "100/m sliding_window", "1000000/h")) {
        Run run = run("try", limit, "--for=7m", "--width", width);
        assertThat(run.out.lines().map(String::length))
            .allMatch(length -> length <= Math.max(64, Integer.parseInt(width)));
      }
    }
  }

  @Test
  void paintsOnlyIfWanted() {
    Terminal colored = new Terminal(80, true, true);
    assertThat(run(colored, "try", "10/s").out).contains("\u001b[32m█");
    assertThat(run(colored, "try", "10/s", "--no-color").out).doesNotContain("\u001b");
    assertThat(run(colored, "try", "10/s", "--json").out).doesNotContain("\u001b");
  }

  @Test
  void reportsWrongInputInOneLineWithCodeOne() {
    assertWrong(
        1,
        "weir try: --rate: \"25\" is no rate; write a number and a period, for example 25/s",
        "try",
        "10/s",
        "--rate",
        "25");
    assertWrong(
        1,
        "weir try: --for: \"5x\" is no duration; write a number and ms, s, m, h or d, for example 60s",
        "try",
        "10/s",
        "--for",
        "5x");
    assertWrong(
        1,
        "weir try: --burst-at: \"2s\" is no burst; write a time and a number, for example 2s=50",
        "try",
        "10/s",
        "--burst-at",
        "2s");
    assertWrong(
        1,
        "weir try: --cost: must be a number between 1 and 1000000000000, got \"0\"",
        "try",
        "10/s",
        "--cost",
        "0");
    assertWrong(
        1,
        "weir try: --width: must be a number between 40 and 400, got \"a\"",
        "try",
        "10/s",
        "--width",
        "a");
    assertWrong(
        1,
        "weir try: --rate: \"a\\u000ab\" is no rate; write a number and a period, for example 25/s",
        "try",
        "10/s",
        "--rate",
        "a\nb");
  }

  @Test
  void refusesMoreRequestsThanALogReplaysInSeconds() {
    assertWrong(
        1,
        "weir try: 250001 requests are too many to replay against 10000/s sliding_log, at most"
            + " 250000; give a lower --rate, a shorter --for or smaller bursts",
        "try",
        "10000/s sliding_log",
        "--rate=25000/s",
        "--for=10s",
        "--burst-at=1s=1");
  }

  @Test
  void reportsAWrongLimitInTheWordsOfTheParser() {
    Run run = run("try", "10/fortnight");
    assertThat(run.code).isEqualTo(1);
    assertThat(run.out).isEmpty();
    assertThat(run.err)
        .startsWith("weir try: ")
        .contains("fortnight")
        .endsWith("\n")
        .hasLineCount(1);
  }

  @Test
  void reportsWrongUsageInOneLineWithCodeTwo() {
    assertWrong(2, "weir: missing command; see weir --help");
    assertWrong(2, "weir: unknown command: 'frobnicate'; see weir --help", "frobnicate");
    assertWrong(2, "weir: unknown option: '--frob'; see weir --help", "--frob");
    assertWrong(2, "weir try: missing required parameter: '<limit>'; see weir try --help", "try");
    assertWrong(
        2, "weir try: unknown option: '--frob'; see weir try --help", "try", "10/s", "--frob");
    assertWrong(
        2,
        "weir try: missing required parameter for option '--rate' (<n>/<period>); see weir try --help",
        "try",
        "10/s",
        "--rate");
  }

  @Test
  void doesNotReadFilesNamedWithAnAt() {
    assertThat(run("try", "@/etc/hostname").err).contains("@/etc/hostname");
  }

  private static void assertWrong(int code, String line, String... args) {
    Run run = run(args);
    assertThat(run.err).isEqualTo(line + "\n");
    assertThat(run.code).isEqualTo(code);
    assertThat(run.out).isEmpty();
  }

  private static Run run(String... args) {
    return run(new Terminal(80, false, true), args);
  }

  private static Run run(Terminal terminal, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Weir.run(args, Map.of(), terminal, new PrintWriter(out), new PrintWriter(err));
    return new Run(
        code,
        out.toString().replace(System.lineSeparator(), "\n"),
        err.toString().replace(System.lineSeparator(), "\n"));
  }

  private record Run(int code, String out, String err) {}
}
