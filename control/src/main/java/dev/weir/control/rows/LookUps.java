package dev.weir.control.rows;

import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are looked up in the background: each once for all who ask for it, by few threads, and
 * at most so often a second over all rows. Thread-safe.
 *
 * @param <K> what names a row
 */
final class LookUps<K> {
  private static final int THREADS = 2;
  private static final int MOST_WAITING = 1_000;
  private static final long THREAD_RESTS_SECONDS = 30;

  private final Consumer<K> read;
  private final CacheOptions options;
  private final Health health;
  private final Map<K, Look> looks = new ConcurrentHashMap<>();
  private final RateLimiter budget;
  private final ThreadPoolExecutor threads;
  private final LongAdder begun = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /** A look-up that is under way. */
  private static final class Look {
    final long startNanos = System.nanoTime();
    final AtomicBoolean hasBegun = new AtomicBoolean();
    final CompletableFuture<Boolean> done = new CompletableFuture<>();
  }

  /**
   * Look-ups.
   *
   * @param what such as {@code keys}, for the names of threads
   * @param read reads a row; throws if the database cannot be asked
   */
  LookUps(String what, Consumer<K> read, CacheOptions options, Health health, TimeSource time) {
    this.read = read;
    this.options = options;
    this.health = health;
    this.budget =
        RateLimiter.builder()
            .limit(options.lookUpsPerSecond() + "/s sliding_log")
            .time(time)
            .build();
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            THREAD_RESTS_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            task -> daemon(task, "weir-look-up-" + what));
    threads.allowCoreThreadTimeOut(true);
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Has the row looked up, unless that is under way.
   *
   * @param isKnown whether it has become known meanwhile
   * @return completes, always well, when it is known or patience is at its end; null if waiting
   *     would gain nothing
   */
  @Nullable CompletionStage<?> lookUp(K key, Predicate<K> isKnown) {
    Look look = begin(key, isKnown);
    if (look == null || health.isDown()) {
      return null;
    }
    long leftNanos = look.startNanos + options.patience().toNanos() - System.nanoTime();
    return leftNanos <= 0
        ? null
        : look.done.copy().completeOnTimeout(true, leftNanos, TimeUnit.NANOSECONDS);
  }

  /** The look-up of that row; null if it cannot be looked up now. */
  private @Nullable Look begin(K key, Predicate<K> isKnown) {
    Look running = looks.get(key);
    if (running != null) {
      return running;
    }
    if (!health.mayTry() || !budget.tryAcquire()) {
      refused.increment();
      return null;
    }
    Look look = new Look();
    running = looks.putIfAbsent(key, look);
    if (running != null) {
      return running;
    }
    if (isKnown.test(key)) {
      // Somebody else was quicker.
      end(key, look);
      return null;
    }
    try {
      threads.execute(() -> run(key, look));
      return look;
    } catch (RejectedExecutionException tooMany) {
      refused.increment();
      end(key, look);
      return null;
    }
  }

  private void run(K key, Look look) {
    if (!look.hasBegun.compareAndSet(false, true)) {
      return;
    }
    try {
      begun.increment();
      read.accept(key);
    } catch (RuntimeException failure) {
      health.failed(failure);
      dropWaiting();
    } finally {
      end(key, look);
    }
  }

  /** What waits behind a read that has failed would only fail as late. */
  private void dropWaiting() {
    looks.forEach(
        (key, look) -> {
          if (look.hasBegun.compareAndSet(false, true)) {
            end(key, look);
          }
        });
  }

  private void end(K key, Look look) {
    looks.remove(key, look);
    look.done.complete(true);
  }

  /** What is being looked up. */
  Set<K> underWay() {
    return looks.keySet();
  }

  /** How many have begun since the start. */
  long begun() {
    return begun.sum();
  }

  /** How many have not been made, because there were too many. */
  long refused() {
    return refused.sum();
  }

  /** Looks nothing up any more. Nobody is interrupted: an embedded database would not bear it. */
  void close(long patienceSeconds) throws InterruptedException {
    threads.shutdown();
    dropWaiting();
    threads.awaitTermination(patienceSeconds, TimeUnit.SECONDS);
  }
}
