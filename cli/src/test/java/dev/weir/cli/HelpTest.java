package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The help of every command, and the examples in it. */
class HelpTest {
  private static final String EXAMPLES = "For example:";

  /** Commands that need neither a server nor files of their user. */
  private static final Set<String> LOCAL =
      Set.of("try", "init", "validate", "check", "explain", "completion");

  /** Several commands, or their output goes elsewhere. */
  private static final Pattern NEEDS_SHELL = Pattern.compile("[&|<>()]");

  private static CommandLine commands() {
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    return Weir.commandLine(
        new Terminal(80, false, true), new Shell(Map.of(), nowhere, nowhere, nowhere));
  }

  private static List<CommandLine> all(CommandLine command) {
    List<CommandLine> all = new ArrayList<>(List.of(command));
    command.getSubcommands().values().forEach(inner -> all.addAll(all(inner)));
    return all;
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private static List<String> examples(CommandLine command) {
    String footer = String.join("\n", command.getCommandSpec().usageMessage().footer());
    int start = footer.indexOf(EXAMPLES);
    return start < 0
        ? List.of()
        : footer
            .substring(start + EXAMPLES.length())
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .toList();
  }

  @Test
  void everyCommandHasAnExampleOfItself() {
    assertThat(all(commands()))
        .hasSizeGreaterThan(20)
        .allSatisfy(
            command -> {
              assertThat(examples(command)).as(name(command)).isNotEmpty();
              assertThat(examples(command))
                  .as(name(command))
                  .allMatch(example -> example.contains(name(command)));
            });
  }

  @Test
  void everyExampleCanBeUnderstood() {
    for (CommandLine command : all(commands())) {
      for (String example : examples(command)) {
        for (String part : example.split("&&", -1)) {
          String alone = part.strip().replaceFirst(".*(?=\\bweir )", "").replaceFirst("[)>].*", "");
          String[] words = ShellSession.words(alone).toArray(String[]::new);
          assertThat(words[0]).as(example).isEqualTo("weir");
          commands().parseArgs(Stream.of(words).skip(1).toArray(String[]::new));
        }
      }
    }
  }

  @TestFactory
  List<DynamicTest> examplesWithoutAServerWork(@TempDir Path temporary) {
    List<DynamicTest> tests = new ArrayList<>();
    for (CommandLine command : all(commands())) {
      if (LOCAL.contains(command.getCommandName())) {
        for (String example : examples(command)) {
          if (!example.contains("--url")) {
            tests.add(dynamicTest(example, () -> assertWorks(temporary, example)));
          }
        }
      }
    }
    assertThat(tests).hasSizeGreaterThan(LOCAL.size());
    return tests;
  }

  private static void assertWorks(Path temporary, String example) throws Exception {
    Path folder = Files.createTempDirectory(temporary, "example");
    if (example.startsWith("weir validate")) {
      Files.writeString(folder.resolve("weir.toml"), "");
    }
    // Its eleventh request is refused, and that is what it shows.
    int code = example.contains("--repeat 11") ? 1 : 0;
    if (NEEDS_SHELL.matcher(example).find()) {
      ShellRun run = ShellRun.of(folder, example);
      assertThat(run.err()).isEmpty();
      assertThat(run.code()).isEqualTo(code);
    } else {
      CommandRun run =
          CommandRun.of(
              ShellSession.words(example).stream()
                  .skip(1)
                  .map(word -> word.endsWith(".toml") ? folder.resolve(word).toString() : word)
                  .toArray(String[]::new));
      assertThat(run.err()).isEmpty();
      assertThat(run.code()).isEqualTo(code);
    }
  }

  @Test
  void namesOfCommandsAreThoseOfTheContract() {
    assertThat(all(commands()).stream().map(HelpTest::name).collect(Collectors.toSet()))
        .contains(
            "weir serve",
            "weir demo",
            "weir top",
            "weir try",
            "weir init",
            "weir validate",
            "weir check",
            "weir explain",
            "weir rules list",
            "weir keys create",
            "weir quota get",
            "weir block",
            "weir unblock",
            "weir export",
            "weir import",
            "weir archive",
            "weir completion");
  }
}
