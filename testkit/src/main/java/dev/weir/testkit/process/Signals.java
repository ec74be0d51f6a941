package dev.weir.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.Collectors;

/** Signals to processes, each named by its own pid, and what the kernel says about them. */
public final class Signals {
  private static final Path PROCESSES = Path.of("/proc");

  private Signals() {}

  /**
   * Sends a signal to processes; those that have ended meanwhile are passed over.
   *
   * @param name such as STOP
   */
  public static void send(String name, Collection<Long> pids) {
    if (pids.isEmpty()) {
      return;
    }
    String list = pids.stream().map(Object::toString).collect(Collectors.joining(" "));
    try {
      // The kill of the shell, since not every small system has the program.
      Process kill =
          new ProcessBuilder("sh", "-c", "kill -" + name + " " + list)
              .redirectErrorStream(true)
              .start();
      String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = kill.onExit().join().exitValue();
      if (status != 0 && pids.stream().noneMatch(Signals::isGone)) {
        throw new IllegalStateException("kill -%s %s: %s".formatted(name, list, output.strip()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a process stands still by a signal, or is gone; true where no {@code /proc} tells. */
  public static boolean isStopped(long pid) {
    return !Files.isDirectory(PROCESSES.resolve("self")) || "TtZX-".indexOf(state(pid)) >= 0;
  }

  /** Whether a process has ended, even if nobody has asked for its exit status yet. */
  public static boolean isGone(long pid) {
    return Files.isDirectory(PROCESSES.resolve("self"))
        ? "ZX-".indexOf(state(pid)) >= 0
        : ProcessHandle.of(pid).isEmpty();
  }

  /** The letter that the kernel has for what a process does; {@code -}: there is none. */
  private static char state(long pid) {
    try {
      Path stat = PROCESSES.resolve(Long.toString(pid)).resolve("stat");
      String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
      // The state follows the name of the program, which stands in parentheses.
      return line.charAt(line.lastIndexOf(')') + 2);
    } catch (IOException gone) {
      return '-';
    }
  }
}
