package dev.weir.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class in a JVM of its own, with the class path of this one or another. */
final class ChildJvm {
  private ChildJvm() {}

  /** Waits for the child and returns what it printed. */
  static String run(List<String> options, Class<?> main, Object... args)
      throws IOException, InterruptedException {
    Process child = command(options, main, args).start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = child.waitFor();
    if (status != 0) {
      throw new IOException(
          "%s %s ended with status %d".formatted(main.getSimpleName(), List.of(args), status));
    }
    return output;
  }

  /** A child to be; what it complains of is shown. */
  static ProcessBuilder command(List<String> options, Class<?> main, Object... args) {
    return command(options, System.getProperty("java.class.path"), main.getName(), args);
  }

  /** A child to be, with a class path of its own; what it complains of is shown. */
  static ProcessBuilder command(
      List<String> options, String classPath, String main, Object... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    for (Object arg : args) {
      command.add(arg.toString());
    }
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
