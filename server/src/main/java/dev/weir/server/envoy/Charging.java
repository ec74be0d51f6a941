package dev.weir.server.envoy;

import dev.weir.CounterStore;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Charges descriptors of one request that depend on each other. */
@FunctionalInterface
interface Charging {
  /**
   * Charges them and records the results; fails if the store does.
   *
   * @param store where they are counted
   * @param share the part of each limit that applies there
   */
  CompletableFuture<@Nullable Void> on(CounterStore store, UnaryOperator<RuleLimit> share);
}
