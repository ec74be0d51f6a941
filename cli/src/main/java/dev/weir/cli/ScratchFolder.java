package dev.weir.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder for the time that a command runs, which nobody else may look into.
 *
 * @param path where it is
 */
record ScratchFolder(Path path) implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(ScratchFolder.class.getName());

  /** A new one. */
  static ScratchFolder create(String name) {
    try {
      return new ScratchFolder(Files.createTempDirectory(name));
    } catch (IOException failure) {
      throw new InputException("no temporary folder can be made: " + failure.getMessage());
    }
  }

  /** Removes it and all that is in it. */
  @Override
  public void close() {
    try (Stream<Path> tree = Files.walk(path)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException failure) {
      LOGGER.log(
          System.Logger.Level.WARNING, "{0} cannot be removed: {1}", path, failure.getMessage());
    }
  }
}
