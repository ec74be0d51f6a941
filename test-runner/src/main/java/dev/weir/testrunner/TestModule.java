package dev.weir.testrunner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A module that Maven has built.
 *
 * @param name its directory, relative to the root of the project
 */
record TestModule(String name, Path directory) {

  /** Returns the names of its test classes, as Maven finds them: {@code XTest} and {@code XIT}. */
  List<String> testClasses() throws IOException {
    Path root = directory.resolve("target/test-classes");
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    List<String> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        String path = root.relativize(file).toString();
        if (path.indexOf('$') < 0 && (path.endsWith("Test.class") || path.endsWith("IT.class"))) {
          classes.add(path.substring(0, path.length() - ".class".length()).replace('/', '.'));
        }
      }
    }
    return classes;
  }

  /**
   * Returns the class path of its tests.
   *
   * @throws IOException if the module has not been built
   */
  String classPath() throws IOException {
    Path target = directory.resolve("target");
    return String.join(
        ":",
        target.resolve("test-classes").toString(),
        target.resolve("classes").toString(),
        Files.readString(target.resolve("test-class-path")).strip());
  }

  /** Returns where the output of its test JVMs goes. */
  Path outputDirectory() {
    return directory.resolve("target/test-output");
  }
}
