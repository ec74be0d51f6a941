package dev.weir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * All counters of one name: a cell for each key, at most {@code maxKeys}, spread over segments.
 *
 * <p>There is one segment at first. One that comes to hold many cells splits in two, so that few
 * keys lie close together, and moving the cells of a segment never takes long. A directory tells
 * which segment has a key, the first unless it says another: each has a range of its entries, of
 * which it hands over the upper half when it splits. The directory says so before the cells that
 * stay are there: who misses a key in those, and then finds the directory as it was, has not missed
 * it.
 *
 * <p>When all places are taken, a new key first makes the sweep take a step, which drops cells that
 * can be forgotten. If none turns up, the key uses the overflow cell, which all such keys share. A
 * key that gets a cell of its own while the overflow is in use starts with what is used there, so
 * that nobody gains by filling the table.
 */
final class CounterTable {
  /** About what each of the segments of a full table has. */
  private static final int KEYS_PER_SEGMENT = 4_096;

  private static final int MAX_SEGMENTS = 1 << 16;

  /** The most slots that one request looks at for others' sake. */
  private static final int SWEEP_STEP = 64;

  private static final AtomicLong NEXT_ID = new AtomicLong();

  /** Tables are locked in the order of their ids. */
  final long id = NEXT_ID.getAndIncrement();

  private final long maxKeys;
  private final boolean isCompact;
  private final AtomicReferenceArray<@Nullable Segment> directory;
  private final int mostTogether;
  private final AtomicLong live = new AtomicLong();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder overflowed = new LongAdder();
  private final Map<Limit, Meter> meters = new ConcurrentHashMap<>();

  /**
   * Hardly ever does one table have several limits at a time. Plain: whichever is seen is whole.
   */
  private @Nullable Metered latest;

  private volatile StateKind[] kinds = {};
  private volatile @Nullable Segment first;
  private volatile @Nullable Segment overflow;
  private volatile @Nullable Segment alone;

  /** When the table was last full; long ago at first. */
  private volatile long fullAt = Long.MIN_VALUE;

  private final Object sweepLock = new Object();
  private int sweptEntry;
  private long earliestOfPass = Long.MAX_VALUE;

  private boolean isPassNew = true;

  /** No cell can be forgotten before this instant, as the last pass of the sweep has seen it. */
  private volatile long nothingBefore;

  /** Whether a cell may have come to recover earlier since that pass began. */
  private volatile boolean isRelieved;

  private record Metered(Limit limit, Meter meter) {}

  CounterTable(long maxKeys) {
    this(maxKeys, false);
  }

  /**
   * A table.
   *
   * @param isCompact whether it shall be as small as can be, rather than be good for many threads
   */
  CounterTable(long maxKeys, boolean isCompact) {
    this(maxKeys, isCompact, KEYS_PER_SEGMENT);
  }

  /** As the one above; a segment has about that many keys when the table is full. */
  CounterTable(long maxKeys, boolean isCompact, int keysPerSegment) {
    this.maxKeys = maxKeys;
    this.isCompact = isCompact;
    long wanted = isCompact ? 1 : Math.min(MAX_SEGMENTS, maxKeys / keysPerSegment);
    int entries = wanted <= 1 ? 1 : Integer.highestOneBit((int) wanted - 1) << 1;
    this.directory = new AtomicReferenceArray<>(entries);
    this.mostTogether = keysPerSegment / 2;
  }

  /** The fingerprint of a hash: the hash, but for the values that mean something else. */
  static long fingerprint(long hash) {
    return hash >= Cells.EMPTY && hash <= Cells.ALONE ? hash + 3 : hash;
  }

  /** The one meter of this table for that limit. */
  @SuppressWarnings("ReferenceEquality") // Of an equal one the meter is looked for.
  Meter meter(Limit limit) {
    Metered before = latest;
    if (before != null && before.limit == limit) {
      return before.meter;
    }
    Meter known = meters.get(limit);
    Meter meter = known == null ? meters.computeIfAbsent(limit, this::newMeter) : known;
    latest = new Metered(limit, meter);
    return meter;
  }

  private Meter newMeter(Limit limit) {
    Meter meter = Meter.of(limit);
    for (StateKind kind : kinds) {
      if (kind instanceof Meter known && known.sameAs(meter)) {
        return known;
      }
    }
    register(meter);
    return meter;
  }

  /** The number of a kind, which wide cells have as their head. */
  long number(StateKind kind) {
    StateKind[] known = kinds;
    for (int i = 0; i < known.length; i++) {
      if (known[i] == kind) {
        return i;
      }
    }
    return register(kind);
  }

  private synchronized int register(StateKind kind) {
    int index = new ArrayList<>(Arrays.asList(kinds)).indexOf(kind);
    if (index >= 0) {
      return index;
    }
    StateKind[] more = Arrays.copyOf(kinds, kinds.length + 1);
    more[kinds.length] = kind;
    kinds = more;
    return more.length - 1;
  }

  StateKind kind(long number) {
    return kinds[(int) number];
  }

  /** The segment that has or would have that fingerprint; null as long as it has no cells. */
  @Nullable Segment segment(long fingerprint) {
    return segmentAt(entryOf(fingerprint));
  }

  private @Nullable Segment segmentAt(int entry) {
    Segment segment = directory.getAcquire(entry);
    return segment == null ? first : segment;
  }

  /** Where the directory has that fingerprint. */
  int entryOf(long fingerprint) {
    return (int) (fingerprint >>> 40) & (directory.length() - 1);
  }

  int entries() {
    return directory.length();
  }

  /** How many cells a segment may keep without splitting. */
  int mostTogether() {
    return mostTogether;
  }

  /** Whether the key has a cell of its own. */
  boolean has(long fingerprint) {
    Segment before = null;
    Segment segment = segment(fingerprint);
    while (segment != before && segment != null) {
      if (segment.cells().find(fingerprint) >= 0) {
        return true;
      }
      before = segment;
      segment = segment(fingerprint);
    }
    return false;
  }

  /**
   * Charges without a transaction, if the key has a cell, or gets one, or has to overflow, and that
   * is a narrow cell of this meter.
   *
   * @return a result of {@link TokenBucketMeter#tryCharge}
   */
  int tryCharge(long fingerprint, TokenBucketMeter meter, TimeSource time, long now, long cost) {
    Segment segment = segment(fingerprint);
    if (segment == null) {
      return TokenBucketMeter.LOOK_AGAIN;
    }
    Cells cells = segment.cells();
    if (cells.narrow != meter) {
      return TokenBucketMeter.LOOK_AGAIN;
    }
    int at = cells.find(fingerprint);
    if (at >= 0) {
      return meter.tryCharge(cells.words, at, now, cost);
    }
    return isFull()
        ? tryOverflow(fingerprint, meter, now, cost)
        : segment.addCharged(fingerprint, meter, time, now, cost);
  }

  private int tryOverflow(long fingerprint, TokenBucketMeter meter, long now, long cost) {
    Segment shared = overflow;
    if (shared == null || mayForget(now)) {
      return TokenBucketMeter.LOOK_AGAIN;
    }
    Cells cells = shared.cells();
    if (cells.narrow != meter) {
      return TokenBucketMeter.LOOK_AGAIN;
    }
    int result = meter.tryCharge(cells.words, cells.aloneAt(), now, cost);
    // If the key has got a cell of its own meanwhile, that may have missed this charge and is
    // charged too; the overflow stays a little fuller than it need be, which is the safe side.
    if (result == TokenBucketMeter.LOOK_AGAIN || has(fingerprint)) {
      return TokenBucketMeter.LOOK_AGAIN;
    }
    overflowed.increment();
    return result;
  }

  /**
   * Makes sure that the key has a cell; false if the table is full, and the key has to overflow.
   */
  boolean add(long fingerprint, StateKind kind, long now) {
    if (isFull()) {
      fullAt = now;
      sweep(now);
      if (isFull()) {
        return false;
      }
    }
    Segment before = null;
    Segment segment = first == null ? first(kind) : segment(fingerprint);
    while (segment != before && segment != null) {
      if (segment.add(fingerprint, kind, now)) {
        return true;
      }
      before = segment;
      segment = segment(fingerprint);
    }
    return false;
  }

  private synchronized Segment first(StateKind kind) {
    Segment segment = first;
    if (segment == null) {
      segment = Segment.forKeys(this, kind);
      first = segment;
    }
    return segment;
  }

  /** From now on that segment has these entries of the directory. */
  void handOver(int from, int to, Segment segment) {
    for (int entry = from; entry < to; entry++) {
      directory.setRelease(entry, segment);
    }
  }

  boolean isFull() {
    return live.get() >= maxKeys;
  }

  /**
   * Whether keys that have recovered may keep their places for a while, in case they come again.
   * Not if all places were taken not long ago: then there are more keys than places, perhaps made
   * up.
   */
  boolean letsRest(long now) {
    long full = fullAt;
    return !isCompact && !(full != Long.MIN_VALUE && Math.abs(now - full) < Segment.REST_MICROS);
  }

  /** Takes a place for one more key. */
  boolean reserve() {
    if (isFull()) {
      return false;
    }
    if (live.incrementAndGet() > maxKeys) {
      live.decrementAndGet();
      return false;
    }
    return true;
  }

  /** So many cells were dropped. */
  void forgotten(int count) {
    live.addAndGet(-count);
    dropped.add(count);
  }

  /** Some cell may be forgotten earlier than the sweep has seen. */
  void relieved() {
    if (!isRelieved) {
      isRelieved = true;
    }
  }

  private boolean mayForget(long now) {
    return isRelieved || now >= nothingBefore;
  }

  private void sweep(long now) {
    if (!mayForget(now)) {
      return;
    }
    synchronized (sweepLock) {
      if (isPassNew) {
        isPassNew = false;
        nothingBefore = 0;
        isRelieved = false;
      }
      Segment segment = segmentAt(sweptEntry);
      if (segment != null) {
        earliestOfPass = Math.min(earliestOfPass, segment.sweep(SWEEP_STEP, now));
      }
      if (segment == null || segment.isSwept()) {
        int next = segment == null ? directory.length() : segment.lastEntry() + 1;
        sweptEntry = next == directory.length() ? 0 : next;
        if (sweptEntry == 0) {
          nothingBefore = earliestOfPass;
          isPassNew = true;
          earliestOfPass = Long.MAX_VALUE;
        }
      }
    }
  }

  /** The segment of the cell that keys without a place share. */
  Segment overflow(StateKind kind) {
    Segment segment = overflow;
    if (segment != null) {
      return segment;
    }
    synchronized (this) {
      if (overflow == null) {
        overflow = Segment.alone(this, kind);
      }
      return overflow;
    }
  }

  void overflowed() {
    overflowed.increment();
  }

  /** What is used of the overflow, in whole permits; nothing as long as no key had to use it. */
  long overflowUsed(StateKind kind, long now) {
    Segment segment = overflow;
    if (segment == null || !(kind instanceof Meter)) {
      return 0;
    }
    for (; ; ) {
      Cells cells = segment.cells();
      int at = cells.aloneAt();
      long head = cells.lock(at);
      if (head == Cells.GONE) {
        continue;
      }
      try {
        return cells.narrow == null
            ? ((Meter) kind(head)).used(cells, cells.state(at), now)
            : cells.narrow.used(head, now);
      } finally {
        cells.unlock(at, head);
      }
    }
  }

  /** The segment of the cell for use without a key. */
  Segment alone(StateKind kind) {
    Segment segment = alone;
    if (segment != null) {
      return segment;
    }
    synchronized (this) {
      if (alone == null) {
        alone = Segment.alone(this, kind);
      }
      return alone;
    }
  }

  MemoryStatistics statistics() {
    return new MemoryStatistics(live.get(), dropped.sum(), overflowed.sum());
  }
}
