package dev.weir.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A program of somebody else: on the PATH, or unpacked by {@code .ci/programs} into {@code
 * .weir/programs} of the checkout. Immutable.
 */
public final class Program {
  private static final Path UNPACKED = Path.of(".weir", "programs");
  private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";

  /** Where servers are; not everybody has them on the PATH. */
  private static final List<String> SYSTEM_FOLDERS = List.of("/usr/local/sbin", "/usr/sbin");

  private final Path path;
  private final String libraries;

  private Program(Path path, String libraries) {
    this.path = path;
    this.libraries = libraries;
  }

  /** The program of that name, or nothing. */
  public static Optional<Program> find(String name) {
    return installed(name).or(() -> unpacked(name));
  }

  /**
   * The program of that name.
   *
   * @throws NoSuchElementException if there is none; the message says what to do
   */
  public static Program required(String name) {
    return find(name).orElseThrow(() -> new NoSuchElementException(missing(name)));
  }

  private static String missing(String name) {
    return "no %s found; .ci/programs fetches it".formatted(name);
  }

  /**
   * The program of that name; where there is none, the test that asks is skipped, with a line that
   * says what to do.
   */
  public static Program orSkip(String name) {
    Optional<Program> found = find(name);
    Assumptions.assumeTrue(found.isPresent(), () -> missing(name));
    return found.orElseThrow();
  }

  private static Optional<Program> installed(String name) {
    List<String> folders = new ArrayList<>(SYSTEM_FOLDERS);
    String path = System.getenv("PATH");
    if (path != null) {
      folders.addAll(0, List.of(path.split(File.pathSeparator, -1)));
    }
    return folders.stream()
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Program::isProgram)
        .findFirst()
        .map(file -> new Program(file, ""));
  }

  /** Looks into this folder and those above, since tests run in the folder of their module. */
  private static Optional<Program> unpacked(String name) {
    for (Path above = Path.of("").toAbsolutePath(); above != null; above = above.getParent()) {
      Path root = above.resolve(UNPACKED);
      for (String folder : List.of("usr/bin", "usr/sbin")) {
        Path file = root.resolve(folder).resolve(name);
        if (isProgram(file)) {
          return Optional.of(new Program(file, libraryFolders(root)));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** The folders that have libraries in them. */
  private static String libraryFolders(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.getFileName().toString().contains(".so"))
          .map(file -> file.resolveSibling("").toString())
          .distinct()
          .collect(Collectors.joining(File.pathSeparator));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The executable. */
  public Path path() {
    return path;
  }

  /** A process to be, with the libraries that the program needs. */
  public ProcessBuilder command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(path.toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    if (!libraries.isEmpty()) {
      builder
          .environment()
          .merge(LIBRARY_PATH, libraries, (before, more) -> more + File.pathSeparator + before);
    }
    return builder;
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
