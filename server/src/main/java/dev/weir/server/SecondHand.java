package dev.weir.server;

import dev.weir.TimeSource;
import java.util.concurrent.TimeUnit;

/** Does something soon after each full second of a clock, on a thread of its own. */
final class SecondHand implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(SecondHand.class.getName());
  private static final long SECOND = 1_000_000;

  private final TimeSource time;
  private final Runnable task;
  private final Thread thread = new Thread(this::run, "weir-seconds");
  private volatile boolean isClosed;

  private SecondHand(TimeSource time, Runnable task) {
    this.time = time;
    this.task = task;
    thread.setDaemon(true);
  }

  static SecondHand start(TimeSource time, Runnable task) {
    SecondHand hand = new SecondHand(time, task);
    hand.thread.start();
    return hand;
  }

  private void run() {
    while (!isClosed) {
      try {
        TimeUnit.MICROSECONDS.sleep(SECOND - Math.floorMod(time.nowMicros(), SECOND));
      } catch (InterruptedException ended) {
        return;
      }
      tick();
    }
  }

  private void tick() {
    try {
      task.run();
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "a second is left out", failure);
    }
  }

  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
  }
}
