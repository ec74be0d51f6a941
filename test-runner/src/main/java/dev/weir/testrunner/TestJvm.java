package dev.weir.testrunner;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A running test JVM with the class path of one module. For one thread at a time. */
final class TestJvm implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Process process;
  private final Path output;
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private boolean isBroken;

  private TestJvm(Process process, Path output, Socket socket) throws IOException {
    this.process = process;
    this.output = output;
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = new DataOutputStream(socket.getOutputStream());
  }

  /** Starts a JVM in the directory of the module, as Maven does. */
  static TestJvm start(TestModule module, List<String> jvmOptions) throws IOException {
    Path directory = Files.createDirectories(module.outputDirectory());
    Path output = directory.resolve("jvm-" + NUMBERS.incrementAndGet() + ".txt");
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(jvmOptions);
      command.add("-cp");
      command.add(module.classPath() + ":" + System.getProperty("java.class.path"));
      command.add(TestWorker.class.getName());
      command.add(Integer.toString(server.getLocalPort()));
      Process process =
          new ProcessBuilder(command)
              .directory(module.directory().toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        return new TestJvm(process, output, accept(server, process, output));
      } catch (IOException e) {
        process.destroyForcibly();
        throw e;
      }
    }
  }

  private static Socket accept(ServerSocket server, Process process, Path output)
      throws IOException {
    server.setSoTimeout(200);
    long deadlineNanos = System.nanoTime() + START_TIMEOUT.toNanos();
    while (process.isAlive() && System.nanoTime() < deadlineNanos) {
      try {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        return socket;
      } catch (SocketTimeoutException e) {
        // Not started yet.
      }
    }
    throw new IOException("the test JVM did not start; its output is in " + output);
  }

  /**
   * Runs one class, or reports that it has one of the tags because of which it is to be run
   * elsewhere.
   */
  ClassResult run(String className, List<String> deferredTags, Duration timeout) {
    long startNanos = System.nanoTime();
    try {
      out.writeUTF(className);
      out.writeUTF(String.join(",", deferredTags));
      out.flush();
      socket.setSoTimeout((int) timeout.toMillis());
      return ClassResult.read(in);
    } catch (SocketTimeoutException e) {
      dumpThreads();
      return broken(className, "not finished after " + timeout.toMinutes() + " min", startNanos);
    } catch (IOException e) {
      return broken(className, "the test JVM ended", startNanos);
    }
  }

  private ClassResult broken(String className, String reason, long startNanos) {
    isBroken = true;
    return ClassResult.broken(
        className,
        "%s; its output is in %s".formatted(reason, output),
        (System.nanoTime() - startNanos) / 1_000_000);
  }

  /** Whether it can run no further class. */
  boolean isBroken() {
    return isBroken;
  }

  /** Lets the JVM write a thread dump to its output. */
  private void dumpThreads() {
    try {
      new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
      TimeUnit.SECONDS.sleep(1);
    } catch (IOException e) {
      // There is no dump then.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the JVM end, with its shutdown hooks; kills it if it does not. */
  @Override
  public void close() throws IOException {
    socket.close();
    try {
      if (isBroken) {
        process.destroy();
      }
      if (!process.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
