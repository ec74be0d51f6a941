package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of {@code weir completion}, in the shells that they are for. */
class CompletionTest {
  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void write() throws Exception {
    CommandRun run = CommandRun.of("completion", "bash");
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    Files.writeString(folder.resolve("weir.bash"), run.out());
  }

  /** What bash offers behind these words. */
  private List<String> offered(String... words) throws Exception {
    String list = String.join(" ", Stream.of(words).map(word -> "'" + word + "'").toList());
    ShellRun run =
        ShellRun.of(
            folder,
            """
            source ./weir.bash
            COMP_WORDS=(%s)
            COMP_CWORD=%d
            COMP_LINE="${COMP_WORDS[*]}"
            COMP_POINT=${#COMP_LINE}
            $(complete -p weir | sed 's/.*-F \\([^ ]*\\).*/\\1/') weir "${COMP_WORDS[COMP_CWORD]}" 2> /dev/null
            printf '%%s\\n' "${COMPREPLY[@]}"
            """
                .formatted(list, words.length - 1));
    assertThat(run.code()).as(run.err()).isZero();
    return run.out().lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  @Test
  void offersCommands() throws Exception {
    assertThat(offered("weir", ""))
        .contains("serve", "demo", "top", "try", "check", "rules", "completion");
    assertThat(offered("weir", "va")).containsExactly("validate");
    assertThat(offered("weir", "rules", "")).contains("list", "add", "remove");
    assertThat(offered("./weir", "rules", "re")).containsExactly("remove");
  }

  @Test
  void offersOptionsAndShells() throws Exception {
    assertThat(offered("weir", "top", "--")).contains("--once", "--interval", "--url", "--json");
    assertThat(offered("weir", "serve", "--"))
        .contains("--port")
        .doesNotContain("--stop-when-ready");
    assertThat(offered("weir", "completion", "")).contains("bash", "zsh");
  }

  @Test
  void isLoadedByZsh() throws Exception {
    assumeTrue(isOnPath("zsh"), "zsh is not installed");
    CommandRun run = CommandRun.of("completion", "zsh");
    Files.writeString(folder.resolve("weir.zsh"), run.out());
    ShellRun loaded =
        ShellRun.in("zsh", folder, "source ./weir.zsh; print -r -- \"${_comps[weir]}\"");
    assertThat(loaded.code()).as(loaded.err()).isZero();
    assertThat(loaded.out()).contains("weir");
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(part -> Files.isExecutable(Path.of(part, program)));
  }

  @Test
  void anotherShellIsSaidInOneLine() {
    assertThat(CommandRun.of("completion", "fish"))
        .isEqualTo(
            new CommandRun(1, "", "weir completion: <shell>: must be bash or zsh, got \"fish\"\n"));
    assertThat(CommandRun.of("completion").code()).isEqualTo(2);
  }
}
