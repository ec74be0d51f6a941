package dev.weir.testkit;

import dev.weir.CounterStore;
import dev.weir.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every counter store must do, as a JUnit suite: extend it, say how to make a store, run it.
 *
 * <p>Fixed scenarios hold numbers worked out by hand. Random histories are compared call by call
 * with the {@link Oracle}; a failure prints the seed and a shortened history. System properties:
 *
 * <ul>
 *   <li>{@code weir.seed}: the seed of the first random history; fresh in each run unless given
 *   <li>{@code weir.history.operations}: random operations per kind of history, 1,000,000 unless
 *       given
 * </ul>
 */
public abstract class CounterStoreContract {

  /** An empty store that lives by that clock and has room for at least 10,000 counters. */
  public abstract CounterStore createStore(ManualTime time);

  /** How many random operations to play per kind of history. */
  protected long historyOperations() {
    return Long.getLong("weir.history.operations", 1_000_000);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("answers random histories like the oracle")
  void answersRandomHistoriesLikeTheOracle(HistoryKind kind) {
    new RandomHistories(this::createStore).compare(kind, Seed.first(), historyOperations());
  }
}
