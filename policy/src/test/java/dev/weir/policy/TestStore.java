package dev.weir.policy;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.DirectCounterStore;
import dev.weir.MemoryCounterStore;
import dev.weir.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Counters that are elsewhere: they answer at once, later when they are told to, or never. */
final class TestStore implements CounterStore {

  /** How the store answers. */
  enum State {
    WELL,
    SLOW,
    FAILS,
    THROWS
  }

  private record Waiting(Operation operation, CompletableFuture<Decision> answer) {}

  private final MemoryCounterStore counters;
  private final List<Waiting> waiting = new ArrayList<>();
  final List<Operation> asked = new ArrayList<>();
  State state = State.WELL;

  TestStore(MemoryCounterStore counters) {
    this.counters = counters;
  }

  @Override
  public CompletionStage<Decision> apply(Operation operation) {
    asked.add(operation);
    return switch (state) {
      case WELL -> counters.apply(operation);
      case SLOW -> {
        Waiting later = new Waiting(operation, new CompletableFuture<>());
        waiting.add(later);
        yield later.answer;
      }
      case FAILS -> CompletableFuture.failedStage(new IllegalStateException("no connection"));
      case THROWS -> throw new IllegalStateException("closed");
    };
  }

  /** Answers whatever is waiting, the last first. */
  void answer() {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      Waiting next = waiting.remove(i);
      next.answer.complete(counters.applyNow(next.operation));
    }
  }

  /** Fails whatever is waiting. */
  void fail(RuntimeException failure) {
    waiting.forEach(next -> next.answer.completeExceptionally(failure));
    waiting.clear();
  }

  @Override
  public void close() {}

  /** Counters at hand, some of which throw. */
  static final class Direct implements DirectCounterStore {
    private final MemoryCounterStore counters;

    /** The names of the counters that throw. */
    final Set<String> failing = new HashSet<>();

    Direct(MemoryCounterStore counters) {
      this.counters = counters;
    }

    @Override
    public Decision applyNow(Operation operation) {
      for (Counter counter : operation.counters()) {
        if (failing.contains(counter.name())) {
          throw new IllegalStateException(counter.name() + " is out of reach");
        }
      }
      return counters.applyNow(operation);
    }

    @Override
    public void close() {}
  }
}
