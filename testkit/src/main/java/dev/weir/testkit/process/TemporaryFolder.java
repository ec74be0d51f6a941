package dev.weir.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is gone once closed, or when the JVM ends. */
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private final Runnable deletion = this::delete;

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  /** A new folder whose name begins with that of what it is for. */
  public static TemporaryFolder create(String name) {
    try {
      TemporaryFolder folder = new TemporaryFolder(Files.createTempDirectory("weir-" + name + "-"));
      AtExit.add(folder.deletion);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Deletes what lies at a path inside, a file or a folder, if anything does. */
  public void delete(String name) {
    deleteTree(path.resolve(name));
  }

  private void delete() {
    deleteTree(path);
  }

  private static void deleteTree(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try {
      for (Path each : deepestFirst(root)) {
        Files.deleteIfExists(each);
      }
    } catch (NoSuchFileException e) {
      // Somebody else was quicker.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> deepestFirst(Path root) throws IOException {
    try (Stream<Path> tree = Files.walk(root)) {
      return tree.sorted(Comparator.reverseOrder()).toList();
    }
  }

  /** Deletes it with all that is in it. */
  @Override
  public void close() {
    delete();
    AtExit.remove(deletion);
  }
}
