package dev.weir.cli;

import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir completion}: prints the script by which a shell completes commands and options. */
@Command(
    name = "completion",
    description = "Print a script by which bash or zsh completes commands and options.",
    footer = {
      "",
      "It works for ./weir, too. For example:",
      "  source <(weir completion bash)",
      "  weir completion zsh > weir-completion.zsh"
    })
final class CompletionCommand implements Callable<Integer> {
  private static final List<String> SHELLS = List.of("bash", "zsh");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "<shell>",
      completionCandidates = Shells.class,
      description = "bash or zsh.")
  private String shell = "";

  private final PrintWriter out;

  CompletionCommand(PrintWriter out) {
    this.out = out;
  }

  /** What the script itself completes here. */
  static final class Shells implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return SHELLS.iterator();
    }
  }

  @Override
  public Integer call() {
    if (!SHELLS.contains(shell)) {
      throw new InputException("<shell>: must be bash or zsh, got \"%s\"".formatted(shell));
    }
    // One script for both: zsh is told in its first lines to work as bash does.
    out.println(AutoComplete.bash("weir", spec.root().commandLine()));
    return 0;
  }
}
