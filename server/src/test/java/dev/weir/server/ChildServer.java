package dev.weir.server;

import dev.weir.testkit.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A service in a process of its own, which can be killed. It ends when its input does. */
final class ChildServer implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  private ChildServer(Process process) {
    this.process = process;
    this.lines = process.inputReader();
  }

  /** Starts one; it need not listen yet. */
  static ChildServer start(Path config, Path data) throws IOException {
    return new ChildServer(
        new ProcessBuilder(
                JavaCommand.with(
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ChildServer.class.getName(),
                    config.toString(),
                    data.toString()))
            .redirectErrorStream(true)
            .start());
  }

  public static void main(String[] args) throws IOException {
    Logger.getLogger("").setLevel(Level.SEVERE);
    Map<String, String> environment =
        Map.of("RATE_LIMIT_SERVER_DATA", args[1], "RATE_LIMIT_EVENTS_FILE", args[1] + ".events");
    try (WeirServer server =
        WeirServer.start(new ServerOptions(Path.of(args[0]), 0, null, environment))) {
      System.out.println("port " + server.port());
      while (System.in.read() >= 0) {
        // Nothing is said to it.
      }
    }
  }

  /** Waits until it listens, and says where. */
  int port() throws IOException {
    return Integer.parseInt(said("port "));
  }

  private String said(String start) throws IOException {
    String line = lines.readLine();
    if (line == null || !line.startsWith(start)) {
      throw new AssertionError("the service said: " + line);
    }
    return line.substring(start.length());
  }

  /** Whether it ends by itself within that time. */
  boolean endsWithin(int millis) {
    try {
      return process.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  /** Ends it by SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
