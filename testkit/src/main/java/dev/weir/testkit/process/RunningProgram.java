package dev.weir.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that runs in the foreground until it is closed, or until the JVM ends. Signals go to
 * its own pid only.
 */
public final class RunningProgram implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
  private static final int LINES_SHOWN = 12;

  private final Process process;
  private final Path log;
  private final Thread atExit;

  private RunningProgram(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.atExit = new Thread(process::destroyForcibly, "weir-testkit-exit");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Starts a program in a folder, where {@code output.log} takes what it writes. */
  public static RunningProgram start(ProcessBuilder command, Path folder) {
    Path log = folder.resolve("output.log");
    try {
      Process process =
          command
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new RunningProgram(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits until it listens on a port of the loopback address.
   *
   * @throws IllegalStateException if it ends or does not listen in time; the message has what it
   *     wrote last
   */
  public void awaitPort(int port) {
    try {
      Await.until("it listens", START_TIMEOUT, () -> listens(port));
    } catch (Await.FinalFailure ended) {
      throw ended;
    } catch (IllegalStateException late) {
      throw new IllegalStateException(notListening(port), late);
    }
  }

  private boolean listens(int port) {
    boolean listens = listensOn(port);
    if (!listens && !process.isAlive()) {
      throw new Await.FinalFailure(notListening(port));
    }
    return listens;
  }

  private String notListening(int port) {
    return "%s does not listen on port %d:%n%s"
        .formatted(process.info().command().orElse("the program"), port, lastWords());
  }

  private static boolean listensOn(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it wrote last. */
  public String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  /** Asks it to end, or kills it if it does not, and waits until it is gone. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    process.onExit().join();
    removeFromExit();
  }

  private void removeFromExit() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      // The JVM ends, and has killed it already.
    }
  }
}
