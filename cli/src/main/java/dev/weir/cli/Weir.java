package dev.weir.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code weir} command. Exit codes: 0 fine, 1 refused or wrong input, 2 wrong usage. An error
 * is one line on standard error, never a stack trace.
 */
@Command(
    name = "weir",
    description = "An exact API rate limiter.",
    synopsisSubcommandLabel = "<command>",
    commandListHeading = "%nCommands:%n",
    versionProvider = Weir.Version.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    footer = {
      "",
      "weir <command> --help tells more about a command. For example:",
      "  weir demo",
      "  weir try \"10/s burst 20\" --rate 25/s --for 5s"
    })
public final class Weir implements Runnable {

  private static final int WRONG_INPUT = 1;
  private static final int WRONG_USAGE = 2;

  @Spec private CommandSpec spec = CommandSpec.create();

  private Weir() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    Terminal terminal = Terminal.of(System.getenv(), System.getProperties());
    Charset charset = terminal.unicode() ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII;
    PrintWriter out = writer(FileDescriptor.out, charset);
    PrintWriter err = writer(FileDescriptor.err, charset);
    // What programs read is UTF-8, whatever the terminal shows.
    PrintWriter data =
        terminal.unicode() ? out : writer(FileDescriptor.out, StandardCharsets.UTF_8);
    int code = run(args, terminal, new Shell(System.getenv(), out, data, err));
    out.flush();
    data.flush();
    err.flush();
    System.exit(code);
  }

  private static PrintWriter writer(FileDescriptor file, Charset charset) {
    return new PrintWriter(new OutputStreamWriter(new FileOutputStream(file), charset));
  }

  static int run(
      String[] args,
      Map<String, String> environment,
      Terminal terminal,
      PrintWriter out,
      PrintWriter err) {
    return run(args, terminal, new Shell(environment, out, out, err));
  }

  private static int run(String[] args, Terminal terminal, Shell shell) {
    return commandLine(terminal, shell).execute(args);
  }

  /** All commands. */
  static CommandLine commandLine(Terminal terminal, Shell shell) {
    Map<String, String> environment = shell.environment();
    PrintWriter out = shell.out();
    PrintWriter err = shell.err();
    CommandLine line = new CommandLine(new Weir());
    line.addSubcommand(new ServeCommand(environment, out));
    line.addSubcommand(new DemoCommand(shell));
    line.addSubcommand(new TryCommand(terminal, out));
    line.addSubcommand(new InitCommand(out));
    line.addSubcommand(new ValidateCommand(out, err));
    line.addSubcommand(new CheckCommand(shell));
    line.addSubcommand(new ExplainCommand(shell));
    line.addSubcommand(new BacktestCommand(terminal, shell));
    line.addSubcommand(new TopCommand(shell, terminal));
    addGroup(
        line,
        new RulesCommand(),
        new RulesListCommand(shell),
        new RulesAddCommand(shell),
        new RulesRemoveCommand(shell));
    addGroup(
        line,
        new KeysCommand(),
        new KeysCreateCommand(shell),
        new KeysListCommand(shell),
        new KeysRevokeCommand(shell));
    addGroup(line, new QuotaCommand(), new QuotaGetCommand(shell), new QuotaSetCommand(shell));
    line.addSubcommand(new BlockCommand(shell));
    line.addSubcommand(new UnblockCommand(shell));
    line.addSubcommand(new ExportCommand(shell));
    line.addSubcommand(new ImportCommand(shell));
    line.addSubcommand(new ArchiveCommand(shell));
    line.addSubcommand(new CompletionCommand(shell.data()));
    line.setOut(out);
    line.setErr(err);
    line.setExpandAtFiles(false);
    line.setUsageHelpWidth(100);
    line.setColorScheme(Help.defaultColorScheme(terminal.color() ? Ansi.ON : Ansi.OFF));
    line.setParameterExceptionHandler((wrong, ignored) -> report(wrong));
    line.setExecutionExceptionHandler((failure, command, ignored) -> report(failure, command));
    return line;
  }

  private static void addGroup(CommandLine line, CommandGroup group, AdminCommand... commands) {
    CommandLine inner = new CommandLine(group);
    for (AdminCommand command : commands) {
      inner.addSubcommand(command);
    }
    line.addSubcommand(inner);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }

  private static int report(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    String message = message(wrong);
    String name = command.getCommandSpec().qualifiedName();
    printError(
        command,
        Character.toLowerCase(message.charAt(0))
            + message.substring(1)
            + "; see "
            + name
            + " --help");
    return WRONG_USAGE;
  }

  private static String message(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      boolean isCommand = !wrong.getCommandLine().getSubcommands().isEmpty();
      return "%s: '%s'"
          .formatted(
              isCommand ? "unknown command" : "one argument too many",
              unmatched.getUnmatched().get(0));
    }
    // Picocli says the word twice where a map is wanted.
    return String.valueOf(wrong.getMessage()).replace("option option", "option");
  }

  private static int report(Exception failure, CommandLine command) {
    if (failure instanceof MistakesException wrong) {
      wrong.mistakes().forEach(mistake -> command.getErr().println(mistake));
      return WRONG_INPUT;
    }
    printError(
        command,
        failure instanceof InputException
            ? String.valueOf(failure.getMessage())
            : "failed: " + failure);
    return WRONG_INPUT;
  }

  /** One line, whatever the user wrote. */
  private static void printError(CommandLine command, String message) {
    command
        .getErr()
        .println(command.getCommandSpec().qualifiedName() + ": " + PlainText.of(message));
  }

  /** Reads the version that the build wrote down. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      Properties properties = new Properties();
      try (InputStream in = Weir.class.getResourceAsStream("version.properties")) {
        properties.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new String[] {"weir " + properties.getProperty("version")};
    }
  }
}
