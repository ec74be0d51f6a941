package dev.weir.testkit.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands that start another JVM of the version that the tests run on. */
public final class JavaCommand {
  /** The first version that warns of libraries that use native code and {@code Unsafe}. */
  private static final int WARNS_SINCE = 24;

  private JavaCommand() {}

  /** The command with these arguments, for a JVM that prints nothing of its own. */
  public static List<String> with(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= WARNS_SINCE) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of(arguments));
    return command;
  }
}
