package dev.weir.redis;

import java.lang.management.ManagementFactory;

/** How many threads this JVM has, and the most since. */
final class ThreadCount {
  private final int before = now();
  private int most = before;

  private static int now() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  /** Looks again. */
  void look() {
    most = Math.max(most, now());
  }

  int before() {
    return before;
  }

  int most() {
    return most;
  }
}
