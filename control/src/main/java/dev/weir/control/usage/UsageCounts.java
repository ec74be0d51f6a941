package dev.weir.control.usage;

import dev.weir.TimeSource;
import dev.weir.policy.ApiKeys;
import dev.weir.policy.Bookmark;
import dev.weir.policy.Cause;
import dev.weir.policy.Client;
import dev.weir.policy.GateListener;
import dev.weir.policy.Users;
import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what users and keys use. Counted are users who have a row of quotas, and all keys of the
 * database; with what was allowed and counted by limits, by its cost. Thread-safe, and no thread of
 * a request waits for another.
 *
 * <p>Cells of those who have been quiet for a while are let go: marked, and looked at once more.
 * Who adds to a cell and then finds it marked hands it in to be looked at again; who does not find
 * it marked has added before that look. So nothing is lost, however slow a thread is.
 */
public final class UsageCounts implements GateListener {
  /** How many users and keys are counted at once, at most. */
  public static final int DEFAULT_MOST_CELLS = 500_000;

  private static final long DAY_MICROS = 86_400_000_000L;
  private static final int IDLE_TAKES = 30;

  private final TimeSource time;
  private final int mostCells;

  /** By day. Those of days that are over stay: they are empty, and somebody may still be late. */
  private final Map<Long, UsageTally> tallies = new ConcurrentHashMap<>();

  private final AtomicInteger cells = new AtomicInteger();
  private final LongAdder uncounted = new LongAdder();

  /** Cells that were let go and then added to. */
  private final Queue<UsageCell> late = new ConcurrentLinkedQueue<>();

  /** Cells that were let go and have to be looked at. */
  private final Set<UsageCell> leaving = new LinkedHashSet<>();

  private volatile UsageTally current = new UsageTally(Long.MIN_VALUE);

  /** Counts, dating by that clock what no limit had a say in. */
  public UsageCounts(TimeSource time) {
    this(time, DEFAULT_MOST_CELLS);
  }

  /** Counts of at most that many users and keys at once. */
  public UsageCounts(TimeSource time, int mostCells) {
    this.time = time;
    this.mostCells = mostCells;
  }

  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    Client client = verdict.request().client();
    Users.User user = client.knownUser();
    ApiKeys.ApiKey key = client.knownKey();
    if (user == null && key == null) {
      return;
    }
    long atMicros = verdict.atMicros() == 0 ? time.nowMicros() : verdict.atMicros();
    long cost = isUse(verdict) ? verdict.request().cost() : 0;
    UsageTally tally = tally(Math.floorDiv(atMicros, DAY_MICROS));
    if (user != null) {
      UsageCell cell = cell(tally, UsageDelta.Kind.USER, user.id(), user.use());
      add(cell, cost, verdict.isOverQuota(), atMicros);
    }
    if (key != null) {
      UsageCell cell = cell(tally, UsageDelta.Kind.KEY, key.id(), key.use());
      add(cell, cost, false, atMicros);
    }
  }

  /** Whether it is held against quotas: what is never counted is not. */
  private static boolean isUse(Verdict verdict) {
    return verdict.isAllowed()
        && (verdict.cause() == Cause.WITHIN_LIMITS || verdict.cause() == Cause.BACKEND_ERROR);
  }

  private UsageTally tally(long day) {
    UsageTally tally = current;
    if (tally.day == day) {
      return tally;
    }
    tally = tallies.computeIfAbsent(day, UsageTally::new);
    if (day > current.day) {
      current = tally;
    }
    return tally;
  }

  private void add(@Nullable UsageCell cell, long cost, boolean isExceeded, long atMicros) {
    if (cell == null) {
      uncounted.add(Math.max(1, cost));
    } else if (cell.add(cost, isExceeded, atMicros)) {
      late.add(cell);
    }
  }

  /** The cell of that day; null if there are too many already. */
  @SuppressWarnings("ReferenceEquality") // Of other days, or of who else counts, are other cells.
  private @Nullable UsageCell cell(
      UsageTally tally, UsageDelta.Kind kind, String id, Bookmark bookmark) {
    if (bookmark.at() instanceof UsageCell marked
        && marked.tally() == tally
        && !marked.isRetired()) {
      return marked;
    }
    Map<String, UsageCell> known = tally.of(kind);
    UsageCell cell = known.get(id);
    if (cell == null) {
      if (cells.get() >= mostCells) {
        return null;
      }
      cell = known.computeIfAbsent(id, any -> newCell(kind, any, tally));
    }
    bookmark.leave(cell);
    return cell;
  }

  private UsageCell newCell(UsageDelta.Kind kind, String id, UsageTally tally) {
    cells.incrementAndGet();
    return new UsageCell(kind, id, tally);
  }

  /** How much was not counted because too many were counted already. */
  public long uncounted() {
    return uncounted.sum();
  }

  /**
   * Hands on what is new.
   *
   * @param put takes a record, or refuses it; what it refuses is offered again the next time
   * @return whether everything was taken
   */
  synchronized boolean drain(Predicate<byte[]> put) {
    List<UsageCell> live = new ArrayList<>();
    for (UsageTally tally : tallies.values()) {
      live.addAll(tally.users.values());
      live.addAll(tally.keys.values());
    }
    for (UsageCell cell = late.poll(); cell != null; cell = late.poll()) {
      leaving.add(cell);
    }
    live.addAll(leaving);
    boolean isAllTaken = handOn(live, put);
    if (isAllTaken) {
      leaving.clear();
      retire();
    }
    return isAllTaken;
  }

  private static boolean handOn(List<UsageCell> live, Predicate<byte[]> put) {
    UsageRecord record = new UsageRecord();
    List<Runnable> taken = new ArrayList<>();
    for (Iterator<UsageCell> rest = live.iterator(); rest.hasNext(); ) {
      UsageCell cell = rest.next();
      UsageDelta delta = cell.fresh();
      if (delta != null) {
        record.add(delta);
        taken.add(() -> cell.taken(delta));
      }
      if (!taken.isEmpty() && (record.isFull() || !rest.hasNext())) {
        if (!put.test(record.toBytes())) {
          return false;
        }
        taken.forEach(Runnable::run);
        taken.clear();
        record = new UsageRecord();
      }
    }
    return true;
  }

  private void retire() {
    for (UsageTally tally : tallies.values()) {
      for (UsageDelta.Kind kind : UsageDelta.Kind.values()) {
        for (UsageCell cell : tally.of(kind).values()) {
          if (cell.idleTakes() >= IDLE_TAKES && tally.of(kind).remove(cell.id(), cell)) {
            cells.decrementAndGet();
            cell.retire();
            leaving.add(cell);
          }
        }
      }
    }
  }
}
