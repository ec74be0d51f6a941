package dev.weir.cli;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir export}: the configuration in a server's database as one file. */
@Command(
    name = "export",
    sortOptions = false,
    description = "Print all of the configuration in a server's database as TOML.",
    footer = {"", "weir import takes it. For example: weir export --output backup.toml"})
final class ExportCommand extends AdminCommand {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @Option(
      names = "--output",
      paramLabel = "<file>",
      description = "Write it there; a file of that name is replaced.")
  private @Nullable Path file;

  ExportCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    AdminAnswer answer = server.ask(AdminCall.get(AdminPath.of("export")).waiting(PATIENCE));
    if (!answer.is(AdminCall.TOML)) {
      throw answer.strange("TOML");
    }
    if (file != null) {
      OutputFile.write(file, answer.text());
      out().println("wrote " + file);
      return;
    }
    data().print(answer.text());
    if (data().checkError()) {
      throw new InputException("standard output cannot be written");
    }
  }
}
