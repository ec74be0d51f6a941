package dev.weir.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that is for a running server. */
abstract class AdminCommand implements Callable<Integer> {
  private static final int LAST = 100;

  /** What Java reads in place of a letter that it cannot. */
  private static final char UNREADABLE = '\ufffd';

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--url",
      order = LAST,
      paramLabel = "<url>",
      description = "The server; default: " + ServerUrl.USUAL + ".")
  private String url = ServerUrl.USUAL;

  @Option(
      names = "--token",
      order = LAST + 1,
      paramLabel = "<token>",
      description =
          "Its admin token; better in the variable "
              + AdminClient.TOKEN_VARIABLE
              + ", which others on this machine cannot see.")
  private @Nullable String token;

  private final Shell shell;

  AdminCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public final Integer call() {
    requireReadable(spec.commandLine().getParseResult().originalArgs());
    run(
        new AdminClient(
            InputException.readOption("--url", url, ServerUrl::parse),
            token == null
                ? shell.environment().getOrDefault(AdminClient.TOKEN_VARIABLE, "")
                : token));
    return 0;
  }

  /** In a locale that is not UTF-8, names come in broken, and somebody else would be meant. */
  static void requireReadable(List<String> args) {
    if (args.stream().anyMatch(arg -> arg.indexOf(UNREADABLE) >= 0)) {
      throw new InputException(
          "the arguments have letters that this locale does not let through; set LC_ALL to one"
              + " with UTF-8, for example C.UTF-8");
    }
  }

  /** Does what the command is for. */
  abstract void run(AdminClient client);

  final PrintWriter out() {
    return shell.out();
  }

  final PrintWriter data() {
    return shell.data();
  }

  final PrintWriter err() {
    return shell.err();
  }

  final void print(List<String> lines) {
    lines.forEach(shell.out()::println);
  }

  /** Prints JSON as it came. */
  final void printJson(AdminAnswer answer) {
    answer.json();
    shell.data().println(answer.text().stripTrailing());
  }

  /** That the command was used in a wrong way. */
  final ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** A server that does not know dry runs would have obeyed. */
  static void requireDryRun(Json.Members answer) {
    if (!answer.isTrue("dry_run")) {
      throw new InputException(
          "the server does not say that it was a dry run; look whether something has changed");
    }
  }
}
