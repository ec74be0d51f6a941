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
  private final Map<String, ArrayDeque<Waiter>> lines = new HashMap<>();

  /** How many keys have a line: the one thing that requests which do not wait look at. */
  private volatile int waitingKeys;

  WaitingLine(TimeSource time, Permits permits) {
    this.time = time;
    this.permits = permits;
  }

  boolean isEmpty() {
    return waitingKeys == 0;
  }

  /** Whether requests of that key wait. */
  boolean isWaiting(String key) {
    if (waitingKeys == 0) {
      return false;
    }
    synchronized (lines) {
      return lines.containsKey(key);
    }
  }

  /** Completes with the permit when it is due, or with a refusal once that would be too late. */
  CompletableFuture<Decision> await(String key, long cost, long maxWaitMicros) {
    Waiter waiter = new Waiter(key, cost, time.nowMicros() + maxWaitMicros);
    boolean first = join(waiter);
    // On the waiter itself, so that cancelling it leaves the line too.
    var unused = waiter.whenComplete((decision, failure) -> left(waiter, decision));
    if (first) {
      waiter.tryNow();
    } else {
      waiter.stepAside(maxWaitMicros);
    }
    return waiter;
  }

  private void left(Waiter waiter, @Nullable Decision decision) {
    leave(waiter);
    if (decision != null) {
      permits.decided(waiter.key, waiter.cost, decision);
    }
  }

  private boolean join(Waiter waiter) {
    synchronized (lines) {
      ArrayDeque<Waiter> line = lines.computeIfAbsent(waiter.key, key -> new ArrayDeque<>());
      line.add(waiter);
      waitingKeys = lines.size();
      return line.size() == 1;
    }
  }

  private void leave(Waiter waiter) {
    Waiter next = null;
    synchronized (lines) {
      ArrayDeque<Waiter> line = lines.get(waiter.key);
      if (line != null) {
        boolean wasFirst = line.peek() == waiter;
        line.remove(waiter);
        if (line.isEmpty()) {
          lines.remove(waiter.key);
        } else if (wasFirst) {
          next = line.peek();
        }
        waitingKeys = lines.size();
      }
    }
    if (next != null) {
      next.tryNow();
    }
  }

  private boolean isFirst(Waiter waiter) {
    synchronized (lines) {
      ArrayDeque<Waiter> line = lines.get(waiter.key);
      return line != null && line.peek() == waiter;
    }
  }

  private final class Waiter extends CompletableFuture<Decision> {
    final String key;
    final long cost;
    final long deadlineMicros;

    Waiter(String key, long cost, long deadlineMicros) {
      this.key = key;
      this.cost = cost;
      this.deadlineMicros = deadlineMicros;
    }

    /** Takes the permits if they are there, else comes back when they are due. */
    void tryNow() {
      if (!isDone()) {
        permits.peek(key, cost).whenComplete((seen, failure) -> looked(seen, failure));
      }
    }

    private void looked(@Nullable Decision seen, @Nullable Throwable failure) {
      if (seen == null) {
        fail(failure);
      } else if (seen.allowed() || isTooLate(seen)) {
        // Too late is said by the limits themselves, since it may be a violation.
        permits.acquire(key, cost).whenComplete((decision, error) -> decided(decision, error));
      } else {
        time.runAfter(seen.retryAfterMicros(), this::tryNow);
      }
    }

    private void decided(@Nullable Decision decision, @Nullable Throwable failure) {
      if (decision == null) {
        fail(failure);
      } else if (!decision.allowed() && !isTooLate(decision)) {
        time.runAfter(decision.retryAfterMicros(), this::tryNow);
      } else if (!complete(decision) && decision.allowed()) {
        permits.refund(key, cost);
      }
    }

    private boolean isTooLate(Decision refusal) {
      return !refusal.retryable()
          || refusal.atMicros() + refusal.retryAfterMicros() > deadlineMicros;
    }

    /** Behind others: refused at once if it would be too late even without them, else in time. */
    void stepAside(long maxWaitMicros) {
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
      if (!isDone() && !isFirst(this)) {
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
    }

    private void fail(@Nullable Throwable failure) {
      completeExceptionally(
          failure == null ? new IllegalStateException("no decision was made") : failure);
    }
  }
}
