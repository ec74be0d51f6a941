package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Commands on a page. Lines that start with {@code $} are commands, and what follows each is its
 * output, in which an ellipsis stands for whatever there is. A block without such lines shows
 * commands only. {@code ./weir serve} starts a service for all that follows on the page, and {@code
 * curl} calls it, and so do commands for a server. Words that end with {@code .toml} or {@code
 * .log} name files in the folder. Before a command variables may be set, as in {@code NAME=value
 * ./weir}.
 */
record ShellSession(MarkdownPage page, MarkdownPage.Block block, Path folder, PageService service) {

  /** Commands that are shown and not run: they would run these tests again, take long, or write. */
  private static final Set<String> NOT_RUN =
      Set.of("./weir init", "mvn spotless:apply", "bench/run core");

  /** Runs of these tests, and builds, which are not run here. */
  private static final Pattern BUILD = Pattern.compile("\\./test( .*)?|mvn -pl \\S+ -am .*");

  /** Commands for a server. */
  private static final Set<String> ADMIN =
      Set.of("top", "rules", "keys", "quota", "block", "unblock", "export", "import", "archive");

  private static final String WEIR = "./weir";
  private static final String SERVE = "./weir serve";
  private static final String CURL = "curl ";
  private static final String LOOP = "for ";
  private static final String EXIT_CODE = "echo $?";
  private static final Pattern FILE = Pattern.compile("[^=]*\\.(toml|log)");
  private static final Pattern VARIABLE = Pattern.compile("([A-Z_]+)=(\\S*) +");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|([^\\s\"']+)");

  /** A command with the output that the page shows for it. */
  private record Step(String command, int line, List<String> output) {}

  /** Runs the commands and compares what they print. */
  void check() throws IOException, InterruptedException {
    boolean withOutput = block.lines().stream().anyMatch(line -> line.startsWith("$ "));
    int lastCode = 0;
    for (Step step : withOutput ? session() : commands()) {
      if (step.command.equals(EXIT_CODE)) {
        assertOutput(step, lastCode + "\n");
      } else if (withoutVariables(step.command).startsWith(SERVE)
          && !step.command.contains("--help")) {
        String arguments = withoutVariables(step.command).substring(SERVE.length());
        String printed = service.start(words(arguments), variables(step.command));
        if (withOutput) {
          assertOutput(step, printed);
        }
      } else if (step.command.startsWith(CURL) || step.command.startsWith(LOOP)) {
        assertOutput(step, service.call(step.command));
      } else if (isWeir(step.command) && !NOT_RUN.contains(step.command)) {
        StringWriter writer = new StringWriter();
        lastCode = run(step.command, writer);
        String printed = service.shown(writer.toString().replace(folder + File.separator, ""));
        if (withOutput) {
          assertOutput(step, printed.replace(System.lineSeparator(), "\n"));
        } else {
          assertThat(lastCode).as("%s: %s", page.at(step.line), printed).isZero();
        }
      } else if (!BUILD.matcher(step.command).matches()) {
        assertThat(NOT_RUN)
            .as("%s: a command that is neither run nor known", page.at(step.line))
            .contains(step.command);
      }
    }
  }

  private static boolean isWeir(String command) {
    String alone = withoutVariables(command);
    return alone.equals(WEIR) || alone.startsWith(WEIR + " ");
  }

  private static String withoutVariables(String command) {
    Matcher matcher = VARIABLE.matcher(command);
    String rest = command;
    while (matcher.lookingAt()) {
      rest = rest.substring(matcher.end());
      matcher.reset(rest);
    }
    return rest;
  }

  private static Map<String, String> variables(String command) {
    String all = command.substring(0, command.length() - withoutVariables(command).length());
    Map<String, String> variables = new LinkedHashMap<>();
    VARIABLE.matcher(all).results().forEach(set -> variables.put(set.group(1), set.group(2)));
    return variables;
  }

  private List<Step> session() {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < block.lines().size(); i++) {
      String line = block.lines().get(i);
      if (line.startsWith("$ ")) {
        steps.add(new Step(line.substring(2), block.line() + i, new ArrayList<>()));
      } else if (steps.isEmpty()) {
        throw new AssertionError(page.at(block.line() + i) + ": output before the first command");
      } else {
        steps.get(steps.size() - 1).output.add(line);
      }
    }
    return steps;
  }

  private List<Step> commands() {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < block.lines().size(); i++) {
      String command = block.lines().get(i).replaceFirst("\\s+# .*", "");
      if (!command.isBlank()) {
        steps.add(new Step(command, block.line() + i, List.of()));
      }
    }
    return steps;
  }

  /** Equal but for blank lines at the ends. */
  private void assertOutput(Step step, String printed) {
    String shown = trimmed(String.join("\n", step.output));
    String actual = trimmed(printed);
    Pattern pattern =
        Pattern.compile(
            Stream.of(shown.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
            Pattern.DOTALL);
    if (!pattern.matcher(actual).matches()) {
      assertThat(actual).as("%s: %s prints", page.at(step.line), step.command).isEqualTo(shown);
    }
  }

  private static String trimmed(String text) {
    return text.replaceFirst("^\\n+", "").stripTrailing();
  }

  private int run(String command, StringWriter printed) {
    PrintWriter writer = new PrintWriter(printed);
    List<String> words = new ArrayList<>();
    for (String word : words(withoutVariables(command).substring(WEIR.length()))) {
      boolean isFile = FILE.matcher(word).matches();
      words.add(isFile ? folder.resolve(word).toString() : service.reached(word));
    }
    if (!words.isEmpty() && ADMIN.contains(words.get(0))) {
      words.addAll(service.options());
    }
    String[] args = words.toArray(String[]::new);
    return Weir.run(args, variables(command), new Terminal(80, false, true), writer, writer);
  }

  /** The words of a command, as a shell splits it. */
  static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      for (int group = 1; group <= matcher.groupCount(); group++) {
        if (matcher.group(group) != null) {
          words.add(matcher.group(group));
        }
      }
    }
    return words;
  }
}
