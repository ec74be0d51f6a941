package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of {@code docs/guides/curl.md} and compares what they print. */
class CurlIT {
  private static final String SHOWN_URL = "http://127.0.0.1:8080/";
  private static final String PROMPT = "$ ";
  private static final String TOKEN = "a token for the tests";
  private static final Path INITIAL_FILE =
      Path.of("..", "cli", "src", "main", "resources", "dev", "weir", "cli", "weir.toml");

  /** A command with the output that the page shows for it. */
  private record Step(String command, List<String> output) {}

  @Test
  void commandsPrintWhatThePageShows(@TempDir Path folder) throws Exception {
    Program.orSkip("curl");
    List<Step> steps = steps();
    assertThat(steps).hasSizeGreaterThan(20);
    try (Weir weir = Weir.startWith(folder, Files.readString(INITIAL_FILE), TOKEN)) {
      String url = "http://127.0.0.1:" + weir.port() + "/";
      for (Step step : steps) {
        assertThat(step.command).contains(SHOWN_URL);
        String printed = run(step.command.replace(SHOWN_URL, url));
        if (step.command.startsWith("curl -si ")) {
          assertWholeAnswer(step, printed);
        } else {
          assertPrints(step, String.join("\n", step.output), printed.stripTrailing());
        }
      }
    }
  }

  private static List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (List<String> block : Guide.read("curl.md").blocksWith(PROMPT)) {
      for (String line : block) {
        if (line.startsWith(PROMPT)) {
          steps.add(new Step(line.substring(PROMPT.length()), new ArrayList<>()));
        } else {
          steps.get(steps.size() - 1).output.add(line);
        }
      }
    }
    return steps;
  }

  private static String run(String command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
    builder.environment().put("TOKEN", TOKEN);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as("%s printed %s", command, printed).isZero();
    return printed;
  }

  /** Of the head of an answer the page shows the lines that matter, in whatever order. */
  private static void assertWholeAnswer(Step step, String printed) {
    RawAnswer answer = RawAnswer.parse(printed.getBytes(StandardCharsets.ISO_8859_1));
    int end = step.output.indexOf("");
    List<String> head = end < 0 ? step.output : step.output.subList(0, end);
    assertThat(head.get(0)).startsWith("HTTP/1.1 " + answer.status() + " ");
    for (String line : head.subList(1, head.size())) {
      String[] field = line.split(": ", 2);
      assertPrints(step, field[1], answer.field(field[0]));
    }
    String body =
        end < 0 ? "" : String.join("\n", step.output.subList(end + 1, step.output.size()));
    assertPrints(step, body, answer.body());
  }

  private static void assertPrints(Step step, String shown, String printed) {
    if (!Ellipsis.matches(shown, printed)) {
      assertThat(printed).as(step.command).isEqualTo(shown);
    }
  }
}
