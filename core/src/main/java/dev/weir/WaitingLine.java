package dev.weir;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for permits, for each key in the order in which they came. Only the first
 * of a key tries, again whenever its permits are due; while it waits, requests of that key that do
 * not wait are refused, so that a large cost is not overtaken for ever by small ones.
 */
final class WaitingLine {

  /** How a waiting request looks at its limits and takes from them. */
  interface Permits {
    CompletionStage<Decision> peek(String key, long cost);

    CompletionStage<Decision> acquire(String key, long cost);

    void refund(String key, long cost);

    /** The waiting has ended with that decision. */
    void decided(String key, long cost, Decision decision);
  }

  private final TimeSource time;
  private final Permits permits;
  private final Map<String, Line> lines = new HashMap<>();

  /** How many keys have a line: the one thing that requests which do not wait look at. */
  private volatile int waitingKeys;

  WaitingLine(TimeSource time, Permits permits) {
    this.time = time;
    this.permits = permits;
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
    synchronized (lines) {
      Line line = waiter.line;
      line.waiters.remove(waiter);
      line.cost -= Math.max(1, waiter.cost);
      if (line.waiters.isEmpty()) {
        lines.remove(waiter.key, line);
        waitingKeys = lines.size();
      }
    }
    if (decision != null) {
      permits.decided(waiter.key, waiter.cost, decision);
    }
    serve(waiter.line);
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
        return null;
      }
      first.trying = true;
      return first;
    }
  }

  /** The requests of one key that wait. Guarded by the map of lines. */
  private static final class Line {
    final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    int turns;

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
      permits.peek(key, cost).whenComplete((seen, failure) -> looked(seen, failure));
    }

    private void looked(@Nullable Decision seen, @Nullable Throwable failure) {
      if (seen == null) {
        fail(failure);
      } else if (seen.allowed() || isTooLate(seen)) {
        // Too late is said by the limits themselves, since it may be a violation.
        permits.acquire(key, cost).whenComplete((decision, error) -> decided(decision, error));
      } else {
        tryAgainAfter(seen.retryAfterMicros());
      }
    }

    private void decided(@Nullable Decision decision, @Nullable Throwable failure) {
      if (decision == null) {
        fail(failure);
      } else if (!decision.allowed() && !isTooLate(decision)) {
        tryAgainAfter(decision.retryAfterMicros());
      } else if (!complete(decision) && decision.allowed()) {
        // It was cancelled meanwhile: nobody is there to use the permits.
        permits.refund(key, cost);
      }
    }

    private void tryAgainAfter(long delayMicros) {
      synchronized (lines) {
        trying = false;
      }
      time.runAfter(delayMicros, () -> serve(line));
    }

    private boolean isTooLate(Decision refusal) {
      return !refusal.retryable()
          || refusal.atMicros() + refusal.retryAfterMicros() > deadlineMicros;
    }

    /** Behind others: refused at once if it would be too late even without them, else in time. */
    void standBehind(long maxWaitMicros) {
      permits
          .peek(key, cost)
          .whenComplete(
              (seen, failure) -> {
                if (seen == null) {
                  fail(failure);
                } else if (!seen.allowed() && isTooLate(seen)) {
                  complete(seen);
                } else {
                  time.runAfter(maxWaitMicros, this::giveUp);
                }
              });
    }

    private void giveUp() {
      if (isDone() || isFirst(this)) {
        return;
      }
      permits
          .peek(key, cost)
          .whenComplete(
              (seen, failure) -> {
                if (seen == null) {
                  fail(failure);
                } else {
                  complete(seen.refusedForOthers());
                }
              });
    }

    private void fail(@Nullable Throwable failure) {
      completeExceptionally(
          failure == null ? new IllegalStateException("no decision was made") : failure);
    }
  }
}
