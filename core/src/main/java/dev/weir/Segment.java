package dev.weir;

/**
 * A part of a table: cells that are replaced by others when they are too full, or laid out for
 * another kind of state. When there are many, half of them go to a segment of their own. Adding,
 * dropping and replacing happen under this object's monitor; finding and charging do not.
 */
final class Segment {
  private static final int FEWEST_CELLS = 8;

  /**
   * How long a cell that has recovered keeps its place while the table is not crowded. Keys that
   * come again and again below their limit recover all the time; they should not be dropped and
   * added as often.
   */
  static final long REST_MICROS = 600_000_000;

  private final CounterTable table;
  private final boolean isAlone;
  private volatile Cells cells;

  /** The first of its entries in the table's directory. */
  private final int fromEntry;

  /** Behind the last of its entries. */
  private int toEntry;

  /** Slots that are not empty, dropped ones included. */
  private int occupied;

  /** The slot where the sweep goes on. */
  private int sweepAt;

  /**
   * Uses of wide cells until the next look whether they could be narrow. Racy: it is only a hint.
   */
  private int patience;

  private Segment(CounterTable table, Cells cells, int fromEntry, int toEntry) {
    this.table = table;
    this.isAlone = fromEntry == toEntry;
    this.cells = cells;
    this.fromEntry = fromEntry;
    this.toEntry = toEntry;
  }

  /** A segment for all keys of a table. */
  static Segment forKeys(CounterTable table, StateKind kind) {
    return new Segment(table, Cells.of(kind, FEWEST_CELLS), 0, table.entries());
  }

  /** A segment of one cell, which has the fingerprint {@link Cells#ALONE}. */
  static Segment alone(CounterTable table, StateKind kind) {
    Cells cells = Cells.of(kind, Cells.capacityForOne());
    Segment segment = new Segment(table, cells, 0, 0);
    int at = cells.aloneAt();
    cells.publish(at, Cells.ALONE, segment.newHead(cells, at, kind, 0, 0));
    return segment;
  }

  Cells cells() {
    return cells;
  }

  /** Whether keys with that fingerprint belong here; not if they went elsewhere in a split. */
  private boolean owns(long fingerprint) {
    int entry = table.entryOf(fingerprint);
    return entry >= fromEntry && entry < toEntry;
  }

  /** The last of its entries in the table's directory. */
  synchronized int lastEntry() {
    return toEntry - 1;
  }

  /**
   * Makes sure that there is a cell for the fingerprint, unless the table is full or the key
   * belongs to another segment by now.
   *
   * @return whether there is one
   */
  synchronized boolean add(long fingerprint, StateKind kind, long now) {
    if (cells.find(fingerprint) >= 0) {
      return true;
    }
    if (table.isFull()) {
      return false;
    }
    widen(kind, now);
    makeRoom(kind, now);
    if (!owns(fingerprint)) {
      return false;
    }
    int at = takeSlot(fingerprint);
    long used = table.overflowUsed(kind, now);
    if (!table.reserve()) {
      leaveSlot(at);
      return false;
    }
    cells.unlock(at, newHead(cells, at, kind, now, used));
    return true;
  }

  /**
   * Adds a narrow cell that is charged from the start, as a transaction would in two steps.
   *
   * @return a result of {@link TokenBucketMeter#tryCharge}
   */
  synchronized int addCharged(
      long fingerprint, TokenBucketMeter meter, TimeSource time, long now, long cost) {
    if (cells.narrow != meter || cells.find(fingerprint) >= 0 || table.isFull()) {
      return TokenBucketMeter.LOOK_AGAIN;
    }
    // The key may have been used and dropped since the caller read the clock.
    long later = Math.max(now, time.nowMicros());
    makeRoom(meter, later);
    if (!owns(fingerprint)) {
      return TokenBucketMeter.LOOK_AGAIN;
    }
    int at = takeSlot(fingerprint);
    long used = table.overflowUsed(meter, later);
    if (!table.reserve()) {
      leaveSlot(at);
      return TokenBucketMeter.LOOK_AGAIN;
    }
    boolean fits = meter.holds(used + cost);
    cells.unlock(at, meter.headWith(later, fits ? used + cost : used));
    return fits ? TokenBucketMeter.CHARGED : TokenBucketMeter.REFUSED;
  }

  private void makeRoom(StateKind kind, long now) {
    if (4L * (occupied + 1) > 3L * cells.capacity) {
      replace(kind, now, table.letsRest(now));
    }
  }

  /**
   * A slot for a key that is absent: visible, but locked until what is used there is known.
   *
   * <p>It is visible before the overflow is read: see CellAccess on keys that leave it. And the
   * overflow is read before a place is reserved: who has to overflow only because this key takes
   * the last place comes after it, and does not add to what it starts with.
   */
  private int takeSlot(long fingerprint) {
    occupied++;
    int at = cells.vacancy(fingerprint);
    cells.publish(at, fingerprint, Cells.LOCKED);
    return at;
  }

  /** Gives back a slot that was taken, since there is no place for its key. */
  private void leaveSlot(int at) {
    cells.unlock(at, Cells.GONE);
    Cells.WORD.setRelease(cells.words, at, Cells.DROPPED);
  }

  /** Writes a state with that much used, except for the head, which is returned. */
  private long newHead(Cells target, int at, StateKind kind, long now, long used) {
    if (target.narrow != null) {
      return target.narrow.headWith(now, used);
    }
    kind.clear(target, target.state(at));
    if (kind instanceof Meter meter) {
      meter.restore(target, target.state(at), now, used);
    }
    return table.number(kind);
  }

  /** Lays the cells out so that they can hold that kind. */
  synchronized void widen(StateKind kind, long now) {
    if (!cells.accepts(kind)) {
      replace(kind, now, true);
    }
  }

  /**
   * Moves the cells to new ones with room for as many again, except those that can be forgotten,
   * and could already a rest ago if {@code mayRest}. Takes time in proportion to the cells of one
   * segment, and comes after as many additions. If memory runs out, everything stays as it was.
   */
  private void replace(StateKind wanted, long now, boolean mayRest) {
    CellMove move = new CellMove(table, cells, wanted);
    try {
      move.begin((old, at, head) -> isAlone || isKept(old, at, head, now, mayRest));
      if (isAlone) {
        cells = move.toAlone();
        occupied = 1;
      } else if (move.kept() > table.mostTogether() && toEntry - fromEntry > 1) {
        split(move);
      } else {
        cells = move.to(roomFor(move.kept()), any -> true);
        occupied = move.kept();
      }
    } finally {
      move.end(cells);
    }
    sweepAt = 0;
    patience = cells.capacity;
    table.forgotten(move.dropped());
  }

  private static int roomFor(int kept) {
    return Math.max(FEWEST_CELLS, Math.multiplyExact(2, kept + 1));
  }

  /**
   * The upper half of the entries, and the cells of its keys, go to a new segment. The order of the
   * two last steps matters, see {@link CounterTable}.
   */
  private void split(CellMove move) {
    int middle = (fromEntry + toEntry) >>> 1;
    int stay = move.count(fingerprint -> table.entryOf(fingerprint) < middle);
    int go = move.kept() - stay;
    Cells lower = move.to(roomFor(stay), fingerprint -> table.entryOf(fingerprint) < middle);
    Cells upper = move.to(roomFor(go), fingerprint -> table.entryOf(fingerprint) >= middle);
    Segment other = new Segment(table, upper, middle, toEntry);
    other.occupied = go;
    other.patience = upper.capacity;
    table.handOver(middle, toEntry, other);
    toEntry = middle;
    occupied = stay;
    cells = lower;
  }

  private boolean isKept(Cells old, int at, long head, long now, boolean mayRest) {
    if (!mayRest) {
      return !isForgettable(old, at, head, now);
    }
    long then = Math.max(0, now - REST_MICROS);
    // A blank state does not tell how long it has been one; it goes when the table is crowded.
    return !isForgettable(old, at, head, then) || isBlank(old, at, head);
  }

  /**
   * Makes wide cells narrow again once all of them run by that meter, some time after a limit has
   * changed. Looks only once in as many calls as there are cells.
   */
  void considerNarrowing(TokenBucketMeter meter, long now) {
    if (--patience < 0) {
      narrow(meter, now);
    }
  }

  private synchronized void narrow(TokenBucketMeter meter, long now) {
    if (cells.narrow == null && couldRunBy(meter, now)) {
      replace(meter, now, false);
    }
    patience = cells.capacity;
  }

  private boolean couldRunBy(TokenBucketMeter meter, long now) {
    for (int slot = 0; slot < cells.capacity; slot++) {
      if (cells.isTaken(slot)) {
        int at = slot * cells.stride;
        long head = cells.lock(at);
        boolean could = kind(cells, head) == meter || isForgettable(cells, at, head, now);
        cells.unlock(at, head);
        if (!could) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Drops what can be forgotten among the next {@code slots} slots.
   *
   * @return {@code now} if something was dropped, else when the first of those can be
   */
  synchronized long sweep(int slots, long now) {
    long earliest = Long.MAX_VALUE;
    int dropped = 0;
    int end = Math.min(cells.capacity, sweepAt + slots);
    for (int slot = sweepAt; slot < end; slot++) {
      if (cells.isTaken(slot)) {
        int at = slot * cells.stride;
        long head = cells.lock(at);
        if (isForgettable(cells, at, head, now)) {
          drop(at, head);
          dropped++;
        } else {
          earliest = Math.min(earliest, forgettableAt(cells, at, head, now));
          cells.unlock(at, head);
        }
      }
    }
    sweepAt = end == cells.capacity ? 0 : end;
    table.forgotten(dropped);
    return dropped > 0 ? now : earliest;
  }

  /** Whether the last sweep came to the end. */
  synchronized boolean isSwept() {
    return sweepAt == 0;
  }

  private void drop(int at, long head) {
    if (cells.narrow == null) {
      kind(cells, head).clear(cells, cells.state(at));
    }
    leaveSlot(at);
  }

  private boolean isForgettable(Cells from, int at, long head, long now) {
    return from.narrow == null
        ? table.kind(head).forgettableAt(from, from.state(at), now) <= now
        : from.narrow.isFull(head, now);
  }

  private long forgettableAt(Cells from, int at, long head, long now) {
    return from.narrow == null
        ? table.kind(head).forgettableAt(from, from.state(at), now)
        : from.narrow.forgettableAt(head);
  }

  private boolean isBlank(Cells from, int at, long head) {
    return from.narrow == null ? table.kind(head).isBlank(from, from.state(at)) : head == 0;
  }

  private StateKind kind(Cells from, long head) {
    return from.narrow == null ? table.kind(head) : from.narrow;
  }
}
