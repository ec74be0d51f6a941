package dev.weir;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A clock that stands still until it is moved, for tests and simulations. Tasks that wait for it
 * run on the thread that moves it, in the order of their times. Thread-safe.
 */
public final class ManualTime implements TimeSource {

  private record Task(long atMicros, long number, Runnable body) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::atMicros).thenComparing(Task::number));
  private volatile long nowMicros;
  private long scheduled;

  /** A clock that stands at {@code start}. */
  public ManualTime(Instant start) {
    this.nowMicros = requireInRange(Micros.of(start));
  }

  @Override
  public long nowMicros() {
    return nowMicros;
  }

  /** Moves the clock by {@code step}, which may be negative, and runs the tasks that are due. */
  public void advance(Duration step) {
    synchronized (tasks) {
      nowMicros = requireInRange(Math.addExact(nowMicros, Micros.roundedUp(step)));
    }
    runDue();
  }

  /**
   * Moves the clock to {@code instant}, which may lie in the past, and runs the tasks that are due.
   */
  public void set(Instant instant) {
    synchronized (tasks) {
      nowMicros = requireInRange(Micros.of(instant));
    }
    runDue();
  }

  private void runDue() {
    for (Runnable task : takeDue()) {
      task.run();
    }
  }

  @Override
  public void runAfter(long delayMicros, Runnable task) {
    synchronized (tasks) {
      tasks.add(new Task(nowMicros + delayMicros, scheduled++, task));
    }
  }

  private List<Runnable> takeDue() {
    List<Runnable> due = new ArrayList<>();
    synchronized (tasks) {
      for (Task next = tasks.peek();
          next != null && next.atMicros <= nowMicros;
          next = tasks.peek()) {
        due.add(next.body);
        tasks.remove();
      }
    }
    return due;
  }

  private static long requireInRange(long micros) {
    if (micros < 0 || micros > Micros.LAST) {
      throw new IllegalArgumentException(
          "time must be between 1970 and 2400, got " + Micros.toInstant(micros));
    }
    return micros;
  }
}
