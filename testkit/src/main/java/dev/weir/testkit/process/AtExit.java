package dev.weir.testkit.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What is to be undone when the JVM ends, the latest first. */
public final class AtExit {
  private AtExit() {}

  private static final Deque<Runnable> TASKS = new ArrayDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(AtExit::runAll, "weir-testkit-exit"));
  }

  /** Adds a task. */
  public static void add(Runnable task) {
    synchronized (TASKS) {
      TASKS.push(task);
    }
  }

  /** Forgets a task that is done already. */
  public static void remove(Runnable task) {
    synchronized (TASKS) {
      TASKS.remove(task);
    }
  }

  private static void runAll() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException e) {
        System.err.println("weir-testkit could not clean up: " + e);
      }
    }
  }

  private static @Nullable Runnable next() {
    synchronized (TASKS) {
      return TASKS.poll();
    }
  }
}
