package dev.weir.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Redis server for the demo, that can be frozen. It keeps nothing, and listens on loopback. */
final class DemoRedis implements AutoCloseable {
  private static final String PROGRAM = "redis-server";
  private static final Duration START_PATIENCE = Duration.ofSeconds(10);
  private static final int ATTEMPTS = 3;
  private static final long POLL_MILLIS = 10;
  private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final String PONG = "+PONG";

  private final Process process;
  private final int port;

  private DemoRedis(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one that answers.
   *
   * @param folder where it runs, and writes its log
   */
  static DemoRedis start(Path folder, Map<String, String> environment) {
    Path program = find(environment.getOrDefault("PATH", ""));
    for (int attempt = 1; ; attempt++) {
      DemoRedis redis = launch(program, folder);
      if (redis.answers()) {
        return redis;
      }
      redis.close();
      // Somebody else may have taken the port in between.
      if (attempt == ATTEMPTS) {
        throw new InputException(
            "--slow-redis: %s does not start: %s".formatted(program, lastWords(folder)));
      }
    }
  }

  private static Path find(String path) {
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, PROGRAM))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new InputException(
                    "--slow-redis: there is no redis-server on the PATH; install Redis, for"
                        + " example: apt-get install redis-server"));
  }

  private static DemoRedis launch(Path program, Path folder) {
    try {
      int port = freePort();
      Files.write(
          folder.resolve("redis.conf"),
          List.of("bind 127.0.0.1", "port " + port, "save \"\"", "appendonly no"));
      Process process =
          new ProcessBuilder(program.toString(), "redis.conf")
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("redis.log").toFile())
              .start();
      return new DemoRedis(process, port);
    } catch (IOException failure) {
      throw new InputException(
          "--slow-redis: %s cannot be started: %s".formatted(program, failure.getMessage()));
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean answers() {
    long startNanos = System.nanoTime();
    while (process.isAlive() && System.nanoTime() - startNanos < START_PATIENCE.toNanos()) {
      if (isPinged()) {
        return true;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return false;
  }

  private boolean isPinged() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        OutputStream out = socket.getOutputStream()) {
      socket.setSoTimeout((int) START_PATIENCE.toMillis());
      out.write(PING);
      out.flush();
      byte[] answer = socket.getInputStream().readNBytes(PONG.length());
      return new String(answer, StandardCharsets.US_ASCII).equals(PONG);
    } catch (IOException notYet) {
      return false;
    }
  }

  private static String lastWords(Path folder) {
    try (Stream<String> lines =
        Files.lines(folder.resolve("redis.log"), StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> !line.isBlank()).reduce("", (before, line) -> line);
    } catch (IOException unread) {
      return "it says nothing";
    }
  }

  String url() {
    return "redis://127.0.0.1:%d/0".formatted(port);
  }

  /** From now on it answers nobody; connections stay. */
  void freeze() {
    signal("STOP");
  }

  /** It goes on where it was. */
  void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    if (!process.isAlive()) {
      return;
    }
    try {
      // The kill of the shell, since not every small system has the program.
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException failure) {
      throw new IllegalStateException("no signal can be sent: " + failure.getMessage(), failure);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it, frozen or not, and waits until it is gone. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
