package dev.weir;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that decides on the caller's thread, without waiting for anything. */
public interface DirectCounterStore extends CounterStore {

  /** Applies the operation and returns the decision. */
  Decision applyNow(Operation operation);

  @Override
  default CompletionStage<Decision> apply(Operation operation) {
    return CompletableFuture.completedStage(applyNow(operation));
  }
}
