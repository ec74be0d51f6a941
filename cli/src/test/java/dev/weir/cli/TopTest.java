package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir top}: what it draws, where, and when it ends. */
class TopTest {
  private static final String URL = "http://127.0.0.1:8080";

  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  private static List<String> lines(Terminal terminal) {
    return new TopView(terminal).lines(TopAnswers.figures(TopAnswers.LIVE), URL);
  }

  @Test
  void showsFiguresBusiestEndpointsClientsAndRules() {
    assertThat(String.join("\n", lines(new Terminal(80, false, true))))
        .isEqualTo(
            """
            http://127.0.0.1:8080  ready  counters memory  keys 1234  policy cc01a371b58d

                              now     mean  last 48 s
              allowed/s        40     17.5   ▂▄█
              throttled/s       3      1.0    ▃█
              blocked/s         1      0.3     █
              p50           110us    100us   ▆▇█
              p99          1500us   9133us   ▁█▁
              degraded         no      1 s    █

              busiest endpoints  allowed  throttled  blocked
              chat                    50          4        0
              *                       20          0        1

              most refused clients          refused
              user:eve\\u001b[2J\\u000aadmin        4

              rules          matched  throttled  shadow refused
              tried               54          0               9
              endpoint:chat       54          4               0
              default             20          0               0""");
  }

  @Test
  void drawsInAsciiAndWithoutColoursWhereTheTerminalHasNoMore() {
    assertThat(String.join("\n", lines(new Terminal(80, false, false))))
        .matches("(?s)\\p{ASCII}+")
        .doesNotContain("\u001b");
    assertThat(String.join("\n", lines(new Terminal(80, true, true))))
        .contains("\u001b[32mready\u001b[0m", "\u001b[2J".replace("\u001b", "\\u001b"));
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 40, 60, 80, 132, 400})
  void tablesAndBarsKeepToTheWidth(int columns) {
    Terminal terminal = new Terminal(columns, 40, false, true, true);
    List<String> lines = lines(terminal);
    // On less than 42 columns the bars are cut, as the head is.
    assertThat(lines.subList(1, lines.size()))
        .allSatisfy(
            line ->
                assertThat(line.codePointCount(0, line.length()))
                    .isLessThanOrEqualTo(Math.max(columns, 52)));
  }

  @ParameterizedTest
  @ValueSource(ints = {18, 24, 25, 50})
  void aScreenHasRoomForAllThreeTables(int rows) {
    List<String> lines = lines(new Terminal(80, rows, false, true, true));
    assertThat(lines).hasSizeLessThanOrEqualTo(rows);
    assertThat(lines).anyMatch(line -> line.contains("shadow refused"));
  }

  @Test
  void saysWhatIsWrong() {
    String live =
        TopAnswers.LIVE
            .replace("\"ready\"", "\"degraded\"")
            .replace("\"problems\": []", "\"problems\": [\"Redis has not answered for 3 s\"]");
    assertThat(new TopView(new Terminal(80, false, true)).lines(TopAnswers.figures(live), URL))
        .startsWith(
            URL + "  degraded  counters memory  keys 1234  policy cc01a371b58d",
            "  Redis has not answered for 3 s",
            "");
  }

  @Test
  void isShownOnceWhereThereIsNoTerminal() {
    TopAnswers.script(server);
    CommandRun run = server.run("top");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith(server.url() + "  ready").doesNotContain("\u001b");
    assertThat(server.calls())
        .extracting(ScriptedServer.Call::request)
        .containsExactly(
            "GET /v1/admin/live?seconds=48", "GET /v1/admin/stats", "GET /v1/admin/stats/rules");
  }

  @Test
  void forProgramsItIsOneObjectOnOneLine() throws Exception {
    TopAnswers.script(server);
    CommandRun run = server.run("top", "--json");
    assertThat(run.out()).hasLineCount(1);
    Json.Members all = (Json.Members) Json.parse(run.out().getBytes(StandardCharsets.UTF_8));
    assertThat(all.values().keySet()).containsExactly("live", "stats", "rules");
  }

  @Test
  void wrongIntervalsAreSaidInOneLine() {
    assertThat(server.run("top", "--interval", "5x").err())
        .isEqualTo(
            "weir top: --interval: \"5x\" is no duration; write a number and ms, s, m, h or d, for"
                + " example 60s\n");
    assertThat(server.run("top", "--interval", "10ms").err())
        .isEqualTo("weir top: --interval: must be from 100ms to 1h, got \"10ms\"\n");
  }

  @Test
  void aServerThatIsNotThereIsSaidInOneLine() {
    String gone = server.url();
    server.close();
    assertThat(CommandRun.of("top", "--url", gone))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir top: %s cannot be reached: no server listens there\n".formatted(gone)));
  }

  @Test
  void aScreenIsDrawnAgainSaysWhenTheServerIsGoneAndIsGivenBack() throws Exception {
    TopAnswers.script(server);
    TopAnswers.script(server);
    StringWriter written = new StringWriter();
    Thread watching =
        new Thread(
            () ->
                Weir.run(
                    new String[] {"top", "--url", server.url(), "--interval", "100ms"},
                    Map.of(),
                    new Terminal(80, 24, false, true, true),
                    new PrintWriter(written),
                    new PrintWriter(written)));
    watching.start();
    // Its script is over after two looks.
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> written.toString().contains("broke off without an answer"));
    watching.interrupt();
    watching.join(Duration.ofSeconds(30).toMillis());

    assertThat(watching.isAlive()).isFalse();
    assertThat(written.toString())
        .startsWith("\u001b[?1049h")
        .endsWith("\u001b[?1049l")
        .contains("\u001b[H" + server.url() + "  ready")
        .contains("\u001b[H" + server.url() + " broke off");
  }
}
