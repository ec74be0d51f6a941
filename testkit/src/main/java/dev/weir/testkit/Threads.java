package dev.weir.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs one task on many threads that start together, each with a tally of its own. */
final class Threads {
  private Threads() {}

  /** Runs the task so many times at once and adds the tallies up. */
  static Tally run(int threads, Consumer<Tally> task) {
    return runBeside(threads, task, () -> {});
  }

  /** The same, while this thread does something else, beginning with them. */
  static Tally runBeside(int threads, Consumer<Tally> task, Runnable here) {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch ready = new CountDownLatch(threads);
      List<Future<Tally>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        futures.add(
            executor.submit(
                () -> {
                  Tally tally = new Tally();
                  ready.countDown();
                  ready.await();
                  task.accept(tally);
                  return tally;
                }));
      }
      ready.await();
      here.run();
      Tally sum = new Tally();
      for (Future<Tally> future : futures) {
        sum.addAll(future.get());
      }
      return sum;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while threads were running", e);
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed: " + e.getCause(), e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }
}
