package dev.weir.testrunner;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The classes that wait to be run, in parts: each part is run by JVMs of its own.
 *
 * <p>A part is usually a module, and may be run by several JVMs at once, which all take its longest
 * class next. A free slot gets the part for which one more JVM would save the most time. Safe for
 * use by several threads.
 */
final class WorkQueue {
  /** Roughly what a further JVM costs before it runs its first class. */
  private static final long JVM_START_MILLIS = 2_000;

  private final ToLongFunction<String> estimateMillis;
  private final List<Part> parts = new ArrayList<>();
  private int running;

  WorkQueue(ToLongFunction<String> estimateMillis) {
    this.estimateMillis = estimateMillis;
  }

  /** Classes that may share a JVM. Its state is guarded by the queue. */
  static final class Part {
    private final TestModule module;
    private final Deque<String> classes;
    private final List<String> deferredTags;
    private int jvms;

    private Part(TestModule module, Deque<String> classes, List<String> deferredTags) {
      this.module = module;
      this.classes = classes;
      this.deferredTags = deferredTags;
    }

    TestModule module() {
      return module;
    }

    /** The tags of classes that must not run in this part. */
    List<String> deferredTags() {
      return deferredTags;
    }
  }

  synchronized void add(TestModule module, List<String> classes, List<String> deferredTags) {
    List<String> longestFirst =
        classes.stream().sorted(Comparator.comparingLong(estimateMillis).reversed()).toList();
    parts.add(new Part(module, new ArrayDeque<>(longestFirst), List.copyOf(deferredTags)));
    notifyAll();
  }

  /**
   * Returns the part to start a JVM for, or null when everything has been run. Waits while nothing
   * is left but running classes, since these may be deferred to a part of their own.
   */
  synchronized @Nullable Part claim() throws InterruptedException {
    while (true) {
      Part best = parts.stream().max(Comparator.comparingLong(this::millisSaved)).orElse(null);
      if (best != null && millisSaved(best) > 0) {
        best.jvms++;
        running++;
        return best;
      }
      if (running == 0) {
        return null;
      }
      wait();
    }
  }

  private long millisSaved(Part part) {
    if (part.classes.isEmpty()) {
      return 0;
    }
    long remaining = part.classes.stream().mapToLong(estimateMillis).sum();
    if (part.jvms > 0 && remaining < 2 * JVM_START_MILLIS * part.jvms) {
      return 0;
    }
    return Math.max(1, remaining / (part.jvms + 1));
  }

  /** Returns the next class of a part, or null when there is none. */
  synchronized @Nullable String next(Part part) {
    return part.classes.poll();
  }

  /** Ends what {@link #claim} began. */
  synchronized void release(Part part) {
    part.jvms--;
    running--;
    notifyAll();
  }
}
