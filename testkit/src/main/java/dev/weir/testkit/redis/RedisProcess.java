package dev.weir.testkit.redis;

import dev.weir.testkit.process.AtExit;
import dev.weir.testkit.process.Await;
import dev.weir.testkit.process.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One run of redis-server, from its start to its end. Signals go to its own pid only. */
final class RedisProcess {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final int LINES_SHOWN = 8;

  private final Process process;
  private final Path log;
  private final Runnable end = this::kill;

  private RedisProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts redis-server in a folder that holds its {@code redis.conf}. */
  static RedisProcess start(Path folder, List<String> arguments) {
    Path log = folder.resolve("redis.log");
    List<String> command = new ArrayList<>();
    command.add(RedisBinary.path().toString());
    command.add("redis.conf");
    command.addAll(arguments);
    try {
      // A new log for each run, so that a failed start shows no line of an earlier one.
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      RedisProcess started = new RedisProcess(process, log);
      AtExit.add(started.end);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it wrote last. */
  String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  void pause() {
    signal("STOP");
    Await.until("process %d stops".formatted(pid()), STOP_TIMEOUT, () -> Signals.isStopped(pid()));
  }

  void resume() {
    signal("CONT");
  }

  /** Ends it at once, also when it is paused, and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
    AtExit.remove(end);
  }

  private void signal(String name) {
    if (!isAlive()) {
      throw new IllegalStateException("redis-server with pid %d has ended".formatted(pid()));
    }
    Signals.send(name, List.of(pid()));
  }
}
