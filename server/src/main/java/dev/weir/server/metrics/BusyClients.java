package dev.weir.server.metrics;

import dev.weir.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;

/**
 * Which clients were refused most often of late, in bounded memory, however many clients there are.
 * Thread-safe.
 *
 * <p>A sketch keeps counters for the clients that it sees most, and knows how wrong they may be. So
 * that threads do not wait for each other, each has a sketch that it prefers, and takes another if
 * that one is busy; they are merged when somebody looks. The time is cut into halves: one is
 * filled, the one before is still looked at, and those before that are forgotten.
 */
final class BusyClients {
  /** How long one half lasts unless given. */
  static final Duration HALF = Duration.ofMinutes(10);

  /** The size of a sketch; it has counters for three quarters of it. */
  private static final int SKETCH_SIZE = 1_024;

  private static final int MOST_STRIPES = 16;

  /** Has room for all counters of two halves, so that merging them makes no new errors. */
  private static final int MERGED_SIZE = 2 * 2 * MOST_STRIPES * SKETCH_SIZE;

  private final TimeSource time;
  private final long halfMicros;
  private volatile Halves halves;

  /**
   * A client, and how often it was refused.
   *
   * @param atLeast it was refused that often for sure
   * @param atMost and certainly not more often than that
   */
  record Busy(String client, long atLeast, long atMost) {}

  /**
   * The clients that were refused most often, the first of them first.
   *
   * @param sinceMicros from when on refusals were counted, in microseconds since the epoch
   */
  record Top(long sinceMicros, List<Busy> clients) {}

  BusyClients(TimeSource time, Duration half) {
    this.time = time;
    this.halfMicros = half.toNanos() / 1_000;
    long now = time.nowMicros();
    this.halves = new Halves(new Half(now), new Half(now));
  }

  private record Halves(Half before, Half current) {}

  /** What was counted from an instant on. */
  private static final class Half {
    final long startMicros;
    private final Stripe[] stripes = new Stripe[stripeCount()];

    Half(long startMicros) {
      this.startMicros = startMicros;
      for (int i = 0; i < stripes.length; i++) {
        stripes[i] = new Stripe();
      }
    }

    private static int stripeCount() {
      int processors = Math.min(MOST_STRIPES, Runtime.getRuntime().availableProcessors());
      return Integer.highestOneBit(2 * processors - 1);
    }

    void count(ClientName client) {
      // Threads of one pool have ids in a row, which spread well.
      int preferred = (int) Thread.currentThread().getId();
      for (int i = 0; i < stripes.length; i++) {
        if (stripe(preferred + i).tryCount(client)) {
          return;
        }
      }
      stripe(preferred).count(client);
    }

    private Stripe stripe(int number) {
      return stripes[number & (stripes.length - 1)];
    }

    void addTo(ItemsSketch<ClientName> merged) {
      for (Stripe stripe : stripes) {
        stripe.addTo(merged);
      }
    }
  }

  /** One sketch. */
  private static final class Stripe {
    private final ReentrantLock lock = new ReentrantLock();
    private final ItemsSketch<ClientName> sketch = new ItemsSketch<>(SKETCH_SIZE);

    boolean tryCount(ClientName client) {
      if (!lock.tryLock()) {
        return false;
      }
      try {
        sketch.update(client);
      } finally {
        lock.unlock();
      }
      return true;
    }

    void count(ClientName client) {
      lock.lock();
      try {
        sketch.update(client);
      } finally {
        lock.unlock();
      }
    }

    void addTo(ItemsSketch<ClientName> merged) {
      lock.lock();
      try {
        merged.merge(sketch);
      } finally {
        lock.unlock();
      }
    }
  }

  /** That client was refused. */
  void refused(String client) {
    halvesNow().current.count(new ClientName(client));
  }

  private Halves halvesNow() {
    Halves now = halves;
    long nowMicros = time.nowMicros();
    return nowMicros - now.current.startMicros < halfMicros ? now : turned(nowMicros);
  }

  private synchronized Halves turned(long nowMicros) {
    long ageMicros = nowMicros - halves.current.startMicros;
    if (ageMicros >= halfMicros) {
      // After a long rest neither half is of late.
      Half before = ageMicros < 2 * halfMicros ? halves.current : new Half(nowMicros);
      halves = new Halves(before, new Half(nowMicros));
    }
    return halves;
  }

  /** Those that were refused most often of late. */
  Top top(int most) {
    Halves now = halvesNow();
    ItemsSketch<ClientName> merged = new ItemsSketch<>(MERGED_SIZE);
    now.before.addTo(merged);
    now.current.addTo(merged);
    List<Busy> clients = new ArrayList<>();
    for (ItemsSketch.Row<ClientName> row : merged.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES)) {
      clients.add(new Busy(row.getItem().text(), row.getLowerBound(), row.getUpperBound()));
    }
    clients.sort(Comparator.comparingLong(Busy::atMost).reversed().thenComparing(Busy::client));
    return new Top(
        now.before.startMicros, List.copyOf(clients.subList(0, Math.min(most, clients.size()))));
  }
}
