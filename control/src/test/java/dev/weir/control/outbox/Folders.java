package dev.weir.control.outbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Copies of folders. */
final class Folders {
  private Folders() {}

  static void copy(Path from, Path to) throws IOException {
    for (Path each : all(from)) {
      Files.copy(each, to.resolve(from.relativize(each)));
    }
  }

  static void delete(Path folder) throws IOException {
    for (Path each : all(folder).stream().sorted(Comparator.reverseOrder()).toList()) {
      Files.delete(each);
    }
  }

  private static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.toList();
    }
  }
}
