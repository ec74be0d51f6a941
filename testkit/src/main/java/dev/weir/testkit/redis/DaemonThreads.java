package dev.weir.testkit.redis;

/** Threads that serve connections and do not keep the JVM alive. */
final class DaemonThreads {
  private DaemonThreads() {}

  static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, "weir-" + name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
