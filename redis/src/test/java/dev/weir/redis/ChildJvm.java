package dev.weir.redis;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A main class in a JVM of its own with the class path of this one; they talk in lines. */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader from;
  private final BufferedWriter to;

  private ChildJvm(Process process) {
    this.process = process;
    this.from = process.inputReader();
    this.to = process.outputWriter();
  }

  /** Starts one; what it writes to standard error goes to that of this JVM. */
  static ChildJvm start(Class<?> main, List<String> options, Object... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    for (Object arg : args) {
      command.add(arg.toString());
    }
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Waits for the next line that it writes. */
  String hear() throws IOException {
    String line = from.readLine();
    if (line == null) {
      throw new IOException("the JVM with pid %d has ended".formatted(process.pid()));
    }
    return line;
  }

  void say(String line) throws IOException {
    to.write(line);
    to.newLine();
    to.flush();
  }

  /** Ends it, however far it is. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
