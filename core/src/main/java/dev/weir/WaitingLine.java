package dev.weir;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for permits, for each key in the order in which they came. Only the first
 * of a key tries, again whenever its permits are due; while it waits, requests of that key that do
 * not wait are refused, so that a large cost is not overtaken for ever by small ones.
 */
final class WaitingLine {

  private static final System.Logger LOGGER = System.getLogger(WaitingLine.class.getName());

  private final TimeSource time;
  private final LimiterStore store;
  private final DecisionListener listener;
  private final Map<String, Line> lines = new HashMap<>();

  /** How many keys have a line: the one thing that requests which do not wait look at. */
  private volatile int waitingKeys;

  /**
   * The lines of a limiter.
   *
   * @param listener is told of the decisions that waiting ends with; throws nothing
   */
  WaitingLine(TimeSource time, LimiterStore store, DecisionListener listener) {
    this.time = time;
    this.store = store;
    this.listener = listener;
  }

  boolean isEmpty() {
    return waitingKeys == 0;
  }

  /** What the requests of that key that wait ask for together; 0 if none waits. */
  long costAhead(String key) {
    if (waitingKeys == 0) {
      return 0;
    }
    synchronized (lines) {
      Line line = lines.get(key);
      return line == null ? 0 : line.cost;
    }
  }

  /** Completes with the permit when it is due, or with a refusal once that would be too late. */
  CompletableFuture<Decision> await(String key, long cost, long maxWaitMicros) {
    Waiter waiter = join(key, cost, time.nowMicros() + maxWaitMicros);
    // On the waiter itself, so that cancelling it leaves the line too.
    var unused = waiter.whenComplete((decision, failure) -> left(waiter, decision));
    if (isFirst(waiter)) {
      serve(waiter.line);
    } else {
      waiter.standBehind(maxWaitMicros);
    }
    return waiter;
  }

  /** Permits of that key may be there earlier than its first waiter has seen. */
  void wake(String key) {
    if (waitingKeys > 0) {
      Line line;
      synchronized (lines) {
        line = lines.get(key);
      }
      if (line != null) {
        serve(line);
      }
    }
  }

  /** As {@link #wake}, for all keys. */
  void wakeAll() {
    List<Line> all;
    synchronized (lines) {
      all = List.copyOf(lines.values());
    }
    all.forEach(this::serve);
  }

  private Waiter join(String key, long cost, long deadlineMicros) {
    synchronized (lines) {
      Line line = lines.computeIfAbsent(key, any -> new Line());
      Waiter waiter = new Waiter(line, key, cost, deadlineMicros);
      line.waiters.add(waiter);
      line.cost += Math.max(1, cost);
      waitingKeys = lines.size();
      return waiter;
    }
  }

  private void left(Waiter waiter, @Nullable Decision decision) {
    Line line = waiter.line;
    boolean wasFirst;
    synchronized (lines) {
      wasFirst = line.waiters.peek() == waiter;
      line.waiters.remove(waiter);
      line.cost -= Math.max(1, waiter.cost);
      if (line.waiters.isEmpty()) {
        lines.remove(waiter.key, line);
        waitingKeys = lines.size();
      }
    }
    if (decision != null) {
      listener.decided(waiter.key, waiter.cost, decision);
    }
    if (wasFirst) {
      serve(line);
    }
  }

  private boolean isFirst(Waiter waiter) {
    synchronized (lines) {
      return waiter.line.waiters.peek() == waiter;
    }
  }

  /**
   * Lets the first of the line try. A call that comes while another is under way, perhaps from
   * within it, leaves its turn to that one: so a long line that moves at once is a loop and no
   * recursion.
   */
  private void serve(Line line) {
    synchronized (lines) {
      if (line.turns++ > 0) {
        return;
      }
    }
    for (boolean more = true; more; ) {
      Waiter first = nextToTry(line);
      if (first != null) {
        first.tryNow();
      }
      synchronized (lines) {
        more = --line.turns > 0;
      }
    }
  }

  private @Nullable Waiter nextToTry(Line line) {
    synchronized (lines) {
      Waiter first = line.waiters.peek();
      if (first == null || first.trying) {
        line.isWoken = first != null;
        return null;
      }
      line.isWoken = false;
      first.trying = true;
      return first;
    }
  }

  /** Serves the line after that time, unless it is served earlier anyway. */
  private void serveAfter(Line line, long delayMicros) {
    long due = time.nowMicros() + delayMicros;
    synchronized (lines) {
      if (line.dueMicros <= due) {
        return;
      }
      line.dueMicros = due;
    }
    time.runAfter(delayMicros, () -> serveWhenDue(line, due));
  }

  private void serveWhenDue(Line line, long due) {
    synchronized (lines) {
      if (line.dueMicros != due) {
        return;
      }
      line.dueMicros = Long.MAX_VALUE;
    }
    serve(line);
  }

  /** The requests of one key that wait. Guarded by the map of lines. */
  private static final class Line {
    final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    int turns;

    /** Whether there was a reason to look again while the first was looking. */
    boolean isWoken;

    /** When the line is served next by its timer. */
    long dueMicros = Long.MAX_VALUE;

    /** What all of them ask for; a request that asks for nothing counts as one. */
    long cost;
  }

  private final class Waiter extends CompletableFuture<Decision> {
    final Line line;
    final String key;
    final long cost;
    final long deadlineMicros;

    /**
     * Whether it has begun to try and not yet gone back to waiting. Guarded by the map of lines.
     */
    boolean trying;

    Waiter(Line line, String key, long cost, long deadlineMicros) {
      this.line = line;
      this.key = key;
      this.cost = cost;
      this.deadlineMicros = deadlineMicros;
    }

    /** Takes the permits if they are there, else comes back when they are due. */
    void tryNow() {
      ask(store.peek(key, cost), this::looked);
    }

    /** Whatever goes wrong, on either side, ends the waiting: a line that stands still is worse. */
    private void ask(Operation operation, Consumer<Decision> then) {
      store
          .applyAsync(operation)
          .whenComplete(
              (decision, failure) -> {
                if (decision == null) {
                  fail(failure);
                  return;
                }
                try {
                  then.accept(decision);
                } catch (RuntimeException | Error unexpected) {
                  fail(unexpected);
                }
              });
    }

    private void looked(Decision seen) {
      if (seen.allowed() || isTooLate(seen)) {
        // Too late is said by the limits themselves, since it may be a violation.
        ask(store.acquire(key, cost), this::decided);
      } else {
        tryAgainAfter(seen.retryAfterMicros());
      }
    }

    private void decided(Decision decision) {
      if (!decision.allowed() && !isTooLate(decision)) {
        tryAgainAfter(decision.retryAfterMicros());
      } else if (!complete(decision) && decision.allowed() && cost > 0) {
        // It was cancelled meanwhile: nobody is there to use the permits.
        giveBack();
      }
    }

    private void giveBack() {
      store
          .applyAsync(store.refund(key, cost))
          .whenComplete(
              (standing, failure) -> {
                if (failure != null) {
                  LOGGER.log(
                      System.Logger.Level.WARNING,
                      "the permits of a cancelled request could not be given back",
                      failure);
                }
                wake(key);
              });
    }

    private void tryAgainAfter(long delayMicros) {
      boolean atOnce;
      synchronized (lines) {
        trying = false;
        atOnce = line.isWoken;
      }
      if (atOnce) {
        serve(line);
      } else {
        serveAfter(line, delayMicros);
      }
    }

    private boolean isTooLate(Decision refusal) {
      return !refusal.retryable()
          || refusal.atMicros() + refusal.retryAfterMicros() > deadlineMicros;
    }

    /** Behind others: refused at once if it would be too late even without them, else in time. */
    void standBehind(long maxWaitMicros) {
      ask(
          store.peek(key, cost),
          seen -> {
            if (!seen.allowed() && isTooLate(seen)) {
              complete(seen);
            } else {
              time.runAfter(maxWaitMicros, this::giveUp);
            }
          });
    }

    private void giveUp() {
      if (!isDone() && !isFirst(this)) {
        ask(store.peek(key, cost), seen -> complete(seen.refusedForOthers()));
      }
    }

    private void fail(@Nullable Throwable failure) {
      completeExceptionally(
          failure == null ? new IllegalStateException("no decision was made") : failure);
    }
  }
}
