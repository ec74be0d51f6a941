package dev.weir.server.envoy;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Counters that are elsewhere: they answer when they are told to, or fail. */
final class SlowStore implements CounterStore {
  private record Waiting(Operation operation, CompletableFuture<Decision> answer) {}

  private final CounterStore counters;
  private final List<Waiting> waiting = new ArrayList<>();

  /** Everything that was asked. */
  final List<Operation> asked = new ArrayList<>();

  /** Which operations fail, counted from 0. */
  final Set<Integer> failing = new HashSet<>();

  boolean isAway;
  boolean throwsInPlaceOfFailing;
  boolean answersAtOnce = true;

  SlowStore(CounterStore counters) {
    this.counters = counters;
  }

  @Override
  public CompletionStage<Decision> apply(Operation operation) {
    asked.add(operation);
    if (isAway || failing.contains(asked.size() - 1)) {
      IllegalStateException failure = new IllegalStateException("no connection");
      if (throwsInPlaceOfFailing) {
        throw failure;
      }
      return CompletableFuture.failedStage(failure);
    }
    if (answersAtOnce) {
      return counters.apply(operation);
    }
    Waiting later = new Waiting(operation, new CompletableFuture<>());
    waiting.add(later);
    return later.answer;
  }

  /** Answers whatever is waiting, the last first. */
  void answer() {
    List<Waiting> now = new ArrayList<>(waiting);
    waiting.clear();
    for (int i = now.size() - 1; i >= 0; i--) {
      Waiting next = now.get(i);
      next.answer.complete(counters.apply(next.operation).toCompletableFuture().join());
    }
  }

  int waiting() {
    return waiting.size();
  }

  @Override
  public void close() {}
}
