package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.DirectCounterStore;
import dev.weir.Operation;
import dev.weir.TimeSource;

/** The {@link Oracle} as a store, one operation after the other: the yardstick of all stores. */
public final class OracleCounterStore implements DirectCounterStore {

  private final TimeSource time;
  private final Oracle oracle = new Oracle();

  /** A store without counts that lives by that clock. */
  public OracleCounterStore(TimeSource time) {
    this.time = time;
  }

  @Override
  public synchronized Decision applyNow(Operation operation) {
    return oracle.apply(operation, time.nowMicros());
  }

  @Override
  public void close() {}
}
