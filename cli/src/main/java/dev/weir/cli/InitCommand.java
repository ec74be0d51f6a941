package dev.weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir init}: writes a configuration that explains itself. */
@Command(
    name = "init",
    description = "Write a weir.toml that explains itself.",
    footer = {"", "For example: weir init && weir validate weir.toml"})
final class InitCommand implements Callable<Integer> {
  private static final String TEMPLATE = "weir.toml";

  @Parameters(
      arity = "0..1",
      paramLabel = "<file>",
      description = "Where to; default: weir.toml here.")
  private Path file = Path.of(TEMPLATE);

  @Option(names = "--force", description = "Write over a file that is there.")
  private boolean isForced;

  private final PrintWriter out;

  InitCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() {
    if (Files.isDirectory(file)) {
      throw new InputException(
          file + " is a folder; name a file in it, for example " + file.resolve("weir.toml"));
    }
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "folder");
    if (!Files.isDirectory(folder)) {
      throw new InputException(file + " cannot be written: there is no folder " + folder);
    }
    if (Files.exists(file) && !isForced) {
      throw new InputException(file + " is there already; add --force to write over it");
    }
    try {
      write(folder);
    } catch (AccessDeniedException denied) {
      throw new InputException(file + " cannot be written: permission denied");
    } catch (IOException failure) {
      throw new InputException(file + " cannot be written: " + failure.getMessage());
    }
    out.println(
        "wrote " + file + "; try: weir check --path /api/v1/rag/chat --user alice --repeat 11");
    return 0;
  }

  /** Writes beside the file first, so that it is there as a whole or stays as it was. */
  private void write(Path folder) throws IOException {
    Path whole = folder.resolve("." + file.getFileName() + ".new");
    try (InputStream template =
        Objects.requireNonNull(InitCommand.class.getResourceAsStream(TEMPLATE), TEMPLATE)) {
      Files.copy(template, whole, StandardCopyOption.REPLACE_EXISTING);
      Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }
}
