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
    footer = {"", "weir <command> --help tells more about a command."})
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
    int code = run(args, System.getenv(), terminal, out, err);
    out.flush();
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
    CommandLine line = new CommandLine(new Weir());
    line.addSubcommand(new ServeCommand(environment, out));
    line.addSubcommand(new TryCommand(terminal, out));
    line.addSubcommand(new InitCommand(out));
    line.addSubcommand(new ValidateCommand(out, err));
    line.addSubcommand(new CheckCommand(environment, out));
    line.addSubcommand(new ExplainCommand(environment, out));
    line.setOut(out);
    line.setErr(err);
    line.setExpandAtFiles(false);
    line.setUsageHelpWidth(100);
    line.setColorScheme(Help.defaultColorScheme(terminal.color() ? Ansi.ON : Ansi.OFF));
    line.setParameterExceptionHandler((wrong, ignored) -> report(wrong));
    line.setExecutionExceptionHandler((failure, command, ignored) -> report(failure, command));
    return line.execute(args);
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
      return "unknown command: '%s'".formatted(unmatched.getUnmatched().get(0));
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

  /** One line, whatever the user wrote: control characters are shown as escapes. */
  private static void printError(CommandLine command, String message) {
    StringBuilder line = new StringBuilder(command.getCommandSpec().qualifiedName()).append(": ");
    message
        .codePoints()
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                line.append("\\u%04x".formatted(c));
              } else {
                line.appendCodePoint(c);
              }
            });
    command.getErr().println(line);
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
