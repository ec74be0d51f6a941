package dev.weir;

import java.util.concurrent.CompletionStage;

/**
 * Where counts live. A store applies an operation to all of its counters as one step, at one
 * instant of the store's own clock, by the rules of {@code docs/semantics.md}; every store gives
 * the same decisions for the same history.
 *
 * <p>Stores are safe for use by many threads.
 */
public interface CounterStore extends AutoCloseable {

  /**
   * Applies the operation. The stage completes with the decision, or with the failure to reach the
   * counters; it never blocks the caller.
   */
  CompletionStage<Decision> apply(Operation operation);

  /** Releases what the store holds. */
  @Override
  void close();
}
