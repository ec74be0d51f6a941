package dev.weir.testkit.postgres;

import dev.weir.testkit.process.Await;
import dev.weir.testkit.process.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One run of a postmaster with its children. Signals go to their own pids only. */
final class PostgresProcess {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
  private static final int LINES_SHOWN = 12;

  private final Process postmaster;
  private final PostgresData data;

  private PostgresProcess(Process postmaster, PostgresData data) {
    this.postmaster = postmaster;
    this.data = data;
  }

  static PostgresProcess start(PostgresData data) {
    try {
      // A new log for each run, so that a failed start shows no line of an earlier one.
      Process postmaster =
          data.command("postgres")
              .redirectErrorStream(true)
              .redirectOutput(data.log().toFile())
              .start();
      return new PostgresProcess(postmaster, data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return postmaster.pid();
  }

  boolean isAlive() {
    return postmaster.isAlive();
  }

  /** What it wrote last. */
  String lastWords() {
    try {
      List<String> lines = Files.readAllLines(data.log(), StandardCharsets.ISO_8859_1);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  void pause() {
    requireAlive();
    stop(List.of(pid()));
    // The postmaster starts no more children now.
    stop(children());
  }

  private static void stop(List<Long> pids) {
    Signals.send("STOP", pids);
    Await.until(
        "processes %s stop".formatted(pids),
        STOP_TIMEOUT,
        () -> pids.stream().allMatch(Signals::isStopped));
  }

  void resume() {
    requireAlive();
    List<Long> all = new ArrayList<>(children());
    all.add(pid());
    Signals.send("CONT", all);
  }

  /** Ends all at once, also when they are paused, and waits until they are gone. */
  void kill() {
    List<Long> all = new ArrayList<>();
    if (isAlive()) {
      pause();
      all.addAll(children());
      // Before the postmaster: it does not run, and so cannot react to it.
      Signals.send("KILL", all);
    }
    postmaster.destroyForcibly();
    postmaster.onExit().join();
    Await.until(
        "processes %s end".formatted(all),
        STOP_TIMEOUT,
        () -> all.stream().allMatch(Signals::isGone));
  }

  private List<Long> children() {
    return postmaster.descendants().map(ProcessHandle::pid).toList();
  }

  private void requireAlive() {
    if (!isAlive()) {
      throw new IllegalStateException("postgres with pid %d has ended".formatted(pid()));
    }
  }
}
