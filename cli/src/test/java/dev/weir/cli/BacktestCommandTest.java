package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BacktestCommandTest {
  private static final String LINE =
      "203.0.113.%d - - [10/Oct/2026:13:55:%02d +0000] \"GET %s HTTP/1.1\" %d 1\n";

  @TempDir private Path folder = Path.of("");

  private String policy = "";
  private String log = "";

  private record Run(int code, String out, String err) {}

  private static Run run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> words = new ArrayList<>(List.of("backtest"));
    words.addAll(List.of(args));
    int code =
        Weir.run(
            words.toArray(String[]::new),
            Map.of(),
            new Terminal(80, false, true),
            new PrintWriter(out),
            new PrintWriter(err));
    return new Run(code, out.toString(), err.toString());
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @BeforeEach
  void write() throws IOException {
    policy = file("new.toml", "[default]\nlimit = 1\nwindow = \"60s\"\n");
    log =
        file(
            "access.log",
            LINE.formatted(7, 36, "/a", 200)
                + LINE.formatted(7, 37, "/a", 200)
                + LINE.formatted(8, 38, "/b", 429)
                + "strange\n");
  }

  @Test
  void saysWhatWouldBeRefused() {
    Run run = run("--policy", policy, log);

    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains(
            "  throttled  1   33.3 %\n",
            "  default         3        1  33.3 %\n",
            "  ip:203.0.113.7         2        1  50.0 %\n",
            "4 lines read: 3 requests, 1 bad\n",
            log + ":4: must have address, identity, user and then the time in brackets\n")
        .doesNotContain("newly");
  }

  @Test
  void comparesWithAnotherPolicy() throws IOException {
    String old = file("old.toml", "[default]\nlimit = 2\nwindow = \"60s\"\n");
    Run run = run("--policy", policy, "--against", old, log);

    assertThat(run.out()).contains("compared with policy", "newly refused      1  33.3 %");
  }

  @Test
  void comparesWithTheStatusesOfTheLogIfToldTo() {
    Run run = run("--policy", policy, "--refused-status", "429,503", log);

    assertThat(run.out())
        .contains("compared with the log", "newly refused      1", "no longer refused  1");
  }

  @Test
  void printsOneObjectOfJson() throws IOException {
    Run run = run("--policy", policy, "--json", log);
    JsonNode json = new ObjectMapper().readTree(run.out());

    assertThat(run.out().strip()).doesNotContain("\n");
    assertThat(json.get("after").get("throttled").asInt()).isEqualTo(1);
    assertThat(json.get("log").get("bad").asInt()).isEqualTo(1);
  }

  @Test
  void readsStandardInput() {
    InputStream before = System.in;
    try {
      System.setIn(
          new ByteArrayInputStream(
              LINE.formatted(7, 36, "/a", 200).getBytes(StandardCharsets.UTF_8)));
      assertThat(run("--policy", policy, "-").out()).contains("1 lines read: 1 requests");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void onlyTheWantedTimeIsReplayed() {
    Run run =
        run(
            "--policy",
            policy,
            "--from",
            "2026-10-10T13:55:37Z",
            "--to",
            "2026-10-10T15:55:38+02:00",
            log);

    assertThat(run.out()).contains("4 lines read: 1 requests, 1 bad, 2 skipped");
  }

  @Test
  void strictEndsWithTheFirstBadLine() {
    assertThat(run("--policy", policy, "--strict", log))
        .isEqualTo(
            new Run(
                1,
                "",
                "weir backtest: %s:4: must have address, identity, user and then the time in brackets\n"
                    .formatted(log)));
  }

  @Test
  void allMistakesOfAPolicyAreShown() throws IOException {
    String wrong = file("wrong.toml", "[default]\nlimit = 0\nwindow = \"60x\"\n");
    Run run = run("--policy", wrong, log);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("wrong.toml:2:", "wrong.toml:3:");
  }

  @Test
  void whatCannotBeUsedIsNamedWithWhatWasExpected() {
    assertThat(run("--policy", policy, "--format", "xml", log).err())
        .isEqualTo(
            "weir backtest: --format: must be one of common, combined, nginx, caddy, json, weir,"
                + " parquet, got \"xml\"\n");
    assertThat(run("--policy", policy, "--reorder", "2h", log).err())
        .isEqualTo("weir backtest: --reorder: reorder must be between 0 and 1 h, got PT2H\n");
    assertThat(run("--policy", policy, "--refused-status", "42", log).err())
        .isEqualTo(
            "weir backtest: --refused-status: must be a number from 100 to 599, got \"42\"\n");
    assertThat(run("--policy", policy, "--top", "0", log).err())
        .isEqualTo("weir backtest: --top: must be a number from 1 to 1000, got \"0\"\n");
    assertThat(run("--policy", policy, "--field", "colour=x", log).err())
        .startsWith("weir backtest: --field: \"colour\" is no field; write one of time, path, ");
    assertThat(run("--policy", policy, "--from", "2026-10-11", "--to", "2026-10-10", log).err())
        .isEqualTo(
            "weir backtest: --from must be before --to, got 2026-10-11T00:00:00Z and"
                + " 2026-10-10T00:00:00Z\n");
    assertThat(run("--policy", policy, "missing.log").err())
        .isEqualTo("weir backtest: missing.log: there is no such file\n");
    assertThat(run(log).code()).isEqualTo(2);
  }

  @Test
  void progressShowsPartRateAndTimeLeft() {
    Progress progress =
        new Progress(
            null, new Terminal(80, false, false), new PrintWriter(new StringWriter()), () -> 0);

    assertThat(progress.text(1_234_567, 25, 100, 2.0))
        .isEqualTo("#####---------------  25 %  1,234,567 lines  617,284/s  6s left");
    assertThat(progress.text(10, 0, -1, 2.0)).isEqualTo("10 lines  5/s");
  }
}
