package dev.weir.testrunner;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The test JVM: runs the classes it is sent, one by one, and sends back their results.
 *
 * <p>Its argument is the port of the runner on the loopback address. Standard streams stay free for
 * the tests and for the programs they start. When the runner closes the connection or dies, this
 * JVM exits at once, so that its shutdown hooks stop the servers it has started.
 */
public final class TestWorker {
  private final Launcher launcher = LauncherFactory.create();

  private TestWorker() {}

  /** Runs until the connection is closed. */
  public static void main(String[] args) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
      socket.setTcpNoDelay(true);
      new TestWorker()
          .serve(
              new DataInputStream(socket.getInputStream()),
              new DataOutputStream(socket.getOutputStream()));
    }
    // Threads that a test left running must not keep the JVM.
    System.exit(0);
  }

  /** Reads on this thread and runs tests on another, so that a closed connection is always seen. */
  private void serve(DataInputStream in, DataOutputStream out) throws IOException {
    ExecutorService tests =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "main");
              thread.setDaemon(true);
              return thread;
            });
    try {
      while (true) {
        String className = in.readUTF();
        List<String> deferredTags = List.of(in.readUTF().split(","));
        tests.execute(() -> answer(className, deferredTags, out));
      }
    } catch (EOFException e) {
      tests.shutdownNow();
    }
  }

  private void answer(String className, List<String> deferredTags, DataOutputStream out) {
    ClassResult result;
    try {
      result = run(className, deferredTags);
    } catch (ClassNotFoundException | RuntimeException | LinkageError e) {
      result = ClassResult.broken(className, "cannot run " + className + ": " + e, 0);
    }
    try {
      result.write(out);
    } catch (IOException e) {
      System.exit(1);
    }
  }

  private ClassResult run(String className, List<String> deferredTags)
      throws ClassNotFoundException {
    System.out.printf("%n== %s%n", className);
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                selectClass(
                    Class.forName(
                        className, false, Thread.currentThread().getContextClassLoader())));
    if (!Boolean.getBoolean("weir.long")) {
      request.filters(excludeTags("long"));
    }
    LauncherDiscoveryRequest built = request.build();
    TestPlan plan = launcher.discover(built);
    for (String tag : deferredTags) {
      if (!tag.isEmpty() && hasTag(plan, TestTag.create(tag))) {
        return ClassResult.deferred(className, tag);
      }
    }
    ResultListener listener = new ResultListener();
    long startNanos = System.nanoTime();
    launcher.execute(built, listener);
    return listener.result(className, (System.nanoTime() - startNanos) / 1_000_000);
  }

  private static boolean hasTag(TestPlan plan, TestTag tag) {
    return plan.getRoots().stream()
        .flatMap(root -> plan.getDescendants(root).stream())
        .map(TestIdentifier::getTags)
        .anyMatch(tags -> tags.contains(tag));
  }
}
