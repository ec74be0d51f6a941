package dev.weir.control.rollup;

import dev.weir.TimeSource;
import dev.weir.control.outbox.Outbox;
import dev.weir.policy.GateListener;
import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Adds up decisions by minute, endpoint, tier and rule, and puts what came together into the outbox
 * once a second. Thread-safe; counting a decision waits for nothing and allocates nothing.
 *
 * <p>What the outbox does not take, because it is full, is kept and tried again, as long as that is
 * not too much.
 */
public final class RollupObserver implements GateListener, AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(RollupObserver.class.getName());

  private static final int MOST_CELLS = 1_024;
  private static final int MOST_PENDING = 8_192;
  private static final long MINUTE_MICROS = 60_000_000;

  /** A cell that nobody has used for so long makes room when there is none. */
  private static final long UNUSED_MINUTES = 10;

  private final Outbox outbox;
  private final TimeSource time;
  private final String region;
  private final Totals hits;
  private final Totals misses;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "weir-rollup");
  private final AtomicLong dropped = new AtomicLong();

  private volatile CellTable cells = new CellTable(MOST_CELLS);

  /** Cells that are in no table any more; a thread that found one before may still use it. */
  private final List<Cell> retired = new ArrayList<>();

  /** What the outbox has not taken yet, by minute. */
  private final TreeMap<Long, Map<Dimensions, Tally>> pending = new TreeMap<>();

  private long tidiedMinute;

  /** The differences of a total that somebody else counts. */
  private static final class Totals {
    private final LongSupplier total;
    private long last;

    Totals(LongSupplier total) {
      this.total = total;
      this.last = total.getAsLong();
    }

    long more() {
      long now = total.getAsLong();
      // A lower one was begun anew.
      long more = now >= last ? now - last : now;
      last = now;
      return Math.max(0, more);
    }
  }

  /**
   * Begins to count.
   *
   * @param region of this instance
   * @param cacheHits how often a cache had an answer, since whenever
   * @param cacheMisses how often it had none
   */
  public RollupObserver(
      Outbox outbox,
      TimeSource time,
      String region,
      LongSupplier cacheHits,
      LongSupplier cacheMisses) {
    this.outbox = outbox;
    this.time = time;
    this.region = region;
    this.hits = new Totals(cacheHits);
    this.misses = new Totals(cacheMisses);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    cells
        .find(
            verdict.endpoint(),
            Objects.requireNonNullElse(verdict.tier(), ""),
            Objects.requireNonNullElse(verdict.rule(), ""))
        .count(
            time.nowMicros() / MINUTE_MICROS,
            verdict.outcome(),
            LatencySketch.bucket(latencyNanos / 1_000));
  }

  private void run() {
    try {
      while (!closing.await(1, TimeUnit.SECONDS)) {
        flushAndGoOn();
      }
    } catch (InterruptedException ended) {
      // The rest is flushed by who closes.
    }
  }

  private void flushAndGoOn() {
    try {
      flush();
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "metrics are not rolled up", failure);
    }
  }

  /** Puts all that was counted before into the outbox, as far as that takes it. */
  synchronized void flush() {
    long minute = time.nowMicros() / MINUTE_MICROS;
    for (Cell cell : cells.cells()) {
      drain(cell, minute);
    }
    for (Cell cell : retired) {
      drain(cell, minute);
    }
    Tally caches = new Tally();
    caches.cacheHits = hits.more();
    caches.cacheMisses = misses.more();
    if (!caches.isEmpty()) {
      add(minute, new Dimensions("", "", "", region), caches);
    }
    tidy(minute);
    put();
  }

  private void drain(Cell cell, long minute) {
    for (int index = 0; index < Cell.MINUTES; index++) {
      Tally tally = new Tally();
      if (cell.drain(index, tally)) {
        cell.lastMinute = minute;
        // Of the minutes that have these counters, the one from two before to the next.
        long counted = minute + 1 - Math.floorMod(minute + 1 - index, (long) Cell.MINUTES);
        add(counted, new Dimensions(cell.endpoint, cell.tier, cell.rule, region), tally);
      }
    }
  }

  private void add(long minute, Dimensions dimensions, Tally tally) {
    pending
        .computeIfAbsent(minute, none -> new TreeMap<>())
        .computeIfAbsent(dimensions, none -> new Tally())
        .add(tally);
  }

  private void put() {
    List<Delta> deltas = new ArrayList<>();
    pending.forEach(
        (minute, tallies) ->
            tallies.forEach(
                (dimensions, tally) -> deltas.add(new Delta(minute, dimensions, tally))));
    pending.clear();
    int kept = 0;
    for (Delta.Packet packet : Delta.pack(deltas)) {
      boolean isTaken = outbox.put(RollupSink.KIND, packet.payload());
      if (!isTaken && kept <= MOST_PENDING) {
        packet.deltas().forEach(each -> add(each.minute(), each.dimensions(), each.tally()));
        kept += packet.deltas().size();
      } else if (!isTaken) {
        dropped.addAndGet(packet.deltas().size());
      }
    }
  }

  /** Makes room for new cells at most once a minute. */
  private void tidy(long minute) {
    retired.removeIf(cell -> cell.lastMinute < minute - Cell.MINUTES);
    CellTable before = cells;
    if (minute == tidiedMinute || !before.isFull()) {
      return;
    }
    tidiedMinute = minute;
    for (Cell cell : before.unusedSince(minute - UNUSED_MINUTES)) {
      cell.lastMinute = minute;
      retired.add(cell);
    }
    cells = before.without(retired);
  }

  /** How many sums of a minute were given up, because the outbox did not take them for long. */
  public long dropped() {
    return dropped.get();
  }

  /**
   * Puts what was counted into the outbox, for the last time. To be called before that is closed.
   */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
    flushAndGoOn();
  }
}
