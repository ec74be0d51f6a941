package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --suggest} and {@code --html} of {@code weir backtest}. */
class BacktestSuggestTest {
  private Path folder;
  private Path policy;
  private Path log;

  /** Ten clients ask twice a second for a minute, and one of them seven times. */
  @BeforeEach
  void write(@TempDir Path temporary) throws IOException {
    folder = temporary;
    policy = folder.resolve("new.toml");
    Files.writeString(
        policy,
        """
        [[endpoint]]
        name = "chat"
        paths = ["/chat"]
        limit = "5/s fixed_window"
        """);
    log = folder.resolve("access.log");
    StringBuilder lines = new StringBuilder();
    for (int second = 0; second < 60; second++) {
      for (int client = 0; client < 10; client++) {
        String line =
            "10.0.0.%d - - [01/Mar/2026:12:00:%02d +0000] \"GET /chat HTTP/1.1\" 200 5%n"
                .formatted(client, second);
        lines.append(line.repeat(client == 0 ? 7 : 2));
      }
    }
    Files.writeString(log, lines);
  }

  private CommandRun run(String... options) {
    String[] args = new String[options.length + 3];
    args[0] = "backtest";
    args[1] = "--policy";
    args[2] = policy.toString();
    System.arraycopy(options, 0, args, 3, options.length);
    return CommandRun.of(args);
  }

  @Test
  void suggestsLimitsForEachEndpoint() {
    CommandRun run = run("--suggest", log.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains(
            "suggestions: limits for each client that refuse at most 0.1 %",
            "  chat: 1,500 requests of 10 clients", "algorithm ", "of requests ", "of clients ");
    assertThat(run.out().lines().map(String::strip))
        .anyMatch(line -> line.matches("fixed_window +10/s +10/s +█▁▁▁·"))
        .anyMatch(line -> line.matches("500/m +500/m +█+▁+·"));
  }

  @Test
  void takesAShareInPlaceOfTheUsualOne() {
    for (String[] options :
        new String[][] {
          {"--suggest", "10", log.toString()},
          {"--suggest=10", log.toString()},
          {log.toString(), "--suggest", "10"}
        }) {
      CommandRun run = run(options);
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .contains("refuse at most 10 %")
          // One client in ten may be refused, but its requests are more than one in ten.
          .containsPattern("fixed_window +5/s +2/s +█▁▁▁·");
    }
  }

  @Test
  void theShareMayBeLeftOutAnywhere() {
    for (String[] options :
        new String[][] {
          {"--suggest", log.toString()},
          {log.toString(), "--suggest"},
          {"--suggest", "--no-progress", log.toString()}
        }) {
      assertThat(run(options).out()).contains("refuse at most 0.1 %");
    }
  }

  @Test
  void refusesAShareThatIsNone() {
    CommandRun run = run("--suggest=lots", log.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "weir backtest: --suggest: must be a percentage from 0 to 100 with at most 4 decimals,"
                + " for example 0.1, got \"lots\"");
    assertThat(run("--suggest", "101", log.toString()).err()).contains("got \"101\"");
  }

  @Test
  void addsSuggestionsToJson() throws IOException {
    CommandRun run = run("--suggest", "--json", log.toString());
    JsonNode report = new ObjectMapper().readTree(run.out());
    JsonNode chat = report.at("/suggestions/endpoints/0");
    assertThat(report.at("/after/requests").asLong()).isEqualTo(1_500);
    assertThat(report.at("/suggestions/at_most_percent").asDouble()).isEqualTo(0.1);
    assertThat(chat.get("endpoint").asText()).isEqualTo("chat");
    assertThat(chat.get("sampled_clients").asLong()).isEqualTo(10);
    assertThat(chat.get("limits"))
        .anyMatch(
            limit ->
                limit.get("algorithm").asText().equals("sliding_log")
                    && limit.get("by_clients").asText().equals("10/s sliding_log")
                    && limit.get("curve").get(2).get("clients_percent").asDouble() == 10);
  }

  @Test
  void writesAPage() throws IOException {
    Path page = folder.resolve("report.html");
    CommandRun run = run("--suggest", "--html", page.toString(), log.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).endsWithIgnoringCase("the page is in " + page + System.lineSeparator());
    assertThat(Files.readString(page))
        .startsWith("<!DOCTYPE html>")
        .contains("<h2>Suggestions</h2>", "ip:10.0.0.0")
        .endsWith("</html>\n");
  }

  @Test
  void saysWhyAPageCannotBeWritten() {
    CommandRun run = run("--html", folder.toString(), log.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualToIgnoringNewLines("weir backtest: " + folder + " is a folder; name a file in it");
  }
}
