package dev.weir.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server in a process of its own, on the loopback address, which ends at the latest with us. */
final class ServerProcess implements AutoCloseable {
  /** As for the service itself, whose flags speed up its start only. */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xms1g", "-Xmx1g", "-Dslf4j.internal.verbosity=ERROR");

  private static final long START_SECONDS = 20;
  private static final long STOP_SECONDS = 20;

  /** What Linux tells times of threads in, on all machines of these days. */
  private static final long TICKS_PER_SECOND = 100;

  private final Process process;
  private final Thread atExit;
  private int port;

  private ServerProcess(Process process) {
    this.process = process;
    this.atExit = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Starts a main class that prints its port as soon as it answers. */
  static ServerProcess jvm(Class<?> main, Object... args) throws IOException {
    return jvm(ChildJvm.command(JVM_OPTIONS, main, args), main.getSimpleName(), args);
  }

  /** The same with a class path of its own. */
  static ServerProcess jvm(String classPath, String main, Object... args) throws IOException {
    return jvm(ChildJvm.command(JVM_OPTIONS, classPath, main, args), main, args);
  }

  private static ServerProcess jvm(ProcessBuilder jvm, String main, Object... args)
      throws IOException {
    ServerProcess server = new ServerProcess(jvm.start());
    String line =
        new BufferedReader(
                new InputStreamReader(server.process.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    if (line == null) {
      server.close();
      throw new IOException("%s %s did not start".formatted(main, List.of(args)));
    }
    server.port = Integer.parseInt(line);
    return server;
  }

  /** Starts a program, and waits until it listens on that port. */
  static ServerProcess program(ProcessBuilder program, int port)
      throws IOException, InterruptedException {
    ServerProcess server =
        new ServerProcess(
            program
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
    server.port = port;
    long start = System.nanoTime();
    while (!server.listens()) {
      boolean isLate = System.nanoTime() - start > TimeUnit.SECONDS.toNanos(START_SECONDS);
      if (isLate || !server.process.isAlive()) {
        server.close();
        throw new IOException(program.command().get(0) + " does not listen on port " + port);
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return server;
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(address());
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  /** A port on which nothing listens. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  int port() {
    return port;
  }

  /** The time of a core that it and its children have used so far. */
  Duration cpu() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(ServerProcess::cpuOf)
        .reduce(Duration.ZERO, Duration::plus);
  }

  /**
   * The time of a core that those of its threads have used so far whose names begin like that; none
   * of them may have ended meanwhile.
   */
  Duration cpuOfThreads(String prefix) throws IOException {
    long ticks = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", "" + process.pid(), "task"))) {
      for (Path thread : threads) {
        if (Files.readString(thread.resolve("comm")).startsWith(prefix)) {
          String stat = Files.readString(thread.resolve("stat"));
          // Behind the name, which is in brackets and may have spaces: from the third field on.
          String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
          ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        }
      }
    }
    return Duration.ofMillis(ticks * 1_000 / TICKS_PER_SECOND);
  }

  /** The time of a core that a process has used so far, without its children. */
  static Duration cpuOf(ProcessHandle process) {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new IllegalStateException("no CPU time of process " + process.pid()));
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IllegalStateException ending) {
      // This process ends already.
    }
  }
}
