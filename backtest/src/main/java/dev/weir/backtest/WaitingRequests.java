package dev.weir.backtest;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for being sorted; of those at the same time the first that came is the first
 * to go. Logs are nearly sorted: what is not earlier than the one before it joins a line, which
 * costs next to nothing, and only the rest goes into a heap.
 */
final class WaitingRequests {
  /** The most that wait. */
  static final int MOST = 200_000;

  private final ArrayDeque<LoggedRequest> inOrder = new ArrayDeque<>();
  private final PriorityQueue<Straggler> others = new PriorityQueue<>(Straggler.ORDER);
  private long stragglers;

  private record Straggler(LoggedRequest request, long number) {
    static final Comparator<Straggler> ORDER =
        Comparator.comparingLong(Straggler::atMicros).thenComparingLong(Straggler::number);

    long atMicros() {
      return request.atMicros();
    }
  }

  void add(LoggedRequest request) {
    LoggedRequest last = inOrder.peekLast();
    if (last == null || last.atMicros() <= request.atMicros()) {
      inOrder.addLast(request);
    } else {
      others.add(new Straggler(request, stragglers++));
    }
  }

  boolean isEmpty() {
    return inOrder.isEmpty() && others.isEmpty();
  }

  boolean isFull() {
    return inOrder.size() + others.size() >= MOST;
  }

  /** When the first of them was; there must be one. */
  long earliestMicros() {
    LoggedRequest first = isStragglerFirst() ? others.element().request : inOrder.getFirst();
    return first.atMicros();
  }

  /** Takes the first of them; null if there is none. */
  @Nullable LoggedRequest poll() {
    return isStragglerFirst() ? others.remove().request : inOrder.pollFirst();
  }

  /**
   * Of one that waits in the line at the same time as a straggler, the line's came first: what
   * joined the line after the straggler is later than it.
   */
  private boolean isStragglerFirst() {
    Straggler other = others.peek();
    if (other == null) {
      return false;
    }
    LoggedRequest ordered = inOrder.peekFirst();
    return ordered == null || other.atMicros() < ordered.atMicros();
  }
}
